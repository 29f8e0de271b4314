package report

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/court"
)

// maxNamed is how many commits Markdown names that evidence speaks against.
const maxNamed = 8

// portrait shows the submission itself: its graph as a diagram of Mermaid, which
// GitHub draws, and its history in a few sentences.
func (m *markdown) portrait() {
	p := m.rec.Portrait
	if p == nil {
		return
	}
	if p.Graph != nil {
		m.block("## The submission's graph")
		m.wiring(p.Graph)
	}
	m.chainBlock()
	if p.History != nil {
		m.block("## History")
		m.past(p.History)
	}
}

func (m *markdown) wiring(w *court.Wiring) {
	g := newGrapher(w, m.rec.Case)
	if len(w.Nodes) == 0 {
		m.block("There is none to draw: %s", mdText(g.lacking()))
		return
	}
	m.block("%s", mdText(g.lead()))
	m.block("%s", g.mermaid())
	for i, d := range w.Defects[:min(len(w.Defects), mostUnfolded)] {
		m.line("%d. **%s**: %s%s", i+1, mdText(d.What), mdText(d.Text), m.spots(d.At))
	}
	if n := len(w.Defects) - mostUnfolded; n > 0 {
		m.line("\n%d more are in the record.\n", n)
	}
	for _, d := range w.Unread[:min(len(w.Unread), mostUnfolded)] {
		m.line("- %s: %s%s", mdText(d.What), mdCode(d.Text, false), m.spots(d.At))
	}
	if len(w.Defects)+len(w.Unread) > 0 {
		m.line("")
	}
}

func (m *markdown) spots(at []court.Place) string {
	var b strings.Builder
	for _, p := range at[:min(len(at), 3)] {
		b.WriteString(" " + mdLink(mdCode(p.String(), false), Permalink(m.rec.Case, p)))
	}
	return b.String()
}

// mermaid is the graph as a diagram, with the shapes of the page as far as
// Mermaid has them. What is wrong has a cross and the number of the defect.
func (g *grapher) mermaid() string {
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	frames := map[shape][2]string{hexagon: {"{{", "}}"}, funnel: {"[\\", "/]"}, octagon: {"([", "])"}, doubled: {"[[", "]]"}, slanted: {"[/", "/]"}, straight: {"[", "]"}}
	for i, n := range g.nodes {
		frame, text := frames[shapeOf(n.Role)], cut(g.label(n.Name), mostInName)
		if g.terminal(i) {
			frame = [2]string{"((", "))"}
		}
		if n.Many {
			text += " \u00d7 n"
		}
		if n.Doubt != "" || g.stranger(i) {
			text += " ?"
		}
		if list := g.defects[i]; len(list) > 0 {
			text += " \u2715 " + numbers(list)
		}
		fmt.Fprintf(&b, "  n%d%s\"%s\"%s\n", i, frame[0], mermaidText(text), frame[1])
	}
	for k, w := range g.wires {
		e := g.Edges[g.edges[k]]
		arrow := "-->"
		switch e.Kind {
		case court.WireAlways:
		case court.WireSend:
			arrow = "== \"send\" ==>"
		case court.WireNever:
			arrow = "-. \"never\" .-x"
		default:
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "  n%d %s n%d\n", w.from, arrow, w.to)
	}
	b.WriteString("```")
	return b.String()
}

// mermaidText makes foreign text harmless between double quotes: everything but
// letters, digits and what we write ourselves becomes a numbered entity.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range line(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" _-,?()\u00d7\u2715", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

func (m *markdown) past(p *court.Past) {
	h := newChronicle(m.docket, p)
	s := mdText(h.lead())
	if p.Cut != "" {
		s += " **Not the whole history:** " + mdText(sentence(p.Cut))
	}
	var named []string
	more := 0
	for _, c := range p.Commits[:min(len(p.Commits), mostListed)] {
		labels := h.against(c.ID)
		if len(labels) == 0 {
			continue
		}
		if len(named) == maxNamed {
			more++
			continue
		}
		named = append(named, mdLink(mdCode(first(c.ID, 7), false), Permalink(m.rec.Case, court.Place{Commit: c.ID}))+" ("+mdText(strings.Join(labels, ", "))+")")
	}
	if len(named) > 0 {
		s += " Evidence speaks against " + strings.Join(named, ", ")
		if more > 0 {
			s += fmt.Sprintf(" and %d more", more)
		}
		s += "."
	}
	m.block("%s", s)
}
