package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) rubricShow() *cobra.Command {
	var all bool
	var format string
	c := &cobra.Command{Use: "show [NAME|FILE]", Short: "A rubric with its criteria and checks; without a name, the built-ins", Args: atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			if len(args) == 0 {
				return a.through(func(w io.Writer) error {
					for _, name := range rubric.Available(trial.Catalogue(trial.Probes())) {
						r, err := rubric.Builtin(name, trial.Catalogue(trial.Probes()))
						if err != nil {
							return coded(exitBug, err)
						}
						fmt.Fprintf(w, "%-12s %s  %s, %s\n", name, r.Version, count(len(r.Criteria), "criterion"), r.Name)
					}
					return nil
				})
			}
			r, err := a.loadRubric(args[0])
			if err != nil {
				return err
			}
			if a.flags.json || format == "json" {
				return a.printJSON(r)
			}
			return a.through(func(w io.Writer) error { return showRubric(w, r, all) })
		}}
	c.Flags().BoolVar(&all, "all", false, "texts and unknown keys, too")
	c.Flags().StringVarP(&format, "format", "f", "text", "text or json")
	return c
}

func showRubric(w io.Writer, r *court.Rubric, all bool) error {
	fmt.Fprintf(w, "%s %s\n  dialect %s, rubric %s, checks %s, %s\n", shown(r.Name), shown(r.Version), r.Dialect, r.Digest[:12], r.Checks[:12], count(len(r.Notes), "note"))
	for _, c := range r.Criteria {
		var artifacts []string
		for _, x := range c.Artifacts {
			artifacts = append(artifacts, string(x))
		}
		fmt.Fprintf(w, "\n%s  %s\n  %s, weight %s, scale %s, bound %s\n", shown(c.ID), shown(c.Name), strings.Join(artifacts, "+"), c.Weight, c.Scale.Kind, shown(c.Binding))
		if all {
			for _, t := range []string{c.Instruction, c.Success, c.Failure} {
				if t != "" {
					fmt.Fprintf(w, "  | %s\n", court.Clean(t, 2000))
				}
			}
		}
		for _, ch := range c.Checks {
			fmt.Fprintf(w, "  %-28s %d %-8s %s\n", ch.ID, ch.Weight, ch.Facet, shown(ch.Text))
		}
	}
	if all && len(r.Extra) > 0 {
		raw, err := json.Marshal(r.Extra)
		if err != nil {
			return fmt.Errorf("encoding unknown keys: %w", err)
		}
		fmt.Fprintf(w, "\nunknown keys: %s\n", court.Clean(string(raw), 4000))
	}
	return nil
}

func (a *app) rubricLint() *cobra.Command {
	var strict bool
	c := &cobra.Command{Use: "lint FILE...", Short: "Loads rubric files and prints notes and findings",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(c.CommandPath()+" --help shows how", "reading arguments: FILE is missing")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			total := 0
			for _, name := range args {
				n, err := a.lint(name)
				if err != nil {
					return err
				}
				total += n
			}
			if strict && total > 0 {
				return &failure{code: exitFailed, said: true}
			}
			return nil
		}}
	c.Flags().BoolVar(&strict, "strict", false, "exit 1 when there is anything to say")
	return c
}

// lint prints what is to be said of one file, in the order of the file.
func (a *app) lint(name string) (int, error) {
	r, err := a.loadRubric(name)
	if err != nil {
		return 0, err
	}
	findings := rubric.Lint(r, trial.Catalogue(trial.Probes()))
	err = a.through(func(w io.Writer) error {
		for _, n := range r.Notes {
			fmt.Fprintf(w, "%s:%d:%d: note: %s\n", name, max(n.Pos.Line, 1), max(n.Pos.Col, 1), shown(n.Text))
		}
		for _, f := range findings {
			fmt.Fprintf(w, "%s:%d:%d: finding: %s\n", name, max(f.Pos.Line, 1), max(f.Pos.Col, 1), shown(f.Text))
		}
		plan := 0
		for _, c := range r.Criteria {
			if c.Generic() {
				plan++
			}
		}
		fmt.Fprintf(w, "%s: %d criteria, dialect %s, %d by plan, digest %s; %s, %s\n", name, len(r.Criteria), r.Dialect, plan, r.Digest[:12],
			count(len(r.Notes), "note"), count(len(findings), "finding"))
		return nil
	})
	return len(r.Notes) + len(findings), err
}

func (a *app) rubricConvert() *cobra.Command {
	var out string
	var force, checks bool
	c := &cobra.Command{Use: "convert FILE", Short: "Writes a rubric in its native form", Args: one("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			file, err := a.rubricFile(args[0])
			if err != nil {
				return err
			}
			r, err := file.Load(trial.Catalogue(trial.Probes()))
			if err != nil {
				return coded(exitUsage, err)
			}
			raw, err := rubric.Convert(r, file.Bytes, rubric.ConvertOptions{WithChecks: checks})
			if err != nil {
				return coded(exitBug, err)
			}
			if out == "" || out == "-" {
				return a.print(raw)
			}
			if _, err := os.Lstat(a.path(out)); err == nil && !force {
				return usage("--force overwrites it", "writing %s: it exists already", out)
			}
			if err := os.MkdirAll(filepath.Dir(a.path(out)), 0o755); err != nil {
				return coded(exitUsage, err)
			}
			if err := store.WriteFile(a.path(out), raw); err != nil {
				return coded(exitUsage, err)
			}
			return nil
		}}
	c.Flags().StringVarP(&out, "output", "o", "", "write to `FILE`")
	c.Flags().BoolVar(&force, "force", false, "overwrite the file")
	c.Flags().BoolVar(&checks, "with-checks", false, "write the compiled checks, too")
	return c
}
