package report

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What a remedy is worth is computed on the embedded bench. Where models sat its
// totals are not totals of the case: what is told then is how far they lie above
// the total of the embedded bench alone, as about.

// base is what gains are counted from; nil: no model was heard.
func (d *docket) base() *court.Fixed {
	if v := d.rec.Verdict; v != nil && d.judged() {
		return v.Overall.Embedded
	}
	return nil
}

// baseOf is the same of one criterion: where no model was heard on it, its
// ruling is the embedded bench's.
func (d *docket) baseOf(criterion string) *court.Fixed {
	r := d.rulings[criterion]
	switch {
	case r == nil || d.base() == nil:
		return nil
	case r.Embedded == nil:
		return &r.Exact
	default:
		return r.Embedded
	}
}

// about goes before a total of the embedded bench where models sat and nothing is
// known to count from.
func (d *docket) about() string {
	if d.judged() {
		return "about "
	}
	return ""
}

// gain is a difference as printed, never below 0.
func gain(to, from court.Fixed) string { return max(to.Cut()-from.Cut(), 0).Shown() }

// totalHead is the head of the column that totalAfter fills.
func (d *docket) totalHead() string {
	if d.judged() {
		return "TOTAL, ABOUT"
	}
	return "TOTAL AFTER"
}

// totalAfter is the total once the remedies up to the nth are done, as a cell.
func (d *docket) totalAfter(n int, m court.Remedy) string {
	if base := d.base(); base != nil {
		return upTo(n, "-") + "  +" + gain(m.OverallThen, *base)
	}
	return upTo(n, "-") + "  " + m.OverallThen.Shown()
}

// totalThen says what the total is once the remedies up to the nth are done.
func (d *docket) totalThen(n int, m court.Remedy) string {
	if base := d.base(); base != nil {
		return fmt.Sprintf("total after %s: about %s more", upTo(n, " to "), gain(m.OverallThen, *base))
	}
	then := fmt.Sprintf("total after %s: %s%s", upTo(n, " to "), d.about(), m.OverallThen.Shown())
	if d.falls(n) {
		then += ", lower because a criterion that has no score yet then counts"
	}
	return then
}

// thenHead is the head of the column that criterionAfter fills.
func (d *docket) thenHead() string {
	if d.judged() {
		return "ABOUT"
	}
	return "THEN"
}

// thenSign explains it.
func (d *docket) thenSign() string {
	if d.judged() {
		return d.thenHead() + ": how much higher this criterion's score is with that fix alone, as the built-in judges estimate it."
	}
	return d.thenHead() + ": this criterion's score with that fix alone."
}

// criterionAfter is a criterion's score with one remedy alone, as a cell.
func (d *docket) criterionAfter(m court.Remedy) string {
	if base := d.baseOf(m.Criterion); base != nil {
		return "+" + gain(m.CriterionTo, *base)
	}
	return m.CriterionTo.Shown()
}

// criterionThen says the same in a sentence.
func (d *docket) criterionThen(m court.Remedy) string {
	if base := d.baseOf(m.Criterion); base != nil {
		return "this criterion then about " + gain(m.CriterionTo, *base) + " more"
	}
	return "this criterion then " + d.about() + m.CriterionTo.Shown()
}

// worthWords is how the totals beside remedies are to be read.
func (d *docket) worthWords() string {
	if d.base() != nil {
		return "The gain beside each is the one once it and all before it are done. The built-in judges computed it; models may judge otherwise."
	}
	return ""
}
