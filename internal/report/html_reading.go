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

// owned parts what the judges of a criterion said: the claims that all of them make, and
// by seat what is particular to a judge. Where models sat nothing is shared: their claims
// are listed one by one.
func (m *pageMaker) owned(criterion string) (shared []pointView, own map[court.Persona]string) {
	var heard []*court.Opinion
	for _, seat := range seats() {
		if o := m.opinion(criterion, seat); o != nil {
			heard = append(heard, o)
		}
	}
	own = map[court.Persona]string{}
	var texts []string
	for i, list := range spoken(heard, func(id string) string { return m.labels([]string{id})[0] }) {
		var rest []string
		for _, s := range list {
			switch {
			case !s.shared || m.judged():
				rest = append(rest, s.text)
			case i == 0:
				texts = append(texts, s.text)
			}
		}
		own[heard[i].Judge] = strings.Join(rest, " ")
	}
	if len(texts) > 0 {
		parts, _ := m.labelled(strings.Join(texts, " "), heard[0].Cited)
		shared = m.points(parts)
	}
	return shared, own
}

// reason says in a sentence why a criterion has its score: what a person said, what
// capped it, what was not checked, or the weightiest check that is not met.
func (d *docket) reason(c court.Criterion) string {
	r, a := d.rulings[c.ID], d.rec.Case.Answer(c.ID)
	switch {
	case a != nil:
		return sentence(upperFirst(d.answered(c)))
	case r == nil || r.Final == nil:
		return sentence(upperFirst(d.why(c)))
	case cappedBy(r) != "":
		return sentence("The rule " + cappedBy(r) + " caps it: " + holding(r, cappedBy(r)).Text)
	case r.Status == court.Insufficient:
		return "The score is provisional, because too little could be examined."
	}
	if worst := d.worst(c.ID); worst != "" {
		s := "Not met: " + titled(d.checkText(c.ID, worst))
		if x := d.strongest(c.ID, worst); x != nil && located(x.Location) {
			s += " See " + x.Location + "."
		}
		return s
	}
	met, all := d.met(c.ID)
	switch {
	case all == 0:
		return "There is nothing to check."
	case met == all && all == 1:
		return "The check is met."
	case met == all:
		return fmt.Sprintf("All %d checks are met.", all)
	default:
		return fmt.Sprintf("No check fails, and %d of %d are met only in part or without full proof.", all-met, all)
	}
}

// strongest is the strongest evidence against a check; nil: there is none.
func (d *docket) strongest(criterion, check string) *court.Exhibit {
	var best *court.Exhibit
	for _, x := range d.of(criterion) {
		bad := x.Outcome == court.Violation || x.Outcome == court.Absent || x.Outcome == court.Partial
		if bad && x.Check == check && x.Stands() && (best == nil || x.Strength > best.Strength) {
			best = d.byID[x.ID]
		}
	}
	return best
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

// titled is a check's title as a sentence in quotation marks.
func titled(title string) string { return "“" + sentence(title) + "”" }

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
	if low, high := r.Low.Shown(), r.High.Shown(); low != high {
		s += fmt.Sprintf(", possible range %s to %s", low, high)
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
