package trial

import (
	"cmp"
	"slices"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
)

// wholePoint is how far a score has to move before anybody is told of it.
const wholePoint = court.One

// Bounds of what is told of one criterion, each way.
const (
	mostPaired = 8 // checks that are tried in pairs: those that weigh most alone
	mostStakes = 6
)

// stakes are what each criterion's score rests on: what would have to break for it to
// lose a whole point, and what would have to be true to gain one. They are tried out by
// the court that computes what remedies are worth.
func stakes(rubric court.Rubric, of court.Case, exhibits map[string][]court.Exhibit) []court.Stakes {
	var out []court.Stakes
	for _, s := range tryOut(rubric, of, exhibits).stands {
		rows := s.hearing.Ledger[court.TechLead]
		if len(rows) == 0 || s.share.Unexamined {
			continue
		}
		var holds, fails []string
		for _, r := range rows {
			switch {
			case !r.Applies():
			case r.X == court.One:
				holds = append(holds, r.Check)
			default:
				if r.X > 0 {
					holds = append(holds, r.Check)
				}
				fails = append(fails, r.Check)
			}
		}
		out = append(out, court.Stakes{Criterion: s.criterion.ID, Exact: s.share.Exact,
			Loses: s.turns(rubric.Synthesis, holds, spoil, -1), Gains: s.turns(rubric.Synthesis, fails, mend, 1)})
	}
	return out
}

// StakesOf are the stakes of a record: its own, or those of one that was made before
// records held them.
func StakesOf(rec *court.Record) []court.Stakes {
	if rec.Verdict == nil || len(rec.Stakes) > 0 {
		return rec.Stakes
	}
	return stakes(rec.Rubric, rec.Case, rec.Evidences)
}

// turning is what becomes of all that is known of a check.
type turning func([]court.Exhibit, court.Check) []court.Exhibit

// turns are the smallest sets of checks whose change moves the score by a whole point:
// single ones, and pairs of those that do not do so alone.
func (s stand) turns(law court.Synthesis, checks []string, by turning, sign court.Fixed) court.Turns {
	changed := map[string]court.Exhibit{} // sealing one takes as long as hearing it
	for _, name := range checks {
		list := by(s.exhibits, checkOf(s.criterion, name))
		changed[name] = list[len(list)-1]
	}
	try := func(names ...string) court.Stake {
		list := slices.DeleteFunc(slices.Clone(s.exhibits), func(x court.Exhibit) bool { return slices.Contains(names, x.Check) })
		for _, name := range names {
			list = append(list, changed[name])
		}
		return court.Stake{Checks: names, Exact: hear(law, s.criterion, list).share.Exact}
	}
	moved := func(x court.Stake) court.Fixed { return sign * (x.Exact - s.share.Exact) }
	far := func(a, b court.Stake) int { return cmp.Compare(moved(b), moved(a)) }
	var all, single, pairs []court.Stake
	for _, name := range checks {
		if x := try(name); moved(x) >= wholePoint {
			single = append(single, x)
		} else {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(single, far)
	slices.SortStableFunc(all, far)
	all = all[:min(len(all), mostPaired)]
	for i, a := range all {
		for _, b := range all[i+1:] {
			if x := try(a.Checks[0], b.Checks[0]); moved(x) >= wholePoint {
				pairs = append(pairs, x)
			}
		}
	}
	slices.SortStableFunc(pairs, far)
	sets := append(single, pairs...)
	out := court.Turns{Sets: sets[:min(len(sets), mostStakes)], More: max(0, len(sets)-mostStakes), All: s.share.Exact}
	if len(checks) > 0 {
		out.All = try(checks...).Exact
	}
	return out
}

// spoil replaces all that is known of a check by the word that it is not met, as surely
// as its questions can be answered.
func spoil(list []court.Exhibit, check court.Check) []court.Exhibit {
	out := mend(list, check)
	x := &out[len(out)-1]
	x.Outcome, x.Goal, x.Rationale = court.Violation, "broken", "taken as broken"
	x.Evidence = x.Sealed()
	x.Strength, x.Label = bench.Strength(x.Evidence), "broken"
	return out
}
