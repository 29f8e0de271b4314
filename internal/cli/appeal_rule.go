package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
)

// ruleFlags are the flags of appeal rule.
type ruleFlags struct {
	id, criterion, score, accept, dismiss, reason, by string
	appeals                                           []string
	reject                                            bool
}

func (a *app) appealRule() *cobra.Command {
	var o ruleFlags
	c := &cobra.Command{
		Use: "rule COHORT", Short: "Decides on a criterion of a case: a score, an appeal accepted or rejected, a flaw dismissed",
		Long: "The decision is kept beside the record, with name, time and reason, and the scores of the class follow it at once. The record stays as it is. " +
			"A score does not lift the cap of a confirmed security flaw; to lift it, dismiss the flaw.\n\n" +
			"A decision answers the appeals that --appeal names, and no others. --accept and --reject answer the one that waits on the criterion, if there is one and no more.",
		Example: "  automaton appeal rule week2 --case ada -c report_accuracy --score 4 --reason 'The two files were renamed; shown in the oral exam.' --by a.tutor\n" +
			"  automaton appeal rule week2 --case ada -c report_accuracy --accept appeal-heard --appeal appeal.json --reason 'The file is there.' --by a.tutor",
		Args: one("COHORT"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.deciding(c, args[0], func(ctx context.Context, d *docket.Docket, h *class) error { return a.decideOn(ctx, d, h, o) })
		},
	}
	f := c.Flags()
	f.StringVar(&o.id, "case", "", "`ID` submission in the cohort")
	f.StringVarP(&o.criterion, "criterion", "c", "", "`ID` criterion to decide on: its id, its name, or a part of them")
	f.StringVar(&o.score, "score", "", "`N` score from 1 to 5, with up to two decimals")
	f.StringVar(&o.accept, "accept", "", "`RECORD` accept the appeal: the score of the criterion in the record that appeal hear kept")
	f.BoolVar(&o.reject, "reject", false, "reject the appeal: what stands is right")
	f.StringVar(&o.dismiss, "dismiss", "", "`LABEL` evidence of a security flaw that is not one")
	f.StringArrayVar(&o.appeals, "appeal", nil, "`FILE|NUMBER` appeal that is answered: its file, to be kept with the decision, or its number in the log (repeatable)")
	f.StringVar(&o.reason, "reason", "", fmt.Sprintf("`TEXT` reason, of at least %d characters", decision.LeastReason))
	f.StringVar(&o.by, "by", "", "`NAME` name of the one who decides")
	c.MarkFlagsMutuallyExclusive("score", "accept", "reject", "dismiss")
	c.MarkFlagsOneRequired("score", "accept", "reject", "dismiss")
	return c
}

// decideOn writes a decision on a case of a cohort.
func (a *app) decideOn(ctx context.Context, d *docket.Docket, h *class, o ruleFlags) error {
	row, err := a.rowNamed(ctx, d, h, o.id)
	if err != nil {
		return err
	}
	machine, before, err := h.cohort.Standing(ctx, d, row)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	e, err := a.ruled(machine, before, row.ID, o)
	if err != nil {
		return err
	}
	list, err := d.Decisions(ctx, h.cohort.ID, row.ID)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	filed, err := a.answering(&e, []string{machine.Digest, before.Digest}, decision.Appeals(list), o)
	if err != nil {
		return err
	}
	kept, err := a.decide(ctx, d, h, map[string]int64{row.ID: row.Seq}, append(filed, e)...)
	if err != nil {
		return err
	}
	return a.tellDecided(ctx, d, h, kept)
}

// rowNamed is the row of a submission by its id or its folder.
func (a *app) rowNamed(ctx context.Context, d *docket.Docket, h *class, id string) (docket.Row, error) {
	rows, err := d.Rows(ctx, h.cohort.ID)
	if err != nil {
		return docket.Row{}, coded(exitUnexamined, err)
	}
	return rowIn(rows, id)
}

// rowIn is rowNamed, of the cohort's rows.
func rowIn(rows []docket.Row, id string) (docket.Row, error) {
	for _, same := range []func(docket.Row) bool{func(r docket.Row) bool { return r.ID == id }, func(r docket.Row) bool { return r.Folder == id }} {
		if i := slices.IndexFunc(rows, same); i >= 0 && rows[i].Record != "" {
			return rows[i], nil
		} else if i >= 0 {
			return docket.Row{}, coded(exitUsage, fmt.Errorf("deciding: %s was not judged yet", shown(id)))
		}
	}
	return docket.Row{}, usage("--case ID names a submission of the roster", "deciding: the cohort has no submission %q", id)
}

