package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) probeCommand() *cobra.Command {
	c := &cobra.Command{Use: "probe", Short: "Lists and explains the probes, and runs one alone",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("automaton probe --help lists list, explain and run", "reading arguments: unknown command %q", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(a.probeList(), a.probeExplain(), a.probeRun())
	return c
}

// listedProbe is a probe in the catalogue.
type listedProbe struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Target  string `json:"target"`
	Title   string `json:"title"`
}

func (a *app) probeList() *cobra.Command {
	var target, format string
	c := &cobra.Command{Use: "list", Short: "Lists the probes", Args: none,
		RunE: func(_ *cobra.Command, _ []string) error {
			list := []listedProbe{}
			for _, p := range trial.Probes() {
				if target == "" || string(p.Target) == target {
					list = append(list, listedProbe{p.ID, p.Version, string(p.Target), p.Title})
				}
			}
			if format == "json" {
				return a.printJSON(list)
			}
			return a.through(func(w *lines) error {
				for _, p := range list {
					w.f("%-22s %-12s %s\n", p.ID, p.Target, p.Title)
				}
				return nil
			})
		}}
	var targets []string
	for _, p := range trial.Probes() {
		targets = append(targets, string(p.Target))
	}
	slices.Sort(targets)
	c.Flags().Var(choice{&target, slices.Compact(targets), "artifact %q for --target"}, "target", "`ARTIFACT` artifact whose probes are listed")
	formatFlag(c, &format, "text", "json")
	return c
}

func none(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(c.CommandPath()+" --help shows how", "reading arguments: %q is one argument too many", args[0])
	}
	return nil
}

// probeNamed finds a probe, or suggests one.
func probeNamed(id string) (probe.Probe, error) {
	var known []string
	for _, p := range trial.Probes() {
		if p.ID == id {
			return p, nil
		}
		known = append(known, p.ID)
	}
	return probe.Probe{}, usage(cmp.Or(meant(id, known), "automaton probe list shows them"), "reading arguments: unknown probe %q", id)
}

func (a *app) probeExplain() *cobra.Command {
	var format string
	c := &cobra.Command{Use: "explain ID", Short: "Explains what a probe asks, how it looks and what it cannot see", Args: one("ID"),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := probeNamed(args[0])
			if err != nil {
				return err
			}
			if format == "json" {
				return a.printJSON(explanationOf(p))
			}
			return a.through(func(w *lines) error { return explainProbe(w, p) })
		}}
	formatFlag(c, &format, "text", "json")
	return c
}

// explainedProbe is what a probe says about itself.
type explainedProbe struct {
	listedProbe
	Doc    string         `json:"doc"`
	Args   []explainedArg `json:"args"`
	Remedy string         `json:"remedy"`
	Effort int            `json:"effort_minutes"`
	Recall court.Fixed    `json:"recall,omitempty"` // on our fixtures
}

// explainedArg is one argument of a probe.
type explainedArg struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Allowed []string `json:"allowed,omitempty"`
	Default any      `json:"default,omitempty"`

	Required bool   `json:"required,omitempty"`
	Form     string `json:"form,omitempty"`
	Doc      string `json:"doc"`
}

func explanationOf(p probe.Probe) explainedProbe {
	e := explainedProbe{listedProbe: listedProbe{p.ID, p.Version, string(p.Target), p.Title}, Doc: p.Doc, Args: []explainedArg{},
		Remedy: p.Remedy, Effort: p.Effort, Recall: p.Recall}
	for _, x := range p.Args {
		e.Args = append(e.Args, explainedArg(x))
	}
	return e
}

func explainProbe(w *lines, p probe.Probe) error {
	w.f("%s  version %s, looks at %s\n\n%s.\n\n%s\n", p.ID, p.Version, p.Target, strings.TrimSuffix(p.Title, "."), wrapped(p.Doc, 78))
	for _, x := range p.Args {
		w.f("\n  %s (%s", x.Name, x.Type)
		if len(x.Allowed) > 0 {
			w.f(": %s", strings.Join(x.Allowed, ", "))
		}
		if x.Required {
			w.f(", required")
		}
		if x.Default != nil {
			w.f(", default %v", x.Default)
		}
		w.f(")  %s", x.Doc)
	}
	if len(p.Args) > 0 {
		w.f("\n")
	}
	if p.Remedy != "" {
		w.f("\nRemedy: %s (about %d min).\n", strings.TrimSuffix(p.Remedy, "."), p.Effort)
	}
	if p.Recall > 0 {
		w.f("Recall: %s.\n", p.Recall)
	}
	return nil
}

