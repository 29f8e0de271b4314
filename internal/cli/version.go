package cli

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// versions is everything that decides what a record says.
type versions struct {
	Tool    string   `json:"tool"`
	Commit  string   `json:"commit"`
	Go      string   `json:"go"`
	Record  string   `json:"record"`
	Law     int      `json:"law"`
	Bench   string   `json:"bench"`
	Digest  string   `json:"bench_digest"`
	Checks  string   `json:"checks"`
	Rubrics []string `json:"rubrics"`
}

func (a *app) versionCommand() *cobra.Command {
	var format string
	c := &cobra.Command{Use: "version", Short: "Prints versions and digests", Args: none,
		RunE: func(_ *cobra.Command, _ []string) error { return a.printVersion(format) }}
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) printVersion(format string) error {
	v, err := a.versions()
	if err != nil {
		return coded(exitBug, err)
	}
	if format == "json" {
		return a.printJSON(v)
	}
	return a.through(func(w *lines) error {
		w.f("%s (commit %s, %s)\n  %s, rules version %d\n  %s (%s), checks %s\n  rubrics %s\n", v.Tool, v.Commit, v.Go,
			strings.Replace(strings.TrimPrefix(v.Record, "automaton/"), "/", " format ", 1), v.Law, judges(v.Bench), v.Digest[:12], v.Checks[:min(len(v.Checks), 12)], strings.Join(v.Rubrics, ", "))
		return nil
	})
}

func (a *app) versions() (versions, error) {
	v := versions{Tool: a.tool(), Commit: "unknown", Go: runtime.Version(), Record: court.SchemaRecord, Law: court.Law,
		Bench: bench.Speaker, Digest: bench.Digest(), Rubrics: []string{}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 7 {
				v.Commit = s.Value[:7]
			}
		}
	}
	for _, name := range rubric.Builtins() {
		r, err := rubric.Builtin(name, trial.Catalogue(trial.Probes()))
		if err != nil {
			return v, err
		}
		v.Rubrics = append(v.Rubrics, r.Name+" "+r.Version)
		if name == "courtroom" {
			v.Checks = r.Checks
		}
	}
	return v, nil
}

// tool is this program as records name it.
func (a *app) tool() string { return "automaton " + a.Version }
