package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) rubricShow() *cobra.Command {
	var all, brief bool
	var format string
	c := &cobra.Command{Use: "show [NAME|FILE]", Short: "Shows a rubric with its criteria and checks; without a name, lists the built-in rubrics", Args: atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listRubrics(format)
			}
			r, err := a.loadRubric(c.Context(), args[0])
			if err != nil {
				return err
			}
			if format == "json" {
				return a.printJSON(r)
			}
			return a.through(func(w *lines) error { return showRubric(w, r, all, brief) })
		}}
	c.Flags().BoolVar(&all, "all", false, "show texts and unknown keys, too")
	c.Flags().BoolVar(&brief, "brief", false, "show one line for each check, without explanation")
	formatFlag(c, &format, "text", "json")
	return c
}

// listed is a built-in rubric in the list.
type listed struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Title    string `json:"title"`
	Criteria int    `json:"criteria"`
	Digest   string `json:"digest"`
}

func (a *app) listRubrics(format string) error {
	var list []listed
	for _, name := range rubric.Builtins() {
		r, err := rubric.Builtin(name, trial.Catalogue(trial.Probes()))
		if err != nil {
			return coded(exitBug, err)
		}
		list = append(list, listed{name, r.Version, r.Name, len(r.Criteria), r.Digest})
	}
	if format == "json" {
		return a.printJSON(list)
	}
	return a.through(func(w *lines) error {
		for _, r := range list {
			w.f("%-12s %s  %s, %s\n", r.Name, r.Version, criteria(r.Criteria), r.Title)
		}
		return nil
	})
}

// criteria counts them; their plural is Greek.
func criteria(n int) string {
	if n == 1 {
		return "1 criterion"
	}
	return fmt.Sprintf("%d criteria", n)
}

func showRubric(w *lines, r *court.Rubric, all, brief bool) error {
	probes := map[string]probe.Probe{}
	for _, p := range trial.Probes() {
		probes[p.ID] = p
	}
	if !brief {
		w.f("%s\n", howToRead)
	}
	w.f("%s %s\n  rubric %s, checks %s, %s\n", shown(r.Name), shown(r.Version), r.Digest[:12], r.Checks[:12], count(len(r.Notes), "note"))
	for _, c := range r.Criteria {
		var artifacts []string
		for _, x := range c.Artifacts {
			artifacts = append(artifacts, string(x))
		}
		w.f("\n%s  %s\n  %s, weight %s%s, %s\n", shown(c.ID), shown(c.Name), shown(strings.Join(artifacts, "+")), c.Weight, scaled(c.Scale), shown(bound(c)))
		if all {
			for _, t := range []string{c.Instruction, c.Success, c.Failure} {
				if t != "" {
					w.f("  | %s\n", court.Clean(t, 2000))
				}
			}
		}
		for _, ch := range c.Checks {
			w.f("  %-28s %d %-8s %s\n", shown(ch.ID), ch.Weight, shown(string(ch.Facet)), shown(ch.Text))
			if !brief {
				explainCheck(w, ch, probes)
			}
		}
	}
	if err := showLaw(w, r.Synthesis); err != nil {
		return err
	}
	if all && len(r.Extra) > 0 {
		raw, err := json.Marshal(r.Extra)
		if err != nil {
			return fmt.Errorf("encoding unknown keys: %w", err)
		}
		w.f("\nunknown keys: %s\n", court.Clean(string(raw), 4000))
	}
	return nil
}

// bound says where the checks of a criterion come from.
func bound(c court.Criterion) string {
	from, id, named := strings.Cut(c.Binding, ":")
	checks := count(len(c.Checks), "check")
	switch {
	case c.ForPeople():
		return "a person marks it"
	case c.Binding == "own":
		return checks + " of its own"
	case c.Binding == "plan":
		return checks + " from its words"
	case from == "alias":
		return checks + " of courtroom:" + id + ", because of its name"
	case named:
		return checks + " of " + c.Binding
	}
	return checks
}

// scaled names a scale that is not 1 to 5.
func scaled(s court.Scale) string {
	if s.Kind == "" || s.Kind == "five" {
		return ""
	}
	return ", scale of " + shown(string(s.Kind))
}

// ownChecks says how many criteria have no checks of their own.
func ownChecks(l linted) string {
	if l.ByPlan == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d with checks from its words)", l.ByPlan)
}

func (a *app) rubricLint() *cobra.Command {
	var strict bool
	var format string
	c := &cobra.Command{Use: "lint FILE...", Short: "Checks rubric files and prints notes and findings",
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
			all := []linted{}
			total := 0
			for _, name := range args {
				l, err := a.lint(c.Context(), name)
				if err != nil {
					return err
				}
				total += len(l.Notes) + len(l.Findings)
				all = append(all, l)
			}
			if err := a.printLint(all, format); err != nil {
				return err
			}
			if strict && total > 0 {
				return &failure{code: exitFailed, said: true}
			}
			return nil
		}}
	c.Flags().BoolVar(&strict, "strict", false, "exit 1 if there is a note or a finding")
	formatFlag(c, &format, "text", "json")
	return c
}

