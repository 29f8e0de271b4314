package bench

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What is said of a criterion that cannot be judged.
const (
	blindText = "No check could be made from the words of this criterion; nothing is said for or against it."
	emptyText = "There is nothing to check: the submission has none of what this criterion asks about."
)

// proof is how the judge's standard of proof is called.
func proof(j court.Persona) string {
	switch j {
	case court.Prosecutor:
		return "Clear and convincing proof"
	case court.Defense:
		return "The benefit of every reasonable doubt"
	default:
		return "The balance of the evidence"
	}
}

// speak composes the embedded opinion: up to three points, each a claim with
// the evidence it rests on, and the standard that gives the score.
func speak(j court.Persona, b Brief) court.Opinion {
	checks := pose(b.Criterion.Checks, b.Exhibits)
	h := assess(b.Criterion, checks, b.Round)
	o := court.Opinion{Judge: j, Criterion: b.Criterion.ID, Round: b.Round, Exact: h.Bench[j], Score: h.Bench[j].Score(),
		Source: Speaker, Cited: []string{}, Citations: []court.Citation{}}
	if h.Blind {
		o.Argument = blindText
		if len(checks) > 0 {
			o.Argument = emptyText
		}
		return o
	}
	for _, i := range points(h.Ledger[j], j) {
		if c, ok := claim(j, checks, h.Ledger[j], i); ok {
			o.Citations = append(o.Citations, c)
		}
	}
	o.Cited = cited(o.Citations)
	o.Argument = argument(b, o.Citations, fmt.Sprintf("%s gives %s of 5.", proof(j), o.Exact.Shown()))
	if utf8.RuneCountInString(o.Argument) < court.MinArgument {
		o.Argument += " " + seen(checks)
	}
	return o
}

// points are the positions of the rows that an argument speaks of, weightiest
// in this judge's eyes first; the first row that applies when none has weight.
func points(rows []court.Row, j court.Persona) []int {
	size := func(r court.Row) int64 { return r.Weight * abs(int64(2*r.X-court.One)) }
	switch j {
	case court.Prosecutor:
		size = func(r court.Row) int64 { return r.Weight * int64(court.One-r.X) }
	case court.Defense:
		size = func(r court.Row) int64 { return r.Weight * int64(r.X) }
	case court.TechLead: // either way
	}
	if at := heaviest(rows, most, size); len(at) > 0 {
		return at
	}
	return []int{max(0, slices.IndexFunc(rows, court.Row.Applies))}
}

// claim is what a judge says of one check, with the evidence for it. A check
// without any evidence cannot be spoken of.
func claim(j court.Persona, checks []posed, rows []court.Row, i int) (court.Citation, bool) {
	against := 2*rows[i].X < court.One
	it, ok := checks[i].cite(against)
	if !ok {
		return court.Citation{}, false
	}
	p := point{check: checks[i], row: rows[i], item: it, against: against}
	if from := culprit(checks, rows, i, current().Judges[j]); against && from.ID != checks[i].ID {
		p.parent = &from
	}
	return court.Citation{ID: it.ID, Quote: quote(it.Evidence), Verified: true, Stance: stance(it, against),
		Check: checks[i].ID, Text: p.text(j)}, true
}

// stance is the side that an item speaks for. Partial work speaks for the side
// that it is cited on.
func stance(it item, against bool) string {
	switch {
	case it.Outcome == court.Present, it.Outcome == court.Partial && !against:
		return For
	case it.Outcome == court.Violation, it.Outcome == court.Absent, it.Outcome == court.Partial:
		return Against
	default:
		return Open
	}
}

// cited are the ids of the claims in order, each once.
func cited(claims []court.Citation) []string {
	out := []string{}
	for _, c := range claims {
		if !slices.Contains(out, c.ID) {
			out = append(out, c.ID)
		}
	}
	return out
}

// argument is each claim's text with its evidence's label, then the closing.
func argument(b Brief, claims []court.Citation, closing string) string {
	var s strings.Builder
	for _, c := range claims {
		label := c.ID
		if x, ok := b.exhibit(c.ID); ok && x.Label != "" {
			label = x.Label
		}
		s.WriteString(c.Sentence(label) + " ")
	}
	return strings.TrimSpace(s.String() + closing)
}

// seen says how many checks were examined at all, of those that apply.
func seen(checks []posed) string {
	n, all := 0, 0
	for _, c := range checks {
		if !c.applies() {
			continue
		}
		all++
		if slices.ContainsFunc(c.items, func(it item) bool { return it.examined() > 0 }) {
			n++
		}
	}
	return fmt.Sprintf("%d of %d checks were examined.", n, all)
}
