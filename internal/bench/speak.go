package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// What is said of a criterion that cannot be judged.
const (
	blindText = "The words of this criterion give no check, so nothing is said for or against it."
	emptyText = "There is nothing to check: the submission has none of what this criterion asks about."
)

// proof is how the judge's standard of proof is called.
func proof(j court.Persona) string {
	switch j {
	case court.Prosecutor:
		return "clear and convincing"
	case court.Defense:
		return "benefit of the doubt"
	default:
		return "balance of the evidence"
	}
}

// speaker is a judge while an opinion is made.
type speaker struct {
	judge  court.Persona
	checks []posed
	rows   []court.Row
	exact  court.Fixed
	labels map[string]string // by check: how the evidence is called that was spoken of
}

// speak composes the embedded opinion: what it rests on under this judge's
// standard, the strongest points on both sides, each a claim with its evidence,
// the score, and why it is not one higher and not one lower.
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
	s := speaker{j, checks, h.Ledger[j], o.Exact, map[string]string{}}
	for _, p := range s.points() {
		o.Citations = append(o.Citations, court.Citation{ID: p.item.ID, Quote: quote(p.item.Evidence), Verified: true,
			Stance: stance(p.item, p.against), Check: p.check.ID, Text: p.text()})
		s.labels[p.check.ID] = b.label(p.item.ID)
	}
	o.Cited = cited(o.Citations)
	o.Argument = strings.Join(slices.DeleteFunc([]string{s.lead(), argument(b, o.Citations), s.score()}, func(s string) bool { return s == "" }), " ")
	return o
}

// points are what the judge speaks of: the strongest against and the strongest
// for. The Prosecutor has a second one against, the Defense a second one for,
// where it weighs enough beside the first.
func (s speaker) points() []point {
	against := s.strongest(s.blamed(), 1+count(s.judge == court.Prosecutor), true, nil)
	pro := s.strongest(s.credit(), 1+count(s.judge == court.Defense), false, against)
	switch {
	case s.judge == court.Defense, s.judge == court.TechLead && s.exact.Score() >= 4:
		return append(pro, against...)
	default:
		return append(against, pro...)
	}
}

func count(more bool) int {
	if more {
		return 1
	}
	return 0
}

// blamed is what each check takes from the full score. What a check loses because
// one that it depends on fails is laid to that one.
func (s speaker) blamed() []int64 {
	out := make([]int64, len(s.rows))
	for i, n := range costs(s.rows, s.standard()) {
		out[s.cause(i)] += n
	}
	return out
}

func (s speaker) standard() standard { return current().Judges[s.judge] }

// cause is the position of the check that has to hold before a row can: the last
// one, along what it depends on, against which as much speaks.
func (s speaker) cause(i int) int {
	d := falling(s.checks, s.rows, i)
	for k := i - 1; k >= 0 && d > 0; k-- { // parents stand above their children
		if slices.Contains(s.checks[i].Requires, s.checks[k].ID) && falling(s.checks, s.rows, k) >= d {
			i = k
		}
	}
	return i
}

// strongest are the points of the largest size, at most n. A second one has to weigh
// enough beside the first. A check without any evidence cannot be spoken of, nor
// one that was spoken of already.
func (s speaker) strongest(size []int64, n int, against bool, spoken []point) (out []point) {
	var at []int
	for i, c := range s.checks {
		if size[i] > 0 && len(c.items) > 0 && !slices.ContainsFunc(spoken, func(p point) bool { return p.check.ID == c.ID }) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Or(cmp.Compare(size[b], size[a]), s.prefers(a, b)) })
	for _, i := range at[:min(n, len(at))] {
		if size[i]*minorPart >= size[at[0]] {
			out = append(out, s.point(i, against))
		}
	}
	return out
}

// prefers orders checks of equal size by what matters to the judge: to the
// Prosecutor the firmest proof, to the TechLead the core, to the Defense what
// goes beyond it.
func (s speaker) prefers(a, b int) int {
	core := func(i int) int { return count(s.rows[i].Core) }
	switch s.judge {
	case court.TechLead:
		return cmp.Compare(core(b), core(a))
	case court.Defense:
		return cmp.Compare(core(a), core(b))
	default:
		x, _ := s.checks[a].cite(false)
		y, _ := s.checks[b].cite(false)
		return cmp.Compare(y.strength, x.strength)
	}
}

