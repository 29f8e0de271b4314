package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) probeCommand() *cobra.Command {
	c := &cobra.Command{Use: "probe", Short: "The catalogue of checks, and one check alone",
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

func (a *app) probeList() *cobra.Command {
	var target, format string
	c := &cobra.Command{Use: "list", Short: "Lists the probes", Args: none,
		RunE: func(_ *cobra.Command, _ []string) error {
			var list []probe.Probe
			for _, p := range trial.Probes() {
				if target == "" || string(p.Target) == target {
					list = append(list, p)
				}
			}
			if a.flags.json || format == "json" {
				type row struct {
					ID, Version, Target, Title string
				}
				rows := []row{}
				for _, p := range list {
					rows = append(rows, row{p.ID, p.Version, string(p.Target), p.Title})
				}
				return a.printJSON(rows)
			}
			return a.through(func(w io.Writer) error {
				for _, p := range list {
					fmt.Fprintf(w, "%-22s %-12s %s\n", p.ID, p.Target, p.Title)
				}
				return nil
			})
		}}
	c.Flags().StringVar(&target, "target", "", "only probes of one `ARTIFACT`")
	c.Flags().StringVarP(&format, "format", "f", "text", "text or json")
	return c
}

func none(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("", "reading arguments: %q is one too many", args[0])
	}
	return nil
}

// probeNamed finds a probe, or suggests one.
func probeNamed(id string) (probe.Probe, error) {
	hint := "automaton probe list shows them"
	for _, p := range trial.Probes() {
		if p.ID == id {
			return p, nil
		}
		if config.Distance(p.ID, id) <= 2 {
			hint = "did you mean " + p.ID
		}
	}
	return probe.Probe{}, usage(hint, "reading arguments: unknown probe %q", id)
}

func (a *app) probeExplain() *cobra.Command {
	return &cobra.Command{Use: "explain ID", Short: "What a probe asks, how it looks and what it cannot see", Args: one("ID"),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := probeNamed(args[0])
			if err != nil {
				return err
			}
			return a.through(func(w io.Writer) error { return explainProbe(w, p) })
		}}
}

func explainProbe(w io.Writer, p probe.Probe) error {
	fmt.Fprintf(w, "%s  version %s, looks at %s\n\n%s.\n\n%s\n", p.ID, p.Version, p.Target, strings.TrimSuffix(p.Title, "."), wrapped(p.Doc, 78))
	for _, x := range p.Args {
		fmt.Fprintf(w, "\n  %s (%s", x.Name, x.Type)
		if len(x.Allowed) > 0 {
			fmt.Fprintf(w, ": %s", strings.Join(x.Allowed, ", "))
		}
		fmt.Fprintf(w, ")  %s", x.Doc)
	}
	if len(p.Args) > 0 {
		fmt.Fprint(w, "\n")
	}
	if p.Remedy != "" {
		fmt.Fprintf(w, "\nRemedy: %s (about %d min).\n", strings.TrimSuffix(p.Remedy, "."), p.Effort)
	}
	if p.Recall > 0 {
		fmt.Fprintf(w, "Recall: %s.\n", p.Recall)
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
	var pdf, commit string
	var set []string
	c := &cobra.Command{Use: "run ID REPO", Short: "The evidence that one probe gives on a repository",
		Example: "  automaton probe run proc.shell .\n  automaton probe run graph.parallel . --arg role=judges",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("automaton probe run ID REPO", "reading arguments: want a probe and a repository, found %s", count(len(args), "argument"))
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
			at, err := a.aimAt(args[1], commit)
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
			opened, done, err := a.secure(c.Context(), at, doc)
			if err != nil {
				return err
			}
			defer done()
			if opened.Failure != nil {
				return a.unreachable(at, opened.Failure)
			}
			return a.runProbe(c, p, values, opened)
		}}
	c.Flags().StringVar(&pdf, "pdf", "auto", "the submission's document: `FILE`, tree:PATH, auto or none")
	c.Flags().StringVar(&commit, "commit", "", "branch, tag or commit `REV`; default HEAD")
	c.Flags().StringArrayVar(&set, "arg", nil, "an argument of the probe, `NAME=VALUE` (repeatable)")
	a.repoFlags(c)
	return c
}

func probeArgs(p probe.Probe, set []string) (map[string]any, error) {
	values := map[string]any{}
	for _, x := range p.Args {
		if x.Default != nil {
			values[x.Name] = x.Default
		}
	}
	for _, kv := range set {
		name, value, ok := strings.Cut(kv, "=")
		known := false
		for _, x := range p.Args {
			known = known || x.Name == name
		}
		if !ok || !known {
			return nil, usage("automaton probe explain "+p.ID+" lists them", "reading flags: --arg %q is no argument of %s", kv, p.ID)
		}
		values[name] = value
	}
	return values, nil
}

func (a *app) runProbe(c *cobra.Command, p probe.Probe, values map[string]any, opened *trial.Opened) error {
	check := court.Check{ID: p.ID, Weight: 1, Polarity: court.Want, Text: p.Title, Asks: []court.Ask{{Probe: p.ID, Args: values}}}
	found, faults := probe.Investigate(c.Context(), opened.Scene, []probe.Probe{p}, probe.Brief{Detective: p.Target.Detective(), Jobs: a.jobs(),
		Criteria: []court.Criterion{{ID: "probe", Artifacts: []court.Artifact{p.Target}, Checks: []court.Check{check}}}})
	for _, f := range faults {
		a.warn("%s: %s", f.Subject, f.Reason)
	}
	if a.flags.json {
		return a.printJSON(found["probe"])
	}
	return a.through(func(w io.Writer) error {
		for _, e := range found["probe"] {
			fmt.Fprintf(w, "%s", e.Outcome)
			if e.Outcome == court.Partial {
				fmt.Fprintf(w, " %s", e.Share)
			}
			if e.Reason != "" {
				fmt.Fprintf(w, " (%s)", e.Reason)
			}
			fmt.Fprintf(w, "  %s\n", shown(e.Rationale))
			for _, at := range e.At {
				fmt.Fprintf(w, "  %s\n", shown(at.String()))
			}
		}
		return nil
	})
}
