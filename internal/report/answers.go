package report

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// answered is what a person said of a criterion, in one line: the score that
// counts in the total, on the rubric's own scale, too, by whom and why. It
// stands beside what the machine said, and never in its place.
func (d *docket) answered(c court.Criterion) string {
	said := d.gave(c)
	if why := d.rec.Case.Answer(c.ID).Reason; why != "" {
		said += ": " + strings.TrimSuffix(why, ".")
	}
	return said
}

// gave is the same without the reason.
func (d *docket) gave(c court.Criterion) string {
	a := d.rec.Case.Answer(c.ID)
	said := a.By + " gave " + a.Score.Shown() + " of 5"
	switch {
	case a.Excluded:
		said = fmt.Sprintf("%s took it out of the total (%s)", a.By, a.Level)
	case a.Level != "":
		said += fmt.Sprintf(", %s of %s (%s)", a.Points.Cut(), c.Scale.Max.Cut(), a.Level)
	case c.Scale.Kind == "points" || c.Scale.Kind == "levels":
		said += fmt.Sprintf(", %s of %s", a.Points.Cut(), c.Scale.Max.Cut())
	}
	return said
}

// human is the score that a person gave; nil: nobody did, or none that counts.
func (d *docket) human(criterion string) *court.Fixed {
	if a := d.rec.Case.Answer(criterion); a != nil && !a.Excluded {
		return &a.Score
	}
	return nil
}

// reach is how low and how high the score that counts may lie.
func (d *docket) reach(criterion string) (low, high *court.Fixed) {
	if d.rec.Case.Answer(criterion) != nil {
		e := d.rec.Counts(criterion)
		return e, e
	}
	if r := d.rulings[criterion]; r != nil {
		return &r.Low, &r.High
	}
	return nil, nil
}

// shown is a score as it is printed.
func shown(f *court.Fixed) string {
	if f == nil {
		return court.NoScore
	}
	return f.Shown()
}

// noRuling says that the court is silent on a criterion, and why.
func (d *docket) noRuling(c court.Criterion) string {
	if d.rec.Case.Answer(c.ID) != nil {
		return "No judge gave an opinion. " + safetext.Capital(d.why(c))
	}
	return "No ruling: " + d.why(c)
}
