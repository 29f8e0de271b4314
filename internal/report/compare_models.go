package report

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// aloneNote sets the embedded bench's own scores beside those of models, where
// they are others: they are of the same judges in both audits.
func aloneNote(a, b *docket, was, is *court.Fixed) []string {
	if !a.judged() && !b.judged() || was == nil || is == nil || was.Shown() == is.Shown() {
		return nil
	}
	return []string{safetext.Capital(aloneWord) + was.Shown() + " -> " + is.Shown() + "."}
}

// bare is a criterion's score without models: its own where no model was heard.
func (d *docket) bare(criterion string) *court.Fixed {
	if r := d.rulings[criterion]; r != nil && r.Embedded != nil {
		return r.Embedded
	}
	if d.judged() && d.heardModels(criterion) {
		return nil
	}
	return d.exact(criterion)
}

// bareTotal is the same of the total.
func (d *docket) bareTotal() *court.Fixed {
	if !d.judged() {
		return d.total()
	}
	return d.base()
}

// heardModels tells whether a model was heard on a criterion.
func (d *docket) heardModels(criterion string) bool {
	return slices.ContainsFunc(seats(), func(seat court.Persona) bool {
		o := d.opinion(criterion, seat)
		return o != nil && !o.Embedded()
	})
}

// aboutNote says that a change was asked for which models were not heard on.
const aboutNote = "Both scores are those of the built-in judges alone, so the change is an estimate."

// about holds the embedded bench against itself where a question to a record of
// models was answered without them: a model's score against a score of rules
// would tell the difference between judges.
func (c *Comparison) about(a, b *docket) {
	reheard := false
	for i, x := range c.Criteria {
		if !a.heardModels(x.ID) || b.heardModels(x.ID) {
			continue
		}
		if was, is := a.bare(x.ID), b.bare(x.ID); was != nil && is != nil {
			reheard = true
			c.Criteria[i].Old, c.Criteria[i].New = was, is
			c.Criteria[i].Note = append(slices.DeleteFunc(x.Note, ofBench), aboutNote)
		}
	}
	was, is := a.bareTotal(), b.bareTotal()
	if !reheard || was == nil || is == nil {
		return
	}
	c.Overall.Old, c.Overall.New = was, is
	c.Overall.Note = append(slices.DeleteFunc(c.Overall.Note, ofBench), aboutNote)
	c.Fallen = []string{}
	for _, x := range append(slices.Clone(c.Criteria), c.Overall) {
		if x.Delta() < 0 {
			c.Fallen = append(c.Fallen, x.ID)
		}
	}
	c.Regressed = len(c.Fallen) > 0
}

// ofBench tells the notes that the pair of numbers itself tells then.
func ofBench(note string) bool { return strings.HasPrefix(note, safetext.Capital(aloneWord)) }
