package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// firmness says what the statuses mean that some ruling has, each in a sentence.
func (d *docket) firmness() (list []string) {
	words := map[court.Status]string{
		court.Proven:       "less than " + percent(court.OpenFrom) + " of the criterion is unsettled, and the judges are at most " + d.rec.Rubric.Synthesis.Spread.GT.String() + " points apart.",
		court.Open:         percent(court.OpenFrom) + " or more of the criterion is unsettled, or evidence contradicts itself; the judges are less than two points apart.",
		court.Contested:    percent(court.OpenFrom) + " or more of the criterion is unsettled, or evidence contradicts itself, and the judges are two points or more apart. A person should look at it.",
		court.Insufficient: "half of the criterion or more is unsettled, so that a score is provisional.",
	}
	for _, s := range []court.Status{court.Proven, court.Open, court.Contested, court.Insufficient} {
		for _, r := range d.rulings {
			if r.Status == s {
				list = append(list, safetext.Capital(string(s))+": "+words[s])
				break
			}
		}
	}
	return list
}

// limits explain what else of the table is not plain by itself: a high end that cannot be
// passed, and what is not met beside a full score.
func (d *docket) limits() (list []string) {
	var gate court.Fixed // zero: no range ends there
	capped, full := false, false
	for _, c := range d.heard() {
		r, h := d.rulings[c.ID], d.hearings[c.ID]
		if r == nil || r.Final == nil {
			continue
		}
		ranged := r.Low.Shown() != r.High.Shown()
		if ranged && r.High == reachable(h).high && reachable(h).gated {
			gate = r.High
		}
		capped = capped || ranged && r.CappedBy() == "security_override" && r.High == d.rec.Rubric.Synthesis.SecurityOverride.Cap
		full = full || *r.Final == 5 && d.rec.Case.Answer(c.ID) == nil && d.problem(c.ID) != ""
	}
	if gate > 0 {
		list = append(list, fmt.Sprintf("A possible range that ends at %s ends there because a core check is proven to fail.", gate.Shown()))
	}
	if capped {
		list = append(list, fmt.Sprintf("A possible range that ends at %s ends there because a confirmed security flaw caps the score.", d.rec.Rubric.Synthesis.SecurityOverride.Cap.Shown()))
	}
	if full {
		list = append(list, "A note beside a 5 names a check that is not fully met or not checked; from 4.50 on a score is rounded to 5.")
	}
	return list
}

// reach is the high end of a criterion, and whether it lies below what its checks alone allow.
type reach struct {
	high  court.Fixed
	gated bool
}

func reachable(h *court.Hearing) reach {
	if h == nil {
		return reach{}
	}
	var open court.Mean
	for _, x := range h.Ledger[court.TechLead] {
		open.Add(x.Weight, court.One-x.D)
	}
	return reach{h.High, h.High < court.One+4*open.Value()}
}

// unsettled says why a ruling is not proven, and which checks make it so; empty: it is.
func (d *docket) unsettled(criterion string) string {
	r, h := d.rulings[criterion], d.hearings[criterion]
	if r == nil || h == nil || r.Status == court.Proven {
		return ""
	}
	var all int64
	var rows []court.Row
	open := func(x court.Row) int64 { return x.Weight * int64(x.U) }
	for _, x := range h.Ledger[court.TechLead] {
		if all += open(x); open(x) > 0 {
			rows = append(rows, x)
		}
	}
	start := fmt.Sprintf("It is %s because ", r.Status)
	switch {
	case len(rows) > 0 && h.Doubt >= court.OpenFrom:
		slices.SortStableFunc(rows, func(a, b court.Row) int { return cmp.Compare(open(b), open(a)) })
		var names []string
		for _, x := range rows[:min(len(rows), 3)] {
			if 5*open(x) >= open(rows[0]) {
				names = append(names, "“"+strings.TrimSuffix(d.checkText(criterion, x.Check), ".")+"”")
			}
		}
		where := ", all of it in "
		if len(names) < len(rows) {
			where = ", most of it in "
		}
		return sentence(start + percent(h.Doubt) + " of it is unsettled" + where + safetext.List(names))
	case r.Status == court.Insufficient: // nobody could look
		return ""
	case h.Conflict > 0 && h.Conflict >= d.rec.Rubric.Synthesis.ReEvaluation.CoreConflict:
		return start + "the evidence on a core check contradicts itself."
	default:
		return start + fmt.Sprintf("the judges are %s apart.", plural(r.Spread, "point"))
	}
}

// overAll says what the possible range of the total is over, where the total is over less;
// empty: both are over the same, or there is no range.
func (d *docket) overAll() string {
	v := d.rec.Verdict
	n, all := d.scored()
	if v == nil || n == all || n == 0 || v.Overall.Low.Shown() == v.Overall.High.Shown() {
		return ""
	}
	return fmt.Sprintf("The total is over the %s with a score. The possible range is over all %d.", plural2(n, "criterion", "criteria"), all)
}

// cappedRange says that a cap holds the high end of the total, too.
func (d *docket) cappedRange() string {
	v := d.rec.Verdict
	if v == nil || !d.binds() || v.Overall.High != v.Overall.Exact || v.Overall.Low.Shown() == v.Overall.High.Shown() {
		return ""
	}
	return fmt.Sprintf("The cap also limits the possible range: nothing that is still open can lift the total above %s.", v.Overall.High.Shown())
}

// inOrder says how the remedies are ordered.
func (d *docket) inOrder() string {
	kinds := "what is wrong, and last what the audit could not read"
	if slices.ContainsFunc(d.rec.Remedies, func(x court.Remedy) bool { return x.Blocking }) {
		kinds = "what lifts a cap, then " + kinds
	}
	s := "First comes " + kinds + ". Of each kind, the remedy that raises the total most comes first"
	if slices.ContainsFunc(d.rec.Remedies, func(x court.Remedy) bool { return len(x.After) > 0 }) {
		s += ", and a remedy stands behind those that it depends on"
	}
	return sentence(s)
}

// falls tells whether the total is lower once the nth remedy is done than before it: a criterion
// that had no score then counts.
func (d *docket) falls(n int) bool {
	if d.rec.Verdict == nil || n < 1 || n > len(d.rec.Remedies) {
		return false
	}
	before := d.rec.Verdict.Overall.Exact
	if base := d.base(); base != nil {
		before = *base
	}
	if n > 1 {
		before = d.rec.Remedies[n-2].OverallThen
	}
	return d.rec.Remedies[n-1].OverallThen < before
}
