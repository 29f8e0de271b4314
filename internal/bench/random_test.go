package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// chance makes random criteria and evidence; a seed makes the same ones again.
type chance struct {
	*rand.Rand
	serial int
}

func newChance(seed uint64) *chance { return &chance{Rand: rand.New(rand.NewPCG(seed, 15))} }

func pick[T any](r *chance, list ...T) T { return list[r.IntN(len(list))] }

// unit is a number in 0..One that meets the edges and the thresholds often.
func (r *chance) unit() court.Fixed {
	return pick(r, 0, court.One, court.Fixed(r.IntN(int(court.One)+1)), court.Fixed(500*r.IntN(21)))
}

func (r *chance) evidence(check court.Check, outcomes ...court.Outcome) court.Evidence {
	if len(outcomes) == 0 {
		outcomes = []court.Outcome{court.Present, court.Violation, court.Partial, court.Absent, court.Unknown, court.NotApplicable}
	}
	r.serial++
	e := court.Evidence{ID: fmt.Sprintf("ev-%06d", r.serial), Check: check.ID, Outcome: pick(r, outcomes...), Source: pick(r, court.Sources()...),
		Confidence: r.unit(), Coverage: court.One, Rationale: "what was searched and found", Content: "content of some length"}
	switch e.Outcome {
	case court.Partial:
		e.Share = r.unit()
	case court.Unknown:
		e.Confidence, e.Reason = 0, court.Dynamic
	default:
	}
	if e.Outcome == court.Absent || r.IntN(5) == 0 {
		e.Coverage = r.unit()
	}
	if len(check.Asks) > 1 {
		e.Ask = pick(r, check.Asks[0].Key(), check.Asks[1].Key(), "model", "")
	}
	return e
}

// criterion has 1 to 7 checks, some of which rest on others or ask twice.
func (r *chance) criterion() (court.Criterion, []court.Evidence) {
	c := court.Criterion{ID: "k", Weight: court.One}
	var all []court.Evidence
	for i := range 1 + r.IntN(7) {
		check := court.Check{ID: fmt.Sprintf("c%d", i), Weight: 1 + r.IntN(5), Asks: []court.Ask{{Probe: "p"}},
			Facet: pick(r, court.Core, court.Robust, court.Design, court.Security)}
		for k := range i {
			if r.IntN(7) == 0 {
				check.Requires = append(check.Requires, fmt.Sprintf("c%d", k))
			}
		}
		if r.IntN(5) == 0 {
			check.Asks = []court.Ask{{Probe: "p"}, {Probe: "p", Args: map[string]any{"min": 3}}}
		}
		c.Checks = append(c.Checks, check)
		outcomes := []court.Outcome{} // any
		if r.IntN(6) == 0 {
			outcomes = []court.Outcome{court.NotApplicable}
		}
		for range 1 + r.IntN(3) {
			all = append(all, r.evidence(check, outcomes...))
		}
	}
	return c, all
}

// applying are the checks over which there is something: evidence that there is
// something after all makes another criterion of it.
func applying(c court.Criterion, all []court.Evidence) []court.Check {
	empty := func(check court.Check) bool {
		return !slices.ContainsFunc(all, func(e court.Evidence) bool { return e.Check == check.ID && e.Outcome != court.NotApplicable })
	}
	if list := slices.DeleteFunc(slices.Clone(c.Checks), empty); len(list) > 0 {
		return list
	}
	return []court.Check{{ID: "none of this criterion"}}
}

// view is what the laws of order speak of: three scores, low and high.
func view(h court.Hearing) []court.Fixed {
	return []court.Fixed{h.Bench[court.Prosecutor], h.Bench[court.TechLead], h.Bench[court.Defense], h.Low, h.High}
}

func below(a, b []court.Fixed) bool {
	for i := range a {
		if a[i] < b[i] {
			return true
		}
	}
	return false
}

// dark hides what is known of some checks.
func dark(c court.Criterion, all []court.Evidence, hidden func(string) bool) []court.Evidence {
	out := slices.DeleteFunc(slices.Clone(all), func(e court.Evidence) bool { return hidden(e.Check) })
	for _, check := range c.Checks {
		if hidden(check.ID) {
			out = append(out, court.Evidence{ID: "dark " + check.ID, Check: check.ID, Outcome: court.Unknown, Reason: court.Unparsed})
		}
	}
	return out
}
