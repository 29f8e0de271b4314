package report

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// spokenView is one claim of a model's opinion on the page.
type spokenView struct {
	Lead, Text, Quote, Why string
	Cite                   citeView
}

// ownView is what a judge would have done, in its words.
type ownView struct {
	Criterion, Anchor, Text string
	Seat                    court.Persona
}

// modelPairs are where the models' part came from.
func (m *pageMaker) modelPairs() []pair {
	list := []pair{{Key: "Detectives", Text: line(strings.Join(m.helpers(), "; "))}, {Key: "Models", Text: line(m.asked())}}
	return slices.DeleteFunc(list, func(p pair) bool { return p.Text == "" })
}

// modelVoice adds to a voice what is told only where models sit: who spoke, its
// claims one by one, what did not stand, and how the score came about.
func (m *pageMaker) modelVoice(v *voiceView, o *court.Opinion) {
	if m.judged() {
		v.Source = line(o.Source)
	}
	v.Moved = m.moved(o)
	claims, argument := m.listed(o)
	if !argument {
		v.Points, v.Cites = nil, nil
	}
	if claims {
		v.Claims = m.spokenViews(o.Citations)
	}
	v.Struck = m.spokenViews(o.Struck)
	for _, n := range m.noted(o) {
		v.Noted = append(v.Noted, sentence(line(safetext.Capital(n))))
	}
}

func (m *pageMaker) spokenViews(list []court.Citation) (out []spokenView) {
	for _, c := range list {
		cite := m.citeView(c.ID)
		c = clipped(c)
		out = append(out, spokenView{Lead: line(safetext.Capital(c.Stance)) + ":", Text: sentence(line(c.Text)), Quote: line(c.Quote), Why: sentence(line(safetext.Capital(c.Why))), Cite: cite})
	}
	return out
}

// ownViews are the remedies in the judges' words, in the order of the criteria.
func (m *pageMaker) ownViews() (list []ownView) {
	for _, c := range m.heard() {
		for _, o := range m.ownRemedies(c.ID) {
			list = append(list, ownView{line(nameOf(c)), m.anchors[c.ID], sentence(line(o.Remedy)), o.Judge})
		}
	}
	return list
}
