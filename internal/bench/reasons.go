package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// score is the score under the judge's standard, and why it is not one higher and
// not one lower.
func (s speaker) score() string {
	n := s.exact.Score()
	var why []string
	var keep []int
	if n < 5 {
		keep = s.kept(func(got int) bool { return got > n })
		why = append(why, fmt.Sprintf("%s it from %d", s.named(keep, "keeps", "keep"), n+1))
	}
	if n > 1 {
		why = append(why, fmt.Sprintf("%s it above %d", s.carried(keep, func(got int) bool { return got < n }), n-1))
	}
	rounds := ""
	if s.exact%court.One != 0 {
		rounds = fmt.Sprintf("It rounds to %d; ", n)
	}
	return fmt.Sprintf("Score under %q: %s. %s.", proof(s.judge), s.exact.Shown(), safetext.Capital(rounds+strings.Join(why, ", and ")))
}

// kept are the checks with which the score would be higher: those that others
// depend on, if these are enough.
func (s speaker) kept(higher func(score int) bool) []int {
	keep, turned := s.turning(s.blamed(), court.Present, higher)
	if !turned {
		keep, _ = s.turning(costs(s.rows, s.standard()), court.Present, higher)
	}
	return keep
}

// carried names the checks but for which the score would be lower: those that hold
// without a shortcoming, if these are enough.
func (s speaker) carried(keep []int, lower func(score int) bool) string {
	all := s.credit()
	sound := slices.Clone(all)
	for i, r := range s.rows {
		if !slight(r) || slices.Contains(keep, i) {
			sound[i] = 0
		}
	}
	carry, turned := s.turning(sound, court.Violation, lower)
	if !turned {
		sound = all
		carry, turned = s.turning(all, court.Violation, lower)
	}
	if !turned {
		return "remaining doubt carries"
	}
	if len(carry) > 1 {
		return s.named(carry, "carries", "together carry")
	}
	for i, size := range sound { // whatever else would turn it alone
		if size > 0 && i != carry[0] && lower(s.with([]int{i}, court.Violation)) {
			carry = append(carry, i)
		}
	}
	return s.named(carry, "carries", "each carry")
}

// credit is what each check that something speaks for brings. One that fails with
// what it depends on brings nothing.
func (s speaker) credit() []int64 {
	out := make([]int64, len(s.rows))
	for i, r := range s.rows {
		if r.Applies() && r.B > 0 && (2*r.Fails() <= court.One || s.cause(i) == i) {
			out[i] = r.Weight * int64(r.X)
		}
	}
	return out
}

// turning are checks that together turn the score: with all of them met, or with
// all of them failed, it is another, and with all but one it is not. Those of the
// largest size come first.
func (s speaker) turning(size []int64, to court.Outcome, turns func(score int) bool) (order []int, turned bool) {
	for i := range s.rows {
		if size[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(size[b], size[a]), s.prefers(a, b)) })
	for n := 1; n <= len(order) && !turned; n++ {
		if turned = turns(s.with(order[:n], to)); turned {
			order = order[:n]
		}
	}
	for i := 0; turned && i < len(order) && len(order) > 1; {
		if fewer := slices.Delete(slices.Clone(order), i, i+1); turns(s.with(fewer, to)) {
			order = fewer
		} else {
			i++
		}
	}
	return order, turned
}

// with is the judge's score if some checks were met, or failed, beyond dispute.
func (s speaker) with(at []int, to court.Outcome) int {
	checks := slices.Clone(s.checks)
	for _, i := range at {
		checks[i].items = []item{weighed(court.Exhibit{Evidence: court.Evidence{Outcome: to, Source: court.Attested, Confidence: court.One}})}
	}
	_, falls := ledger(checks, current().Judges[court.TechLead], nil)
	rows, _ := ledger(checks, s.standard(), falls)
	return exact(rows, s.standard()).Score()
}

// mostNamed is how many checks a reason names.
const mostNamed = 2

// named lists checks with a verb: by the label of their evidence when they were
// spoken of, else by title.
func (s speaker) named(at []int, one, many string) string {
	var list, titles []string
	rest := 0
	for _, i := range at {
		label, spoken := s.labels[s.checks[i].ID]
		switch {
		case spoken:
			list = append(list, "["+label+"]")
		case len(at) <= mostNamed:
			titles = append(titles, titled(s.checks[i].Check))
		default:
			rest++
		}
	}
	list = append(list, titles...)
	if rest > 0 {
		list = append(list, court.Count(rest, "other check"))
	}
	switch last := len(list) - 1; {
	case last < 0:
		return "nothing " + one
	case rest == len(at):
		return fmt.Sprintf("%d checks %s", rest, many)
	case last == 0:
		return list[0] + " " + one
	default:
		return safetext.List(list) + " " + many
	}
}
