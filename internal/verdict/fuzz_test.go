package verdict

import (
	"encoding/json"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Whatever a stored record holds, deciding it again ends with a verdict on the
// scale, or with an error.
func FuzzDecide(f *testing.F) {
	p := wholeCase()
	hearings, err := json.Marshal(p.Hearings)
	if err != nil {
		f.Fatal(err)
	}
	opinions, err := json.Marshal(p.Opinions)
	if err != nil {
		f.Fatal(err)
	}
	synthesis, err := json.Marshal(p.Rubric.Synthesis)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(hearings, opinions, synthesis, int64(10000))
	f.Add([]byte(`[{"criterion_id":"safe_tools","bench":{"Prosecutor":-5}},{"criterion_id":"langgraph_architecture"},{"criterion_id":"report","conflict":1e12}]`),
		[]byte(`[{"judge":"Jury","criterion_id":"report","score":9}]`), []byte(`{"spread":{"gt":-1},"security_override":{"on":true,"scope":"both","cap":-3}}`), int64(-1))
	f.Fuzz(func(t *testing.T, hearings, opinions, synthesis []byte, weight int64) {
		p := wholeCase()
		p.Hearings, p.Opinions = nil, nil
		if json.Unmarshal(hearings, &p.Hearings) != nil || json.Unmarshal(opinions, &p.Opinions) != nil ||
			json.Unmarshal(synthesis, &p.Rubric.Synthesis) != nil {
			t.Skip()
		}
		p.Rubric.Criteria[0].Weight = court.Fixed(weight)
		Disputed(p)
		v, err := Decide(p)
		if err != nil {
			t.Skip()
		}
		if len(v.Rulings) != 3 || v.Headline == "" {
			t.Errorf("%+v", v)
		}
		for _, r := range v.Rulings {
			for i, h := range r.Holdings[1:] {
				if r.Holdings[i].After != h.Before {
					t.Errorf("%s: the holdings do not chain", r.Criterion)
				}
			}
		}
	})
}
