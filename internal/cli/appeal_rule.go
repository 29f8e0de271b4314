package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
)

// ruleFlags are the flags of appeal rule.
type ruleFlags struct {
	id, criterion, score, accept, dismiss, appeal, reason, by string
	reject                                                    bool
}

func (a *app) appealRule() *cobra.Command {
	var o ruleFlags
	c := &cobra.Command{
		Use: "rule COHORT", Short: "Decides on a criterion of a case: a score, an appeal accepted or rejected, a flaw dismissed",
		Long: "The decision is kept beside the record, with name, time and reason, and the scores of the class follow it at once. The record stays as it is. " +
			"A score does not lift the cap of a confirmed security flaw; to lift it, dismiss the flaw.",
		Example: "  automaton appeal rule week2 --case ada -c report_accuracy --score 4 --reason 'The two files were renamed; shown in the oral exam.' --by a.tutor\n" +
			"  automaton appeal rule week2 --case ada -c report_accuracy --accept appeal-heard --appeal appeal.json --reason 'The file is there.' --by a.tutor",
		Args: one("COHORT"),
		RunE: func(c *cobra.Command, args []string) error { return a.decideOn(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.id, "case", "", "`ID` submission in the cohort")
	f.StringVarP(&o.criterion, "criterion", "c", "", "`ID` criterion to decide on: its id, its name, or a part of them")
	f.StringVar(&o.score, "score", "", "`N` score from 1 to 5, with up to two decimals")
	f.StringVar(&o.accept, "accept", "", "`RECORD` accept the appeal: the score of the criterion in the record that appeal hear kept")
	f.BoolVar(&o.reject, "reject", false, "reject the appeal: what stands is right")
	f.StringVar(&o.dismiss, "dismiss", "", "`LABEL` evidence of a security flaw that is not one")
	f.StringVar(&o.appeal, "appeal", "", "`FILE` appeal that is decided, to be kept with the decision")
	f.StringVar(&o.reason, "reason", "", fmt.Sprintf("`TEXT` reason, of at least %d characters", decision.LeastReason))
	f.StringVar(&o.by, "by", "", "`NAME` name of the one who decides")
	c.MarkFlagsMutuallyExclusive("score", "accept", "reject", "dismiss")
	c.MarkFlagsOneRequired("score", "accept", "reject", "dismiss")
	return c
}

// decideOn writes a decision on a case of a cohort, which may be judged meanwhile.
func (a *app) decideOn(c *cobra.Command, name string, o ruleFlags) (err error) {
	if err := a.settle(c, "", false); err != nil {
		return err
	}
	h, err := a.earlier(name)
	if err != nil {
		return err
	}
	if h == nil {
		return usage("automaton batch CASES makes one", "deciding: %q is not the folder of a cohort", name)
	}
	d, err := a.openDocket(c.Context(), h, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	row, err := a.rowNamed(c.Context(), d, h, o.id)
	if err != nil {
		return err
	}
	machine, before, err := h.cohort.Standing(c.Context(), d, row)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	entries, err := a.ruled(machine, before, row.ID, o)
	if err != nil {
		return err
	}
	kept, err := h.cohort.Decide(c.Context(), d, h.path, map[string]int64{row.ID: row.Seq}, entries...)
	switch {
	case errors.Is(err, docket.ErrConflict):
		return coded(exitUnexamined, err, "automaton report "+name+" -f decisions shows what was decided")
	case err != nil && kept != nil:
		a.warn("%v", err)
	case err != nil:
		return coded(exitUsage, err)
	}
	return a.tellDecided(c.Context(), d, h, kept)
}

// rowNamed is the row of a submission by its id or its folder.
func (a *app) rowNamed(ctx context.Context, d *docket.Docket, h *class, id string) (docket.Row, error) {
	rows, err := d.Rows(ctx, h.cohort.ID)
	if err != nil {
		return docket.Row{}, coded(exitUnexamined, err)
	}
	for _, same := range []func(docket.Row) bool{func(r docket.Row) bool { return r.ID == id }, func(r docket.Row) bool { return r.Folder == id }} {
		if i := slices.IndexFunc(rows, same); i >= 0 && rows[i].Record != "" {
			return rows[i], nil
		} else if i >= 0 {
			return docket.Row{}, coded(exitUsage, fmt.Errorf("deciding: %s was not judged yet", shown(id)))
		}
	}
	return docket.Row{}, usage("--case ID names a submission of the roster", "deciding: the cohort has no submission %q", id)
}

// ruled are the decisions that the flags ask for: the appeal that is decided, and what becomes of it.
func (a *app) ruled(machine, before *court.Record, id string, o ruleFlags) (list []decision.Entry, err error) {
	e := decision.Entry{By: o.by, Submission: id, Reason: o.reason}
	if o.criterion == "" {
		return nil, usage("-c ID", "reading flags: a ruling is about one criterion")
	}
	if e.Criterion, err = criterionNamed(machine.Rubric.Asked(machine.Case.Only), o.criterion); err != nil {
		return nil, err
	}
	if o.appeal != "" {
		f, err := a.filed(o.appeal)
		if err != nil {
			return nil, err
		}
		if f.Criterion != e.Criterion || f.Record != machine.Digest && f.Record != before.Digest {
			return nil, usage("leave --appeal out, or name the one that is about this", "deciding: the appeal %q is about another record or criterion", o.appeal)
		}
		list = append(list, f.Entry(id))
	}
	switch {
	case o.reject:
		e.Kind = decision.Accept
		if len([]rune(o.reason)) < decision.LeastReason {
			return nil, usage("--reason TEXT", "deciding: an appeal is rejected for a reason of at least %d characters", decision.LeastReason)
		}
	case o.dismiss != "":
		x, err := report.FindEvidence(machine, o.dismiss)
		if err != nil {
			return nil, coded(exitUsage, err)
		}
		if x.Security == nil || x.Criterion != e.Criterion {
			return nil, usage("automaton explain shows the evidence of a criterion", "deciding: %s is not a security flaw of %s", shown(o.dismiss), e.Criterion)
		}
		e.Kind, e.Evidence = decision.Dismiss, []string{x.ID}
	case o.accept != "":
		e.To, err = a.heardScore([]string{machine.Digest, before.Digest}, e.Criterion, o.accept)
		e.Kind = decision.Score
	default:
		to, wrong := court.ParseFixed(o.score)
		e.Kind, e.To, err = decision.Score, &to, nil
		if wrong != nil || to != to.Cut() {
			return nil, usage("--score 4, or --score 3.75", "reading flags: --score %q is not a score", o.score)
		}
		if slices.ContainsFunc(machine.Rubric.Criteria, func(k court.Criterion) bool { return k.ID == e.Criterion && k.ForPeople() }) {
			e.Kind = decision.Answer
		}
	}
	return append(list, e), err
}

// heardScore is what the court gives a criterion in the record that an appeal hearing kept of one of the records.
func (a *app) heardScore(of []string, criterion, name string) (*court.Fixed, error) {
	rec, _, err := a.named(name)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(of, rec.Parent) || rec.Hypothetical || !rec.Intact() || rec.Verdict == nil {
		return nil, usage("automaton appeal hear APPEAL writes one", "deciding: %q is not a hearing of an appeal against this record", name)
	}
	for _, r := range rec.Verdict.Rulings {
		if r.Criterion == criterion && r.Final != nil {
			return &r.Exact, nil
		}
	}
	return nil, usage("--score N gives one", "deciding: the criterion has no score in %q", name)
}

// tellDecided says what was written, and what stands now.
func (a *app) tellDecided(ctx context.Context, d *docket.Docket, h *class, kept []decision.Entry) error {
	last := kept[len(kept)-1]
	row, err := a.rowNamed(ctx, d, h, last.Submission)
	if err != nil {
		return err
	}
	_, stands, err := h.cohort.Standing(ctx, d, row)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	score := func(f *court.Fixed) string {
		if f == nil {
			return court.NoScore
		}
		return f.Shown()
	}
	return a.through(func(w *lines) error {
		w.f("decision %d  %s by %s on %s, %s\n", last.Seq, last.Kind, shown(last.By), shown(last.Submission), shown(last.Criterion))
		w.f("  criterion  %s, was %s\n", score(stands.Counts(last.Criterion)), score(last.From))
		w.f("  total      %s\n", score(row.Overall))
		if s := stands.Counts(last.Criterion); s != nil && last.To != nil && *s < *last.To {
			w.f("  A confirmed security flaw caps the criterion; --dismiss LABEL takes the flaw out.\n")
		}
		return nil
	})
}
