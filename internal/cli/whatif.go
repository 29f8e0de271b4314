package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// whatifFlags are what a thought experiment alters.
type whatifFlags struct {
	fix, drop, set, off []string
	rubric, save, bench string
}

func (a *app) whatifCommand() *cobra.Command {
	var format string
	var o whatifFlags
	c := &cobra.Command{
		Use: "whatif [RECORD]", Short: "Shows the verdict that the same court would give if something were different",
		Long:    recordWords,
		Example: "  automaton whatif --fix 1 --fix 2\n  automaton whatif --fix tool.no_shell\n  automaton whatif --set security_override.cap=2\n  automaton whatif --drop E4 -f json",
		Args:    atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			rec, err := a.record(c, args)
			if err != nil {
				return err
			}
			return a.whatif(c, rec, o, format)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&o.fix, "fix", nil, "`CHECK` check to repair, or its number in the remediation list (repeatable)")
	f.StringArrayVar(&o.drop, "drop", nil, "`LABEL` evidence to leave out (repeatable)")
	f.StringArrayVar(&o.set, "set", nil, "`RULE.KEY=VALUE` value of a rule to change (repeatable)")
	f.StringArrayVar(&o.off, "off", nil, "`RULE` rule to leave out (repeatable)")
	f.StringVarP(&o.rubric, "rubric", "r", "", "`RUBRIC` other rubric for the same evidence: a built-in name, a file, or - for standard input")
	f.Var(choice{&o.bench, []string{embeddedBench}, "bench %q for --bench"}, "bench", "`BENCH` other judges for the same evidence: embedded, without models")
	f.StringVar(&o.save, "save", "", "`DIR` folder to keep the result in, marked as hypothetical")
	formatFlag(c, &format, "text", "md", "json", "html")
	outFlag(c)
	return c
}

func (a *app) whatif(c *cobra.Command, rec *court.Record, o whatifFlags, format string) error {
	if len(o.fix)+len(o.drop)+len(o.set)+len(o.off) == 0 && o.rubric == "" && o.bench == "" {
		return usage("automaton whatif --fix 1 repairs the first item of the remediation list", "reading flags: no change is given")
	}
	then, found, err := a.suppose(c.Context(), rec, o)
	if err != nil {
		return err
	}
	if o.save != "" {
		if err := a.keep(then, o.save); err != nil {
			return err
		}
	}
	return a.printComparison(found, format)
}

// suppose is the record as it would stand, and what comes of it.
func (a *app) suppose(ctx context.Context, rec *court.Record, o whatifFlags) (then *court.Record, found report.Comparison, err error) {
	change, asked, err := a.alteration(ctx, rec, o)
	if err != nil {
		return nil, found, err
	}
	if then, err = trial.WhatIf(ctx, rec, change); err != nil {
		code := exitBug
		if errors.Is(err, trial.ErrNoVerdict) {
			code = exitUsage
		}
		return nil, found, coded(code, err)
	}
	found = report.Compare(rec, then)
	found.Suppose(asked, o.rules(), rec, then)
	return then, found, nil
}

// rules are the blocks of the rubric that the settings change.
func (o whatifFlags) rules() (list []string) {
	for _, s := range o.set {
		rule, _, _ := strings.Cut(s, ".")
		list = append(list, rule)
	}
	return append(list, o.off...)
}

// repaired says in sentences what --fix supposes, whose checks were found.
func repaired(rec *court.Record, name string, fixes []trial.Fix) (list []string) {
	if n, err := strconv.Atoi(name); err == nil {
		return []string{fmt.Sprintf("Fix %d is done: “%s.”", n, strings.TrimSuffix(rec.Remedies[n-1].Text, "."))}
	}
	for _, f := range fixes {
		title, criterion := titles(rec, f)
		list = append(list, fmt.Sprintf("Met: “%s.” (%s).", strings.TrimSuffix(title, "."), criterion))
	}
	return list
}

// supposed says in sentences what else is to be otherwise than the evidence.
func (o whatifFlags) supposed() (list []string) {
	for _, s := range o.set {
		list = append(list, fmt.Sprintf("The rubric has %s.", s))
	}
	for _, rule := range o.off {
		list = append(list, fmt.Sprintf("The rule %s is off.", rule))
	}
	if o.rubric != "" {
		list = append(list, fmt.Sprintf("The rubric is %s.", o.rubric))
	}
	if o.bench != "" {
		list = append(list, "The built-in judges judge alone.")
	}
	return list
}

