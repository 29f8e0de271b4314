package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// gateCase stands at 3.31 of 3.72, up to 4.50; "a" is proven, "b" is not fully
// examined, "blind" has no score.
func gateCase() court.Verdict {
	three := 3
	return court.Verdict{Overall: court.Overall{Exact: 37299, Low: 33199, High: 45000}, Rulings: []court.Ruling{
		{Criterion: "a", Final: &three, Exact: 30000, Low: 29999, High: 34000, Status: court.Proven, Substituted: []court.Persona{court.Defense}},
		{Criterion: "b", Final: &three, Exact: 32000, Low: 20000, High: 50000, Status: court.Insufficient},
		{Criterion: "c", Final: &three, Exact: 30000, Low: 30000, High: 30000, Status: court.Contested,
			Holdings: []court.Holding{{Rule: "security_override", Outcome: court.Fired}}},
		{Criterion: "blind", Exact: 26761, Low: 10000, High: 50000, Status: court.Insufficient},
	}}
}

func TestGate(t *testing.T) {
	bars := func(key string, bar court.Fixed) map[string]court.Fixed { return map[string]court.Fixed{key: bar} }
	tests := map[string]struct {
		bar     Bar
		outcome string
		missed  []string
	}{
		"none":                        {Bar{}, Pass, nil},
		"proven":                      {Bar{Bars: bars("overall", 33100)}, Pass, nil},
		"exactly the low end":         {Bar{Bars: bars("overall", 33199)}, Pass, nil},
		"between low and high":        {Bar{Bars: bars("overall", 35000)}, Undecided, []string{"only 3.31 of 3.72 is proven; the bar is 3.50"}},
		"exactly the high end":        {Bar{Bars: bars("overall", 45000)}, Undecided, []string{"only 3.31 of 3.72 is proven; the bar is 4.50"}},
		"open after a failure":        {Bar{Bars: map[string]court.Fixed{"a": 32000, "b": 30000}}, Fail, []string{"a: only 2.99 of 3.00 is proven; the bar is 3.20", "b: only 2.00 of 3.20 is proven; the bar is 3.00"}},
		"above high":                  {Bar{Bars: bars("overall", 45100)}, Fail, []string{"only 3.31 of 3.72 is proven; the bar is 4.51"}},
		"printed as the bar is not":   {Bar{Bars: bars("a", 30000)}, Fail, []string{"a: only 2.99 of 3.00 is proven; the bar is 3.00"}},
		"a criterion half examined":   {Bar{Bars: bars("b", 30000)}, Undecided, []string{"b: only 2.00 of 3.20 is proven; the bar is 3.00"}},
		"a criterion at its score":    {Bar{Bars: bars("c", 35000)}, Fail, []string{"c: 3.00 is below the bar of 3.50"}},
		"no score":                    {Bar{Bars: bars("blind", 10000)}, Undecided, []string{"blind: no score; the bar is 1.00"}},
		"not heard":                   {Bar{Bars: bars("zebra", 20000)}, Fail, []string{"zebra: not judged; the bar is 2.00"}},
		"one fails, one is open":      {Bar{Bars: map[string]court.Fixed{"b": 30000, "c": 35000, "overall": 30000}}, Fail, []string{"b: only 2.00 of 3.20 is proven; the bar is 3.00", "c: 3.00 is below the bar of 3.50"}},
		"override":                    {Bar{FailOn: []string{FailOnOverride}}, Fail, []string{"c: a confirmed security flaw caps the score (security_override)"}},
		"contested":                   {Bar{FailOn: []string{FailOnContested}}, Fail, []string{"c: contested"}},
		"insufficient":                {Bar{FailOn: []string{FailOnInsufficient}}, Fail, []string{"b: insufficient", "blind: insufficient"}},
		"substituted":                 {Bar{FailOn: []string{FailOnSubstituted}}, Fail, []string{"a: the built-in judge takes the seat of the Defense"}},
		"proven is no condition":      {Bar{FailOn: []string{"proven"}}, Pass, nil},
		"degraded cannot pass":        {Bar{Bars: bars("overall", 20000), Degraded: true}, Undecided, []string{"too few of the judges that were asked for gave an opinion"}},
		"degraded can fail":           {Bar{Bars: bars("c", 35000), Degraded: true}, Fail, []string{"c: 3.00 is below the bar of 3.50"}},
		"degraded leaves things open": {Bar{Bars: bars("a", 32000), Degraded: true}, Undecided, []string{"a: only 2.99 of 3.00 is proven; the bar is 3.20"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := Gate(gateCase(), tc.bar)
			if tc.missed == nil {
				tc.missed = []string{}
			}
			if diff := cmp.Diff(tc.missed, got.Missed); diff != "" || got.Outcome != tc.outcome {
				t.Errorf("%s, want %s; missed (-want +got)\n%s", got.Outcome, tc.outcome, diff)
			}
			if got.Bars == nil || got.FailOn == nil {
				t.Error("the gate does not keep what was asked")
			}
		})
	}
}

func TestGateOverCap(t *testing.T) {
	v := gateCase()
	v.Overall.Capped = true
	got := Gate(v, Bar{FailOn: []string{FailOnOverride}})
	if diff := cmp.Diff([]string{"a confirmed security flaw caps the total (security_override)", "c: a confirmed security flaw caps the score (security_override)"}, got.Missed); diff != "" {
		t.Errorf("missed (-want +got)\n%s", diff)
	}
	if got := Gate(court.Verdict{}, Bar{Bars: map[string]court.Fixed{"overall": court.One}}); got.Outcome != Fail {
		t.Errorf("a case in which nothing was heard: %+v", got)
	}
}