// answering gives a decision the appeals that it answers. Those that the cohort does not have yet are filed before it.
func (a *app) answering(e *decision.Entry, of []string, open []decision.Entry, o ruleFlags) (filed []decision.Entry, err error) {
	open = slices.DeleteFunc(open, func(x decision.Entry) bool { return x.Criterion != e.Criterion })
	for _, name := range o.appeals {
		if n, err := strconv.ParseInt(name, 10, 64); err == nil && !isFile(a.path(name)) {
			e.Answers = append(e.Answers, n)
			continue
		}
		f, err := a.filed(name)
		if err != nil {
			return nil, err
		}
		if f.Criterion != e.Criterion || !slices.Contains(of, f.Record) {
			return nil, usage("leave --appeal out, or name the one that is about this", "deciding: the appeal %q is about another record or criterion", name)
		}
		same := func(x decision.Entry) bool {
			return x.By == f.By && x.Reason == f.Reason && slices.Equal(x.Points, f.Points)
		}
		if i := slices.IndexFunc(open, same); i >= 0 {
			e.Answers = append(e.Answers, open[i].Seq)
			continue
		}
		filed = append(filed, f.Entry(e.Submission))
	}
	for i := range filed {
		e.Answers = append(e.Answers, int64(-1-i))
	}
	if len(o.appeals) > 0 || o.accept == "" && !o.reject {
		return filed, nil
	}
	if len(open) > 1 {
		return nil, usage("--appeal NUMBER says which: "+numbers(seqs(open)), "deciding: %d appeals wait on %s", len(open), e.Criterion)
	}
	for _, x := range open {
		e.Answers = append(e.Answers, x.Seq)
	}
	return nil, nil
}

// seqs are the numbers of decisions in the log.
func seqs(list []decision.Entry) []int64 {
	out := make([]int64, len(list))
	for i, e := range list {
		out[i] = e.Seq
	}
	return out
}

// numbers are numbers with commas between.
func numbers(list []int64) string {
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(list), "[]")), ", ")
}

// ruled is the decision that the flags ask for.
func (a *app) ruled(machine, before *court.Record, id string, o ruleFlags) (e decision.Entry, err error) {
	e = decision.Entry{By: o.by, Submission: id, Reason: o.reason}
	if o.criterion == "" {
		return e, usage("-c ID", "reading flags: a ruling is about one criterion")
	}
	if e.Criterion, err = criterionNamed(machine.Rubric.Asked(machine.Case.Only), o.criterion); err != nil {
		return e, err
	}
	switch {
	case o.reject:
		e.Kind = decision.Accept
		if len([]rune(o.reason)) < decision.LeastReason {
			return e, usage("--reason TEXT", "deciding: an appeal is rejected for a reason of at least %d characters", decision.LeastReason)
		}
	case o.dismiss != "":
		x, err := report.FindEvidence(machine, o.dismiss)
		if err != nil {
			return e, coded(exitUsage, err)
		}
		if x.Security == nil || x.Criterion != e.Criterion {
			return e, usage("automaton explain shows the evidence of a criterion", "deciding: %s is not a security flaw of %s", shown(o.dismiss), e.Criterion)
		}
		e.Kind, e.Evidence = decision.Dismiss, []string{x.ID}
	case o.accept != "":
		e.To, err = a.heardScore([]string{machine.Digest, before.Digest}, e.Criterion, o.accept)
		e.Kind = decision.Score
	default:
		to, wrong := court.ParseFixed(o.score)
		e.Kind, e.To, err = decision.Score, &to, nil
		if wrong != nil || to != to.Cut() {
			return e, usage("--score 4, or --score 3.75", "reading flags: --score %q is not a score", o.score)
		}
		if slices.ContainsFunc(machine.Rubric.Criteria, func(k court.Criterion) bool { return k.ID == e.Criterion && k.ForPeople() }) {
			e.Kind = decision.Answer
		}
	}
	return e, err
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
	list, err := d.Decisions(ctx, h.cohort.ID, last.Submission)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	wait := slices.DeleteFunc(decision.Appeals(list), func(x decision.Entry) bool { return x.Criterion != last.Criterion })
	return a.through(func(w *lines) error {
		w.f("decision %d  %s by %s on %s, %s\n", last.Seq, last.Kind, shown(last.By), shown(last.Submission), shown(last.Criterion))
		w.f("  criterion  %s, was %s\n", scoreOf(stands.Counts(last.Criterion)), scoreOf(last.From))
		w.f("  total      %s\n", scoreOf(row.Overall))
		if s := stands.Counts(last.Criterion); s != nil && last.To != nil && *s < *last.To {
			w.f("  A confirmed security flaw caps the criterion; --dismiss LABEL takes the flaw out.\n")
		}
		if len(last.Answers) > 0 {
			w.f("  answers    appeal %s\n", numbers(last.Answers))
		}
		if len(wait) > 0 {
			w.f("  waiting    appeal %s on this criterion: --appeal NUMBER answers one\n", numbers(seqs(wait)))
		}
		return nil
	})
}

// scoreOf is a score as people read it.
func scoreOf(f *court.Fixed) string {
	if f == nil {
		return court.NoScore
	}
	return f.Shown()
}