// titles are what a check states and what its criterion is called.
func titles(rec *court.Record, f trial.Fix) (check, criterion string) {
	for _, c := range rec.Rubric.Criteria {
		for _, k := range c.Checks {
			if c.ID == f.Criterion && k.ID == f.Check {
				return cmp.Or(k.Text, k.ID), cmp.Or(c.Name, c.ID)
			}
		}
	}
	return f.Check, f.Criterion
}

// alteration reads what is to be otherwise, and says it in sentences.
func (a *app) alteration(ctx context.Context, rec *court.Record, o whatifFlags) (change trial.Change, said []string, err error) {
	change.Embedded = o.bench == embeddedBench
	for _, name := range o.fix {
		fixes, err := fixesOf(rec, name)
		if err != nil {
			return change, nil, err
		}
		change.Fixes = append(change.Fixes, fixes...)
		said = append(said, repaired(rec, name, fixes)...)
	}
	for _, name := range o.drop {
		x, err := report.FindEvidence(rec, name)
		if err != nil {
			return change, nil, coded(exitUsage, err)
		}
		change.Drop = append(change.Drop, x.ID)
		said = append(said, fmt.Sprintf("%s was never found.", cmp.Or(x.Label, x.ID)))
	}
	said = append(said, o.supposed()...)
	r := rec.Rubric
	if o.rubric != "" {
		other, err := a.loadRubric(ctx, o.rubric)
		if err != nil {
			return change, nil, err
		}
		r = *other
	}
	settings := slices.Clone(o.set)
	for _, rule := range o.off {
		settings = append(settings, rule+".on=false")
	}
	for _, s := range settings {
		law, err := rubric.Amend(r.Synthesis, s)
		if err != nil {
			return change, nil, coded(exitUsage, err, "automaton rubric show "+cmp.Or(o.rubric, r.Source.Name)+" prints the rules and their values")
		}
		r.Synthesis = law
	}
	if o.rubric == "" && len(settings) == 0 {
		return change, said, nil
	}
	if r.Digest, r.Checks, err = rubric.Digests(&r, trial.Catalogue(trial.Probes())); err != nil {
		return change, nil, coded(exitBug, fmt.Errorf("computing the digest of the changed rubric: %w", err))
	}
	change.Rubric = &r
	return change, said, nil
}

// fixesOf reads a check, which several criteria may have, or a number of the
// remediation list.
func fixesOf(rec *court.Record, name string) ([]trial.Fix, error) {
	if n, err := strconv.Atoi(name); err == nil {
		if n < 1 || n > len(rec.Remedies) {
			return nil, usage("automaton explain shows the list of the same record", "reading flags: --fix %d: the remediation list has %s", n, count(len(rec.Remedies), "line"))
		}
		return trial.FixesOf(rec.Remedies[n-1]), nil
	}
	var fixes []trial.Fix
	var known []string
	for _, c := range rec.Rubric.Heard(rec.Case.Only) {
		for _, check := range c.Checks {
			known = append(known, check.ID)
			if check.ID == name || c.ID+"."+check.ID == name {
				fixes = append(fixes, trial.Fix{Criterion: c.ID, Check: check.ID})
			}
		}
	}
	if len(fixes) == 0 {
		return nil, usage(meant(name, known), "reading flags: --fix %q is not a check of this case", name)
	}
	fixes = slices.DeleteFunc(fixes, func(f trial.Fix) bool { return rec.Empty(f.Criterion, f.Check) })
	if len(fixes) == 0 {
		return nil, usage("automaton explain shows which checks of the record apply", "reading flags: --fix %s: there is nothing to check, so there is nothing to repair", name)
	}
	return fixes, nil
}

// keep writes a hypothetical record into a folder of its own.
func (a *app) keep(rec *court.Record, dir string) error {
	dir = a.path(dir)
	if inGitDir(dir) {
		return usage("name a folder elsewhere", "reading flags: --save %q lies in the git folder of a repository", dir)
	}
	for _, name := range []string{"json", "md", "html"} {
		f, _ := report.FormatNamed(name) // known ones
		raw, err := render(f, rec)
		if err != nil {
			return coded(exitBug, err)
		}
		if err := store.WriteFile(filepath.Join(dir, caseFiles[name]), raw); err != nil {
			return coded(exitUnexamined, err)
		}
	}
	return nil
}
