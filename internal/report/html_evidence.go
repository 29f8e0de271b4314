package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// evidenceView is one piece of evidence on the page.
type evidenceView struct {
	Label, Anchor, ID, Goal, Place, Link, Outcome, Confidence string
	Speaks, Rationale, Detective                              string // Speaks is the colour of its outcome
	Marks                                                     []string
	Quote                                                     *quoteView
	Same                                                      citeView // where the same quote stands already
	Unseen                                                    bool
}

// SameList is Same for the template that prints citations.
func (v evidenceView) SameList() []citeView { return []citeView{v.Same} }

// quoteView is a quote by lines; Start numbers the first one, 0 is without
// numbers.
type quoteView struct {
	Start int
	Lines []quoteLine
	Left  string // what is left out
}

type quoteLine struct {
	Hit    bool // somebody quotes it
	Tokens []token
}

// evidenceRow is what the list of all evidence shows.
func (m *pageMaker) evidenceRow(x *court.Exhibit) evidenceView {
	v := evidenceView{Label: line(cmp.Or(x.Label, x.ID)), Anchor: m.anchors[x.ID], ID: line(x.ID), Goal: line(x.Goal), Place: line(x.Location),
		Link: m.linkOf(x.At), Outcome: line(outcomeWords(*x)), Confidence: x.Confidence.Shown(), Detective: line(m.finder(*x)), Speaks: speaks(x.Outcome), Unseen: !x.Found}
	if v.Place == "nowhere" {
		v.Place = ""
	}
	if x.Outcome == court.Unknown {
		v.Confidence = "" // what is not known has none
	}
	return v
}

// speaks is the class of an outcome's colour; the word stands beside it.
func speaks(o court.Outcome) string {
	switch o {
	case court.Violation, court.Absent:
		return "b1"
	case court.Partial:
		return "b2"
	case court.Present:
		return "b4"
	default:
		return "b0"
	}
}

func (m *pageMaker) evidenceView(x *court.Exhibit) evidenceView {
	v := m.evidenceRow(x)
	v.Rationale = sentence(line(x.Rationale))
	if n := len(x.At) - 1 + x.More; n > 0 {
		v.Marks = append(v.Marks, "And "+plural(n, "more place")+".")
	}
	if x.Security != nil {
		v.Marks = append(v.Marks, "Security: "+sentence(line(securityOf(x.Security))))
	}
	if by := m.byModel(*x); by != "" {
		v.Marks = append(v.Marks, sentence(line(safetext.Capital(by))))
	}
	if x.Superseded != "" {
		v.Marks = append(v.Marks, "Superseded by "+m.citeView(x.Superseded).Label+".")
	}
	if x.Struck != "" {
		v.Marks = append(v.Marks, "Struck: "+sentence(line(x.Struck)))
	}
	if !m.quotable(x) {
		return v
	}
	key := quoteKey(x)
	if first := m.first[key]; first != nil && first.ID != x.ID {
		v.Same = m.citeView(first.ID)
		return v
	}
	m.first[key] = x
	v.Quote = m.quote(x)
	return v
}

// What is shown of a quote: so many lines, fewer of what nobody cites, so long,
// so many before the first line that somebody quotes.
const (
	quoteLines   = 24
	uncitedLines = 12
	quoteWidth   = 400
	quoteBefore  = 6
)

func (m *pageMaker) quote(x *court.Exhibit) *quoteView {
	lines := strings.Split(strings.TrimSuffix(x.Content, "\n"), "\n")
	hits := m.hits(x.ID, lines)
	from, most := 0, quoteLines
	if !m.cites[x.ID] {
		most = uncitedLines
	}
	if len(lines) > most {
		for from < len(lines) && !hits[from] {
			from++
		}
		if from == len(lines) {
			from = 0
		}
		from = min(max(0, from-quoteBefore), len(lines)-most)
	}
	to := min(len(lines), from+most)
	v := &quoteView{}
	if len(x.At) > 0 && x.At[0].Path != "" && x.At[0].Line > 0 {
		v.Start = x.At[0].Line + from
	}
	lex := lexerFor(x)
	if !m.cites[x.ID] {
		lex = nil
	}
	for i, l := range lines {
		tokens := lex.line(court.Clean(strings.TrimSuffix(l, "\r"), quoteWidth))
		if i >= from && i < to {
			v.Lines = append(v.Lines, quoteLine{hits[i], tokens})
		}
	}
	if n := len(lines) - (to - from); n > 0 {
		v.Left = fmt.Sprintf("%s of this quote left out here; the record in this file holds them.", plural(n, "line"))
	}
	return v
}

// hits marks the lines that somebody quotes.
func (m *pageMaker) hits(id string, lines []string) []bool {
	marks := make([]bool, len(lines))
	for _, q := range m.quotes[id] {
		for i, l := range lines {
			if strings.Contains(strings.Join(strings.Fields(l), " "), q) {
				marks[i] = true
				break // a quote is its first place
			}
		}
	}
	return marks
}
