package report

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// onScale is the total on the rubric's own scale, and how it stands to the
// rubric's own marks; empty where the rubric has none of them.
func (d *docket) onScale() []string {
	if d.rec.Verdict.Overall.Unscored {
		return nil
	}
	var parts []string
	got := d.rec.Verdict.Overall.Exact
	if sum, most, ok := d.points(); ok {
		if d.binds() { // a cap on the total limits the points, too
			sum = min(sum, court.Fixed(int64(most)*int64(got-court.One)/int64(4*court.One)))
		}
		got = sum
		parts = append(parts, fmt.Sprintf("%s of %s points (%d %%)", sum.Cut(), most.Cut(), int64(sum)*100/int64(most)))
	}
	marks := d.rec.Rubric.Synthesis.Thresholds
	for _, m := range []struct {
		name string
		at   *court.Fixed
	}{{"pass", marks.Pass}, {"partial pass", marks.Partial}} {
		if m.at == nil {
			continue
		}
		if got >= *m.at {
			return append(parts, fmt.Sprintf("the rubric's mark for a %s, %s, is reached", m.name, m.at.Cut()))
		}
		parts = append(parts, fmt.Sprintf("the rubric's mark for a %s, %s, is not reached", m.name, m.at.Cut()))
	}
	return parts
}

// points is the sum over the criteria in the total; false when one of them is
// on the plain scale of five, so that there is no sum.
func (d *docket) points() (sum, most court.Fixed, ok bool) {
	for _, c := range d.heard() {
		a, r := d.rec.Case.Answer(c.ID), d.rulings[c.ID]
		switch {
		case a != nil && a.Excluded, a == nil && (r == nil || r.Final == nil && r.Points == nil):
			continue
		case c.Scale.Kind != "points" && c.Scale.Kind != "levels":
			return 0, 0, false
		case a != nil:
			sum += a.Points
		case r.Points != nil:
			sum += r.Points.Points
		}
		most += c.Scale.Max
	}
	return sum, most, most > 0
}
