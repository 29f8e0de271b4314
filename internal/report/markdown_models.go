package report

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// modelRows are the rows of the head on models: who helped, what was asked.
func (m *markdown) modelRows() {
	if list := m.helpers(); len(list) > 0 {
		m.line("| Detectives | %s |", mdText(strings.Join(list, "; ")))
	}
	if words := m.asked(); words != "" {
		m.line("| Models | %s |", mdText(words))
	}
}

// besideModels is the score of the embedded bench beside a ruling of models.
func (m *markdown) besideModels(r *court.Ruling) string {
	if r.Final == nil || r.Embedded == nil {
		return ""
	}
	return " The built-in judges alone give " + r.Embedded.Shown() + "."
}

// rests is what a model's opinion stands on, each claim with its quote, then what did
// not stand, struck through, and how the opinion came about.
func (m *markdown) rests(criterion string, seat court.Persona) {
	o := m.opinion(criterion, seat)
	if o == nil {
		return
	}
	if claims, _ := m.listed(o); claims {
		for _, c := range o.Citations {
			m.line("  - %s", m.claim(c))
		}
	}
	for _, c := range o.Struck {
		m.line("  - ~~%s~~ **Struck:** %s.", m.claim(c), mdText(strings.TrimSuffix(clipped(c).Why, ".")))
	}
	for _, n := range m.noted(o) {
		m.line("  - %s.", mdText(safetext.Capital(n)))
	}
}

// claim is one claim in a line: side, evidence, text and quote.
func (m *markdown) claim(c court.Citation) string {
	id := c.ID
	c = clipped(c)
	s := fmt.Sprintf("%s %s: %s", mdText(safetext.Capital(c.Stance)), m.cite(id), sentence(mdText(c.Text)))
	if c.Quote != "" {
		s += " " + mdCode(c.Quote, false)
	}
	return s
}

// ownWords are what judges would have done about a criterion, in their words.
func (m *markdown) ownWords(c court.Criterion) {
	list := m.ownRemedies(c.ID)
	if len(list) == 0 {
		return
	}
	m.block("In the judges' own words (nobody computed what it is worth):")
	for _, o := range list {
		m.line("- %s: %s", o.Judge, sentence(mdText(o.Remedy)))
	}
	m.line("")
}
