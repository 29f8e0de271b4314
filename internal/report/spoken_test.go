package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestSpoken(t *testing.T) {
	label := func(id string) string { return strings.ToUpper(strings.TrimPrefix(id, "ev-")) }
	a := court.Citation{ID: "ev-e1", Check: "a", Stance: "for", Text: `Met: "The graph fans out."`}
	b := court.Citation{ID: "ev-e2", Check: "b", Stance: "against", Text: `Not met: "The branches join." No node joins them (a.py:3)`}
	opinion := func(argument string, claims ...court.Citation) *court.Opinion {
		return &court.Opinion{Argument: argument, Citations: claims}
	}
	both := opinion(`It is strict. Met: "The graph fans out" [E1]. Not met: "The branches join." No node joins them (a.py:3) [E2]. It is 4.`, a, b)
	one := opinion(`It is mild. Met: "The graph fans out" [E1].`, a)
	old := opinion(`Holds: The graph fans out E1. It gives 5 of 5.`, court.Citation{ID: "ev-e1", Check: "a", Stance: "for", Text: "Holds: The graph fans out"})
	graph, join := `Met: "The graph fans out" [E1].`, `Not met: "The branches join." No node joins them (a.py:3) [E2].`
	tests := map[string]struct {
		opinions []*court.Opinion
		want     [][]said
	}{
		"one claim shared": {[]*court.Opinion{both, one}, [][]said{
			{{text: "It is strict."}, {text: graph, claim: &a, shared: true}, {text: join, claim: &b}, {text: "It is 4."}},
			{{text: "It is mild."}, {text: graph, claim: &a, shared: true}}}},
		"nothing shared by all": {[]*court.Opinion{one, old}, [][]said{
			{{text: "It is mild."}, {text: graph, claim: &a}}, {{text: old.Argument}}}},
		"alone":      {[]*court.Opinion{one}, [][]said{{{text: "It is mild."}, {text: graph, claim: &a}}}},
		"no opinion": {nil, [][]said{}},
		"no words":   {[]*court.Opinion{opinion("")}, [][]said{nil}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, spoken(tc.opinions, label), cmp.AllowUnexported(said{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
