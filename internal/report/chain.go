package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// mainWay are the arrows that a case goes through one after the other; others lead to
// it from the side.
var mainWay = [][2]string{{"clone", "evidence"}, {"evidence", "message"}, {"answer", "opinion"}, {"opinions", "verdict"}, {"score", "report"}}

// arrowSigns are how arrows are drawn, by their state.
var arrowSigns = map[string]string{court.ArrowWhole: "─►", court.ArrowBroken: "─✕►", court.ArrowLost: "┄?┄►", court.ArrowMissing: "┄"}

// stateWords are the states in words.
var stateWords = map[string]string{court.ArrowWhole: "whole", court.ArrowBroken: "broken", court.ArrowLost: "not followed", court.ArrowMissing: "not there"}

// chainView is the chain of the submission: in a row, and in words that say the same.
type chainView struct {
	Lead  string
	Row   []chainStep
	Side  []chainStep
	Notes []chainNote // broken, and not followed
	Ways  []chainNote // whole
}

// chainStep is one arrow. Of a row, From is only told of the first.
type chainStep struct{ From, To, Class, Sign, State string }

// chainNote says why an arrow is as it is.
type chainNote struct {
	Title, Class, Text string
	Ends               []chainEnd
}

// chainEnd is an end of an arrow, quoted.
type chainEnd struct{ Word, Text, Place, Link string }

// chain is the chain of the record; nil: it has none.
func (d *docket) chain() *chainView {
	if d.rec.Portrait == nil || len(d.rec.Portrait.Chain) == 0 {
		return nil
	}
	v := &chainView{}
	count := map[string]int{}
	for _, a := range d.rec.Portrait.Chain {
		count[a.State]++
		step := chainStep{From: line(a.From), To: line(a.To), Class: "lost", Sign: "?", State: line(a.State)}
		if word, ok := stateWords[a.State]; ok {
			step.Sign, step.State = arrowSigns[a.State], word
			step.Class = map[string]string{court.ArrowWhole: "whole", court.ArrowBroken: "broken", court.ArrowLost: "lost", court.ArrowMissing: "gone"}[a.State]
		}
		if slices.Contains(mainWay, [2]string{a.From, a.To}) {
			if len(v.Row) > 0 {
				step.From = ""
			}
			v.Row = append(v.Row, step)
		} else {
			v.Side = append(v.Side, step)
		}
		d.chainNote(v, a, step)
	}
	var parts []string
	for _, s := range []string{court.ArrowWhole, court.ArrowBroken, court.ArrowLost, court.ArrowMissing} {
		if n := count[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s %s", n, verb(n), stateWords[s]))
		}
	}
	v.Lead = fmt.Sprintf("An arrow is whole where the result of one step goes into the next one. Of %s, %s. This is read from the code, which was not run.", plural(len(d.rec.Portrait.Chain), "arrow"), strings.Join(parts, ", "))
	return v
}

// chainNote adds what is to be said of an arrow. Broken ones with one cause share a note.
func (d *docket) chainNote(v *chainView, a court.Arrow, step chainStep) {
	n := chainNote{Title: line(a.From) + " to " + line(a.To), Class: step.Class, Text: sentence(line(step.State + ": " + a.Why))}
	if a.State == court.ArrowWhole {
		n.Text = "Whole."
	}
	end := func(word string, q court.Quoted) {
		n.Ends = append(n.Ends, chainEnd{word, line(q.Text), line(q.At.String()), d.link(q.At)})
	}
	for _, q := range a.Source[:min(1, len(a.Source))] {
		end("From", q)
	}
	for _, q := range a.Target[:min(1, len(a.Target))] {
		end("To", q)
	}
	if a.State == court.ArrowWhole {
		v.Ways = append(v.Ways, n)
		return
	}
	if i := slices.IndexFunc(v.Notes, func(o chainNote) bool { return o.Text == n.Text && a.State == court.ArrowBroken }); i >= 0 {
		v.Notes[i].Title += ", " + n.Title
		return
	}
	v.Notes = append(v.Notes, n)
}

// text is the row as one line: the states are signs, which the legend explains.
func (v *chainView) text() string {
	var b strings.Builder
	for _, s := range v.Row {
		if s.From != "" {
			b.WriteString(s.From)
		}
		fmt.Fprintf(&b, " %s %s", s.Sign, s.To)
	}
	return b.String()
}

// beside are the arrows from the side.
func (v *chainView) beside() string {
	var parts []string
	for _, s := range v.Side {
		parts = append(parts, fmt.Sprintf("%s %s %s", s.From, s.Sign, s.To))
	}
	return strings.Join(parts, "   ")
}

// chainLegend explains the signs.
const chainLegend = "─► whole   ─✕► broken   ┄?┄► not followed   ┄ not there"

// chainLines is the chain for a terminal.
func (d *docket) chainLines(o TextOptions) string {
	v := d.chain()
	if v == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("  CHAIN\n")
	for _, row := range []string{v.text(), v.beside(), chainLegend} {
		if row != "" {
			fmt.Fprintf(&b, "    %s\n", clean(row))
		}
	}
	for _, n := range v.Notes {
		b.WriteString(hung("    ", 6, wrap(clean0(n.Title+", "+n.Text), o.width()-6)))
		for _, e := range n.Ends {
			fmt.Fprintf(&b, "      %s  %s\n", left(strings.ToLower(e.Word), 4), cut(clean(e.Place+"  "+e.Text), o.width()-12))
		}
	}
	return b.String()
}

// chain draws the chain in Markdown.
func (m *markdown) chainBlock() {
	v := m.chain()
	if v == nil {
		return
	}
	m.block("## The submission's chain")
	m.block("%s", mdText(v.Lead))
	m.line("```text\n%s", v.text())
	if side := v.beside(); side != "" {
		m.line("%s", side)
	}
	m.block("\n%s\n```", chainLegend)
	for _, n := range v.Notes {
		m.line("- **%s**, %s", mdText(n.Title), mdText(n.Text))
		for _, e := range n.Ends {
			m.line("  - %s %s %s", e.Word, mdLink(mdCode(e.Place, false), e.Link), mdCode(e.Text, false))
		}
	}
	if len(v.Notes) > 0 {
		m.line("")
	}
}