// wrapped breaks text at blanks.
func wrapped(s string, width int) string {
	var b strings.Builder
	n := 0
	for word := range strings.FieldsSeq(s) {
		switch {
		case n > 0 && n+1+len(word) > width:
			b.WriteByte('\n')
			n = 0
		case n > 0:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	return b.String()
}

func (a *app) probeRun() *cobra.Command {
	var pdf, commit, folder, format string
	var set []string
	c := &cobra.Command{Use: "run ID REPO", Short: "Prints the evidence that one probe finds in a repository",
		Example: "  automaton probe run proc.shell .\n  automaton probe run graph.parallel . --arg role=judges",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("automaton probe run ID REPO", "reading arguments: a probe and a repository are needed, and %s given", count(len(args), "argument"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			p, err := probeNamed(args[0])
			if err != nil {
				return err
			}
			values, err := probeArgs(p, set)
			if err != nil {
				return err
			}
			at, err := a.aimAt(args[1], commit, folder)
			if err != nil {
				return err
			}
			if err := a.settle(c, at.local, false); err != nil {
				return err
			}
			doc, err := a.document(pdf)
			if err != nil {
				return err
			}
			opened, done, err := a.secure(c.Context(), at, []trial.Document{doc}, nil)
			if err != nil {
				return err
			}
			defer done()
			if opened.Failure != nil {
				return a.unreachable(c.Context(), at, opened.Failure)
			}
			return a.runProbe(c, p, values, opened, format)
		}}
	pdfFlag(c, &pdf)
	commitFlag(c, &commit)
	folderFlag(c, &folder)
	formatFlag(c, &format, "text", "json")
	c.Flags().StringArrayVar(&set, "arg", nil, "`NAME=VALUE` argument of the probe (repeatable)")
	ocrFlag(c)
	a.repoFlags(c)
	return c
}

// probeArgs reads the --arg flags by the types that the probe declares.
func probeArgs(p probe.Probe, set []string) (map[string]any, error) {
	values := map[string]any{}
	for _, x := range p.Args {
		if x.Default != nil {
			values[x.Name] = x.Default
		}
	}
	given := map[string][]string{}
	for _, kv := range set {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || !slices.ContainsFunc(p.Args, func(x probe.Arg) bool { return x.Name == name }) {
			return nil, usage("automaton probe explain "+p.ID+" lists them", "reading flags: --arg %q is not an argument of %s", kv, p.ID)
		}
		given[name] = append(given[name], value)
	}
	for _, x := range p.Args {
		texts := given[x.Name]
		if len(texts) == 0 {
			continue
		}
		if len(texts) > 1 && x.Type != "strings" {
			return nil, usage("", "reading flags: --arg %s is given twice", x.Name)
		}
		for _, v := range texts {
			if len(x.Allowed) > 0 && !slices.Contains(x.Allowed, v) {
				return nil, usage(meant(v, x.Allowed), "reading flags: --arg %s: unknown value %q (have %s)", x.Name, v, strings.Join(x.Allowed, ", "))
			}
		}
		v, err := typed(x.Type, texts)
		if err != nil {
			return nil, usage("", "reading flags: --arg %s: %w", x.Name, err)
		}
		values[x.Name] = v
	}
	return values, nil
}

// typed is a value of the kind that a probe reads.
func typed(kind string, texts []string) (any, error) {
	switch kind {
	case "int":
		n, err := strconv.Atoi(texts[0])
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number", texts[0])
		}
		return n, nil
	case "bool":
		on, err := strconv.ParseBool(texts[0])
		if err != nil {
			return nil, fmt.Errorf("%q is neither true nor false", texts[0])
		}
		return on, nil
	case "strings":
		return texts, nil
	}
	return texts[0], nil
}

func (a *app) runProbe(c *cobra.Command, p probe.Probe, values map[string]any, opened *trial.Opened, format string) error {
	check := court.Check{ID: p.ID, Weight: 1, Polarity: court.Want, Text: p.Title, Asks: []court.Ask{{Probe: p.ID, Args: values}}}
	found, faults := probe.Investigate(c.Context(), opened.Scene, []probe.Probe{p}, probe.Assignment{Detective: p.Target.Detective(), Jobs: a.jobs(),
		Criteria: []court.Criterion{{ID: "probe", Artifacts: []court.Artifact{p.Target}, Checks: []court.Check{check}}}})
	for _, f := range faults {
		a.warn("%s: %s", f.Subject, f.Reason)
	}
	if p.Target != court.GithubRepo {
		a.hintOCR(c.Context(), opened)
	}
	if format == "json" {
		return a.printJSON(found["probe"])
	}
	return a.through(func(w *lines) error {
		for _, e := range found["probe"] {
			if e.Outcome == court.NotApplicable {
				w.f("nothing to check")
			} else {
				w.f("%s", e.Outcome)
			}
			if e.Outcome == court.Partial {
				w.f(" %s", e.Share)
			}
			if e.Reason != "" {
				w.f(" (%s)", e.Reason)
			}
			w.f("  %s\n", shown(e.Rationale))
			for _, at := range e.At {
				w.f("  %s\n", shown(at.String()))
			}
		}
		return nil
	})
}