// linted is what is to be said of one rubric file, in the order of the file.
type linted struct {
	File     string   `json:"file"`
	Dialect  string   `json:"dialect"`
	Criteria int      `json:"criteria"`
	ByPlan   int      `json:"by_plan"` // criteria without checks of their own
	Digest   string   `json:"digest"`
	Thin     []thin   `json:"thin"`
	Notes    []remark `json:"notes"`
	Findings []remark `json:"findings"`
}

// thin is a criterion that rests on little: one check, or none.
type thin struct {
	ID     string `json:"id"`
	Checks int    `json:"checks"`
}

// told is how a list of thin criteria is told in one line.
func told(list []thin) string {
	var out []string
	for _, t := range list {
		what := count(t.Checks, "check")
		if t.Checks == 0 {
			what = "no check"
		}
		out = append(out, t.ID+" ("+what+")")
	}
	return strings.Join(out, ", ")
}

// remark is a text with its place.
type remark struct {
	Code string `json:"code"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
	Text string `json:"text"`
}

func (a *app) lint(ctx context.Context, name string) (linted, error) {
	r, err := a.loadRubric(ctx, name)
	if f, ok := errors.AsType[*failure](err); ok {
		f.hints = nil // they lead here
	}
	if err != nil {
		return linted{}, err
	}
	l := linted{File: name, Dialect: r.Dialect, Criteria: len(r.Criteria), Digest: r.Digest, Thin: []thin{}, Notes: []remark{}, Findings: []remark{}}
	for _, n := range r.Notes {
		l.Notes = append(l.Notes, remark{n.Code, max(n.Pos.Line, 1), max(n.Pos.Col, 1), n.Text})
	}
	for _, f := range rubric.Lint(r, trial.Catalogue(trial.Probes())) {
		l.Findings = append(l.Findings, remark{f.Code, max(f.Pos.Line, 1), max(f.Pos.Col, 1), f.Text})
	}
	for _, c := range r.Criteria {
		if c.Generic() {
			l.ByPlan++
		}
		asked := len(slices.DeleteFunc(slices.Clone(c.Checks), rubric.Unasked))
		if asked <= 1 && !c.ForPeople() {
			l.Thin = append(l.Thin, thin{c.ID, asked})
		}
	}
	return l, nil
}

// united tells of the rules that a rubric does not name in one line.
func united(notes []remark) []remark {
	const code = "rule-defaulted"
	first := slices.IndexFunc(notes, func(n remark) bool { return n.Code == code })
	n := 0
	for _, x := range notes {
		if x.Code == code {
			n++
		}
	}
	if n < 2 {
		return notes
	}
	out := slices.DeleteFunc(slices.Clone(notes[first+1:]), func(x remark) bool { return x.Code == code })
	one := notes[first]
	one.Text = fmt.Sprintf("%d synthesis rules are not named and have their default values (automaton rubric show prints them)", n)
	return slices.Concat(notes[:first], []remark{one}, out)
}

func (a *app) printLint(all []linted, format string) error {
	if format == "json" {
		return a.printJSON(all)
	}
	return a.through(func(w *lines) error {
		for _, l := range all {
			for _, n := range united(l.Notes) {
				w.f("%s:%d:%d: note: %s\n", shown(l.File), n.Line, n.Col, shown(n.Text))
			}
			for _, f := range l.Findings {
				w.f("%s:%d:%d: finding: %s\n", shown(l.File), f.Line, f.Col, shown(f.Text))
			}
			if len(l.Thin) > 0 {
				w.f("%s: depends on one check or none: %s\n", shown(l.File), shown(told(l.Thin)))
			}
			w.f("%s: %s%s, digest %s; %s, %s\n", shown(l.File), criteria(l.Criteria), ownChecks(l), l.Digest[:12],
				count(len(l.Notes), "note"), count(len(l.Findings), "finding"))
		}
		return nil
	})
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
			known, done := a.catalogue(c.Context())
			defer done()
			r, err := file.Load(known)
			if err != nil {
				return coded(exitUsage, err)
			}
			raw, err := rubric.Convert(r, file.Bytes, rubric.ConvertOptions{WithChecks: checks})
			if err != nil {
				return coded(exitBug, err)
			}
			if err := a.vacant(out, force); err != nil {
				return err
			}
			return a.emitTo(out, raw)
		}}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` file to write")
	c.Flags().BoolVar(&force, "force", false, "overwrite the file if it exists")
	c.Flags().BoolVar(&checks, "with-checks", false, "write the checks of each criterion, too")
	return c
}