// point is what there is to say of one check on one side.
func (s speaker) point(i int, against bool) point {
	it, _ := s.checks[i].cite(against)
	if against && it.argues(true) == 0 { // nothing speaks against it: what is there is too little
		it, _ = s.checks[i].cite(false)
	}
	p := point{check: s.checks[i], row: s.rows[i], item: it, against: against}
	for k := range s.rows {
		if against && k != i && s.cause(k) == i {
			p.hang++
		}
	}
	if from := s.cause(i); from != i && !slight(p.row) {
		p.parent = titled(s.checks[from].Check)
	}
	return p
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

// argument is the sentences of the claims.
func argument(b Brief, claims []court.Citation) string {
	return court.Opinion{Citations: claims}.Composed(b.label)
}

// label is how evidence of the brief is called.
func (b Brief) label(id string) string {
	x, _ := b.exhibit(id)
	return cmp.Or(x.Label, id)
}

// lead is what the opinion rests on, in the terms of the judge's standard.
func (s speaker) lead() string {
	var all, met, part, failed, open, core, coreMet int
	for _, r := range s.rows {
		if !r.Applies() {
			continue
		}
		all++
		full := 2*r.B > court.One && slight(r)
		met, part, core, coreMet = met+count(full), part+count(!full && r.B > 0 && r.D > 0), core+count(r.Core), coreMet+count(full && r.Core)
		failed, open = failed+count(2*r.Fails() > court.One), open+count(2*(r.U-r.Held) >= court.One)
	}
	switch s.judge {
	case court.Prosecutor:
		out := safetext.Capital(court.Of(met, all, "check")) + verb(met, " has", " have") + " clear and convincing proof" + also(part, "has it in part", "have it in part") + "."
		if met == 0 {
			out += s.oneCause()
		}
		return out
	case court.Defense:
		out := "No check is accepted as a failure"
		if failed > 0 {
			out = safetext.Capital(court.Of(failed, all, "check")) + verb(failed, " is accepted as a failure and counted once", " are accepted as failures, each counted once")
		}
		return out + also(open, "open check gets the benefit of the doubt", "open checks get the benefit of the doubt") + "." + s.oneCause()
	}
	var list []string
	if core > 0 {
		list = append(list, among(coreMet, core, "core check"))
	}
	if rest := all - core; core == 0 {
		list = append(list, among(met, rest, "check"))
	} else if rest > 0 {
		list = append(list, among(met-coreMet, rest, "other"))
	}
	return "On balance, " + strings.Join(list, " and ") + verb(met, " is", " are") + " met" + also(part, "is partly met", "are partly met") + "."
}

// among is court.Of for a part of a list, in which "neither" would stand alone.
func among(n, all int, noun string) string {
	if n == 0 && all == 2 {
		return "none of the 2 " + noun + "s"
	}
	return court.Of(n, all, noun)
}

// oneCause says so where all checks that fail hang on one of them, or on one finding.
func (s speaker) oneCause() string {
	var failed []int
	causes, findings := map[int]bool{}, map[string]bool{}
	for i, r := range s.rows {
		if !r.Applies() || 2*r.Fails() <= court.One {
			continue
		}
		it, _ := s.checks[i].cite(true)
		failed, causes[s.cause(i)], findings[it.Location+" "+it.Rationale] = append(failed, i), true, true
		if it.Rationale == "" {
			findings[s.checks[i].ID] = true
		}
	}
	switch {
	case len(failed) < 2:
		return ""
	case len(causes) == 1:
		return " All that fail depend on one of them, " + titled(s.checks[s.cause(failed[0])].Check) + "."
	case len(findings) == 1:
		return " All that fail rest on one finding."
	default:
		return ""
	}
}

// slight tells whether what speaks against a row is not worth telling.
func slight(r court.Row) bool { return r.Fails() <= court.One-current().Proven }

func verb(n int, one, many string) string {
	if n <= 1 {
		return one
	}
	return many
}

// also tells what else is so of some.
func also(n int, one, many string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d %s", n, verb(n, one, many))
}
