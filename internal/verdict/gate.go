package verdict

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What a gate can fail on besides its bars.
const (
	FailOnOverride     = securityOverrideID
	FailOnContested    = string(court.Contested)
	FailOnInsufficient = string(court.Insufficient)
	FailOnSubstituted  = "substituted"
	FailOnRegression   = "regression"
)

// The outcomes of a gate.
const (
	Pass      = "pass"
	Fail      = "fail"
	Undecided = "insufficient"
)

// Bar is what a case has to reach.
type Bar struct {
	Bars   map[string]court.Fixed // court.OverallID or a criterion's id
	FailOn []string               // FailOnOverride, FailOnContested, FailOnInsufficient, FailOnSubstituted, FailOnRegression
	Fallen []string               // what fell since the case was heard before, in words
	// Degraded says that too few of the judges that were asked for spoke: such
	// a case cannot pass.
	Degraded bool
}

// Gate holds a verdict against a bar. It passes on what is proven: the low end
// of a score has to reach the bar. A bar between low and high is undecided when
// something in its reach could not be examined: then a criterion without a score is, too. A
// bar that more looking would not reach, and a condition that is met, fail the case. A
// criterion that was not heard fails its own bar.
func Gate(v court.Verdict, b Bar) court.Gate {
	g := court.Gate{Bars: b.Bars, FailOn: append([]string{}, b.FailOn...), Outcome: Pass, Missed: []string{}}
	if g.Bars == nil {
		g.Bars = map[string]court.Fixed{}
	}
	worst := Pass
	note := func(outcome, text string) {
		if outcome != Pass {
			g.Missed = append(g.Missed, text)
		}
		if worst != Fail && outcome != Pass {
			worst = outcome
		}
	}
	for _, key := range barOrder(v, b.Bars) {
		note(measure(v, b, key))
	}
	for _, what := range b.FailOn {
		for _, text := range met(v, what) {
			note(Fail, text)
		}
		if what == FailOnRegression {
			for _, text := range b.Fallen {
				note(Fail, "regression: "+text)
			}
		}
	}
	if worst == Pass && b.Degraded {
		note(Undecided, "too few of the judges that were asked for gave an opinion")
	}
	if worst == Pass && len(v.Rulings) == 0 {
		note(Undecided, "no criterion was judged")
	}
	g.Outcome = worst
	return g
}

// barOrder is the overall, the criteria in the verdict's order, then ids that
// were not heard.
func barOrder(v court.Verdict, bars map[string]court.Fixed) []string {
	keys := []string{court.OverallID}
	for _, r := range v.Rulings {
		keys = append(keys, r.Criterion)
	}
	var strange []string
	for key := range bars {
		if !slices.Contains(keys, key) {
			strange = append(strange, key)
		}
	}
	slices.Sort(strange)
	return slices.DeleteFunc(append(keys, strange...), func(key string) bool { _, ok := bars[key]; return !ok })
}

// measure tells what becomes of one bar, and says it in words when it is missed.
func measure(v court.Verdict, b Bar, key string) (outcome, text string) {
	bar := b.Bars[key]
	prefix, low, exact, high := "", v.Overall.Low, v.Overall.Exact, v.Overall.High
	open := func(r court.Ruling) bool { return r.Status == court.Insufficient }
	unsure := b.Degraded || slices.ContainsFunc(v.Rulings, open)
	if key != court.OverallID {
		i := slices.IndexFunc(v.Rulings, func(r court.Ruling) bool { return r.Criterion == key })
		if i < 0 {
			return Fail, fmt.Sprintf("%s: not judged; the bar is %s", key, bar.Shown())
		}
		r := v.Rulings[i]
		if r.Final == nil {
			outcome = Fail
			if bar <= r.High {
				outcome = Undecided
			}
			return outcome, fmt.Sprintf("%s: no score; the bar is %s", key, bar.Shown())
		}
		prefix, low, exact, high, unsure = key+": ", r.Low, r.Exact, r.High, b.Degraded || open(r)
	} else if len(v.Rulings) == 0 {
		return Fail, fmt.Sprintf("no criterion was judged; the bar is %s", bar.Shown())
	}
	switch {
	case low >= bar:
		return Pass, ""
	case bar <= high && unsure:
		outcome = Undecided
	default:
		outcome = Fail
	}
	if key == court.OverallID && v.Overall.Unscored {
		return outcome, fmt.Sprintf("no score; the bar is %s", bar.Shown())
	}
	if low.Shown() == exact.Shown() {
		return outcome, fmt.Sprintf("%s%s is below the bar of %s", prefix, exact.Shown(), bar.Shown())
	}
	return outcome, fmt.Sprintf("%sonly %s of %s is proven; the bar is %s", prefix, low.Shown(), exact.Shown(), bar.Shown())
}

// met lists in words where a condition is met.
func met(v court.Verdict, what string) []string {
	var out []string
	if what == FailOnOverride && v.Overall.Capped {
		out = append(out, "a confirmed security flaw caps the total (security_override)")
	}
	for _, r := range v.Rulings {
		switch {
		case what == FailOnOverride && slices.ContainsFunc(r.Holdings, func(h court.Holding) bool {
			return h.Rule == securityOverrideID && h.Outcome == court.Fired
		}):
			out = append(out, r.Criterion+": a confirmed security flaw caps the score (security_override)")
		case what == string(r.Status) && r.Status != court.Proven:
			out = append(out, r.Criterion+": "+string(r.Status))
		case what == FailOnSubstituted && len(r.Substituted) > 0:
			out = append(out, r.Criterion+": the built-in judge takes the seat of "+names(r.Substituted))
		}
	}
	return out
}
