package trial

import (
	"os"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

// A repository of one line earns nothing by what it does not have: no criterion of the
// guide's own rubric, or of the one for any repository, gives it more than 2.
func TestEmptinessEarnsNothing(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/rubrics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(guide), "```json\n{\n  \"rubric_metadata\"")
	text, _, _ = strings.Cut(text, "\n```")
	software, err := rubric.Builtin("software", Catalogue(Probes()))
	if err != nil {
		t.Fatal(err)
	}
	f := probetest.Load(t, "testdata/hello.txtar")
	for name, r := range map[string]*court.Rubric{"guide": load(t, "{\n  \"rubric_metadata\""+text, Probes()), "software": software} {
		h := hearing(t, f.Scene(t))
		h.Rubric = r
		rec := try(t, h)
		if len(rec.Verdict.Rulings) < 6 {
			t.Errorf("%s: %d criteria", name, len(rec.Verdict.Rulings))
		}
		for _, x := range rec.Verdict.Rulings {
			if x.Final != nil && *x.Final > 2 {
				t.Errorf("%s: %s has %d", name, x.Criterion, *x.Final)
			}
		}
		for _, m := range rec.Remedies {
			if strings.Contains(strings.ToLower(m.Text), "graph") {
				t.Errorf("%s asks for a graph: %s", name, m.Text)
			}
		}
	}
}
