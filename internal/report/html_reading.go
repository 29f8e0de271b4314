package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What makes the record's own terse texts readable on the page: arguments by
// their points, checks by what they state, evidence by what it speaks for.

// pointView is one point of an argument, up to the evidence that it rests on.
type pointView []argumentPart

// argumentPart is text of an argument, or evidence that it names there.
type argumentPart struct {
	Text string
	Cite *citeView
}

// points cuts an argument behind each full stop that follows named evidence.
func (m *pageMaker) points(parts []part) []pointView {
	var list []pointView
	var now pointView
	end := func() {
		if len(now) > 0 {
			list = append(list, now)
		}
		now = nil
	}
	for i, p := range parts {
		if p.id != "" {
			c := m.citeView(p.id)
			now = append(now, argumentPart{Cite: &c})
			continue
		}
		text := p.text // the chip of evidence needs no brackets
		if i > 0 {
			text = strings.TrimPrefix(text, "]")
		}
		if i < len(parts)-1 {
			text = strings.TrimSuffix(text, "[")
		}
		if rest, ok := strings.CutPrefix(text, ". "); ok && i > 0 {
			end()
			text = rest
		} else if text == "." && i > 0 {
			continue // a point that ends with its evidence needs no stop
		}
		now = append(now, argumentPart{Text: court.Clean(text, 0)})
	}
	end()
	return list
}

// reason says in whole sentences why a criterion has its score, with the place of what
// is wrong.
func (d *docket) reason(c court.Criterion) string {
	s := d.note(c)
	if s == "" {
		switch met, all := d.met(c.ID); {
		case all == 0:
			return "There is nothing to check."
		case met == all && all == 1:
			return "The check is met."
		case met == all:
			return fmt.Sprintf("All %d checks are met.", all)
		default:
			if all == 1 {
				return "The check does not fail, but it is met only in part or without full proof."
			}
			return fmt.Sprintf("No check fails, and %d of %d %s met only in part or without full proof.", all-met, all, verb(all-met))
		}
	}
	if x := d.against(c.ID, d.worst(c.ID)); x != nil && located(x.Location) && d.rec.Counts(c.ID) != nil && !strings.Contains(s, x.Location) {
		s += " See " + x.Location + "."
	}
	return s
}

// met counts the checks of a criterion that hold in the court's own standard, and all
// that apply.
func (d *docket) met(criterion string) (met, all int) {
	h := d.hearings[criterion]
	if h == nil {
		return 0, 0
	}
	for _, row := range h.Ledger[court.TechLead] {
		if row.Applies() {
			all++
			if row.B >= 9*court.One/10 {
				met++
			}
		}
	}
	return met, all
}

// standing is how firm a ruling is.
func standing(r *court.Ruling) string {
	s := line(string(r.Status))
	switch {
	case r.Final == nil:
		return s
	case r.Spread == 0:
		s += ", the judges agree"
	default:
		s += fmt.Sprintf(", the judges are %s apart", plural(r.Spread, "point"))
	}
	if r.Low.Shown() != r.High.Shown() {
		s += ", " + rangeWords(r.Low, r.High)
	}
	return s
}

// evidenceGroup is evidence of a criterion that speaks the same way.
type evidenceGroup struct {
	Title string
	Open  bool
	List  []evidenceView
}

// groups parts the evidence on a criterion: what costs it comes first, and lies
// open where the score is low.
func (m *pageMaker) groups(criterion string) []evidenceGroup {
	low := m.low(criterion)
	list := []evidenceGroup{{Title: "Against it, missing or only in part", Open: low}, {Title: "Not checked", Open: low}, {Title: "For it"}, {Title: "Nothing to check"}}
	var some []evidenceGroup
	for i, part := range m.sided(criterion) {
		for _, x := range part {
			list[i].List = append(list[i].List, m.evidenceView(x))
		}
		if len(part) > 0 {
			some = append(some, list[i])
		}
	}
	return some
}

// low tells whether a criterion's evidence lies open.
func (m *pageMaker) low(criterion string) bool {
	r := m.rulings[criterion]
	return r == nil || r.Final == nil || *r.Final <= 3
}

// sided is the evidence on a criterion that speaks against it, of which nothing
// is known, that speaks for it, and that says there is nothing to check.
func (m *pageMaker) sided(criterion string) (sides [4][]*court.Exhibit) {
	for _, x := range m.of(criterion) {
		i := 2
		switch x.Outcome {
		case court.Violation, court.Absent, court.Partial:
			i = 0
		case court.Unknown:
			i = 1
		case court.NotApplicable:
			i = 3
		case court.Present:
		}
		sides[i] = append(sides[i], m.byID[x.ID])
	}
	return sides
}

// holders lets the first card that lies open carry a quote that several share,
// so that nobody has to open another one to read what speaks against the case.
func (m *pageMaker) holders(criteria []court.Criterion) {
	for _, c := range criteria {
		if !m.low(c.ID) {
			continue
		}
		sides := m.sided(c.ID)
		for _, x := range slices.Concat(sides[0], sides[1]) {
			if key := quoteKey(x); m.quotable(x) && m.first[key] == nil {
				m.first[key] = x
			}
		}
	}
}

func quoteKey(x *court.Exhibit) string { return x.Location + "\x00" + x.Content }

// quotable tells whether the page shows a quote of the evidence at all.
func (m *pageMaker) quotable(x *court.Exhibit) bool {
	return x.Content != "" && (!m.trimmed || m.cites[x.ID])
}
