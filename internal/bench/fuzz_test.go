package bench

import (
	"encoding/json"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Whatever evidence a stored record holds, the bench stays on its scale, is
// the same twice, and its own opinions are admissible.
func FuzzAssess(f *testing.F) {
	c, list := workedExample()
	raw, err := json.Marshal(list)
	if err != nil {
		f.Fatal(err)
	}
	checks, err := json.Marshal(c.Checks)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(checks, raw)
	f.Add([]byte(`[{"id":"a","weight":9223372036854775807,"facet":"core","requires":["a","b"]},{"id":"a","weight":-1}]`),
		[]byte(`[{"id":"x","check":"a","outcome":"partial","source":"ast","confidence":99999,"share":-4,"coverage":7}]`))
	f.Fuzz(func(t *testing.T, checks, evidence []byte) {
		var c court.Criterion
		var list []court.Evidence
		if json.Unmarshal(checks, &c.Checks) != nil || json.Unmarshal(evidence, &list) != nil {
			t.Skip()
		}
		h := Assess(c, exhibits(list), 1)
		for _, f := range view(h) {
			if f < court.One || f > 5*court.One {
				t.Errorf("a score of %s", f)
			}
		}
		brief := NewBrief(c, 1, exhibits(list))
		for _, j := range court.Personas() {
			if o := speak(j, brief); o.Exact != h.Bench[j] || len(o.Argument) < court.MinArgument {
				t.Errorf("%s: %+v", j, o)
			}
		}
	})
}

// Whatever opinion comes in, it is admitted or refused with a reason.
func FuzzAdmit(f *testing.F) {
	c, list := workedExample()
	brief := NewBrief(c, 1, list)
	raw, err := json.Marshal(speak(court.Defense, brief))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte(`{"judge":"Defense","criterion_id":"safe_tool_engineering","round":1,"score":5,"exact":5,"citations":[{"id":"","quote":""}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var o court.Opinion
		if json.Unmarshal(raw, &o) != nil {
			t.Skip()
		}
		if err := Admit(brief, o); err == nil && (o.Score < 1 || o.Score > 5 || len(o.Cited) == 0 || len(o.Argument) < court.MinArgument) {
			t.Errorf("admitted %+v", o)
		}
	})
}

func BenchmarkAssess(b *testing.B) {
	c, list := workedExample()
	b.ReportAllocs()
	for b.Loop() {
		Assess(c, list, 1)
	}
}

func BenchmarkOpine(b *testing.B) {
	c, list := workedExample()
	brief := NewBrief(c, 1, list)
	b.ReportAllocs()
	for b.Loop() {
		speak(court.Prosecutor, brief)
	}
}
