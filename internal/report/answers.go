package report

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// answered is what a person said of a criterion, in one line: the score that
// counts in the total, on the rubric's own scale, too, by whom and why. It
// stands beside what the machine said, and never in its place.
func (d *docket) answered(c court.Criterion) string {
	a := d.rec.Case.Answer(c.ID)
	said := a.Score.Shown() + " of 5"
	switch {
	case a.Excluded:
		said = a.Level + ", not in the total"
	case a.Level != "":
		said += fmt.Sprintf(", %s of %s (%s)", a.Points.Cut(), c.Scale.Max.Cut(), a.Level)
	case c.Scale.Kind == "points" || c.Scale.Kind == "levels":
		said += fmt.Sprintf(", %s of %s", a.Points.Cut(), c.Scale.Max.Cut())
	}
	said += ", decided by " + a.By
	if a.Reason != "" {
		said += ": " + strings.TrimSuffix(a.Reason, ".")
	}
	return said
}

// noRuling says that the court is silent on a criterion, and why.
func (d *docket) noRuling(c court.Criterion) string {
	if d.rec.Case.Answer(c.ID) != nil {
		return "No judge was heard. " + d.why(c)
	}
	return "No ruling: " + d.why(c)
}
