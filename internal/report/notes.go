package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// note is the one remark beside a criterion's score: the first that applies of
// the rule that capped, insufficient, contested, overruled, a missing human,
// and the weightiest failed check.
func (d *docket) note(c court.Criterion) string {
	r := d.rulings[c.ID]
	if r == nil {
		return d.why(c)
	}
	var parts []string
	if d.rec.Case.Answer(c.ID) != nil {
		parts = append(parts, d.answered(c))
	}
	if r.Points != nil {
		parts = append(parts, pointsOf(r))
	}
	if s := d.remark(c, r); s != "" {
		parts = append(parts, s)
	}
	if c.Generic() && len(c.Checks) > 0 {
		parts = append(parts, byWords)
	}
	return strings.Join(parts, ", ")
}

func (d *docket) remark(c court.Criterion, r *court.Ruling) string {
	rule := cappedBy(r)
	switch {
	case rule != "":
		return rule
	case r.Status == court.Insufficient && r.Final == nil:
		return d.why(c)
	case r.Status == court.Insufficient:
		if s := d.unknownReason(c.ID); s != "" {
			return "insufficient: " + s
		}
		return "insufficient"
	case r.Status == court.Contested:
		return fmt.Sprintf("contested, spread %d", r.Spread)
	case len(r.Overruled) > 0:
		return "overruled"
	case c.ForPeople():
		return "needs a human"
	default:
		return d.failedNote(c.ID)
	}
}

// cappedBy is the capping rule that fired on a ruling, whether its cap bound
// here or only on the total.
func cappedBy(r *court.Ruling) string {
	for _, rule := range []string{"security_override", "orchestration_fraud"} {
		if h := holding(r, rule); h != nil && h.Outcome == court.Fired {
			return rule
		}
	}
	return ""
}

// failedNote tells the weightiest check that more probably fails than holds, in
// the court's own standard: in the words of the evidence when four of them are
// enough, else in the first four that carry the check's.
func (d *docket) failedNote(criterion string) string {
	worst := d.worst(criterion)
	if worst == "" {
		return ""
	}
	if s := clause(d.against(criterion, worst)); s != "" && len(strings.Fields(s)) <= 4 {
		return clean(s)
	}
	return "fails: " + clean(headWords(keyWords(d.checkText(criterion, worst)), 4))
}

// worst is the weightiest check of a criterion that more probably fails than
// holds; empty: there is none.
func (d *docket) worst(criterion string) string {
	h := d.hearings[criterion]
	if h == nil {
		return ""
	}
	worst, weight := "", int64(0)
	for _, row := range h.Ledger[court.TechLead] {
		if w := row.Weight * int64(row.Fails()); row.Fails() > row.B && row.Fails() > court.One/2 && w > weight {
			worst, weight = row.Check, w
		}
	}
	return worst
}

// against is the rationale of the strongest evidence against a check.
func (d *docket) against(criterion, check string) string {
	var list []court.Exhibit
	for _, x := range d.of(criterion) {
		bad := x.Outcome == court.Violation || x.Outcome == court.Absent || x.Outcome == court.Partial
		if x.Check == check && bad && x.Superseded == "" && x.Struck == "" {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return slices.MinFunc(list, func(a, b court.Exhibit) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.ID, b.ID))
	}).Rationale
}

// pointsOf is a ruling on the rubric's own scale.
func pointsOf(r *court.Ruling) string {
	s := fmt.Sprintf("%s of %s", r.Points.Points.Cut(), r.Points.Max.Cut())
	if r.Points.Level != "" {
		s += " (" + r.Points.Level + ")"
	}
	return s
}
