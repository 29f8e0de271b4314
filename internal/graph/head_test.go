package graph_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/graph"
)

func TestMismatch(t *testing.T) {
	head := map[string]string{"commit": "9f2c41d", "rubric": "b194"}
	j := &memory{}
	finish(t, &graph.Local[State]{Graph: audit(t, fake()), Journal: j, Head: head}, docket(2))
	records := len(j.recs)
	small := graph.New[State]("audit")
	small.Node("A", fake().repo, graph.Policy{})
	small.Edge(graph.Start, "A")
	small.Edge("A", graph.End)
	tests := map[string]struct {
		l        graph.Local[State]
		n        int
		was, now bool
	}{
		"commit":  {graph.Local[State]{Graph: audit(t, fake()), Head: map[string]string{"commit": "0000000", "rubric": "b194"}}, 2, true, true},
		"rubric":  {graph.Local[State]{Graph: audit(t, fake()), Head: map[string]string{"commit": "9f2c41d"}}, 2, true, false},
		"prompts": {graph.Local[State]{Graph: audit(t, fake()), Head: map[string]string{"commit": "9f2c41d", "rubric": "b194", "prompts": ""}}, 2, false, true},
		"graph":   {graph.Local[State]{Graph: compiled(t, small), Head: head}, 2, true, true},
		"input":   {graph.Local[State]{Graph: audit(t, fake()), Head: head}, 3, true, true},
	}
	for key, tt := range tests {
		tt.l.Journal = j
		_, err := tt.l.Run(t.Context(), docket(tt.n))
		m, ok := errors.AsType[*graph.MismatchError](err)
		if !ok {
			t.Errorf("%s: %v", key, err)
			continue
		}
		_, was := m.Was[key]
		_, now := m.Now[key]
		if was != tt.was || now != tt.now || len(m.Was)+len(m.Now) > 2 || m.Was[key] == m.Now[key] && was && now {
			t.Errorf("%s: %v", key, err)
		}
	}
	if len(j.recs) != records {
		t.Error("a refused run wrote into the journal")
	}
	e := &graph.MismatchError{Was: map[string]string{"b": "1", "a": "x"}, Now: map[string]string{"b": "2"}}
	if e.Error() != `the journal is of another run: a was "x", is absent; b was "1", is "2"` {
		t.Error(e)
	}
}

// The package's own keys of the head are not for callers, and a head that is
// none is not taken for one.
func TestHeadRefuses(t *testing.T) {
	for _, key := range []string{"graph", "input", ""} {
		l := &graph.Local[State]{Graph: audit(t, fake()), Head: map[string]string{key: "x"}}
		if _, err := l.Run(t.Context(), docket(1)); err == nil || !strings.Contains(err.Error(), "checking the head") {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, head := range []string{`[]`, `null`} {
		l := &graph.Local[State]{Graph: audit(t, fake()), Journal: &memory{recs: []graph.Record{rec("head", head)}}}
		if _, err := l.Run(t.Context(), docket(1)); err == nil || !strings.Contains(err.Error(), "reading the head: ") || !errors.Is(err, graph.ErrNotJournal) {
			t.Errorf("%s: %v", head, err)
		}
	}
	ok := &memory{}
	finish(t, &graph.Local[State]{Graph: audit(t, fake()), Journal: ok}, docket(1))
	for i := range ok.recs {
		if ok.recs[i].Task == "001/EvidenceAggregator" {
			ok.recs[i].Outcome = []byte(`[]`)
		}
	}
	if _, err := (&graph.Local[State]{Graph: audit(t, fake()), Journal: ok}).Run(t.Context(), docket(1)); err == nil || !strings.Contains(err.Error(), "replaying 001/EvidenceAggregator: ") || !errors.Is(err, graph.ErrNotJournal) {
		t.Error(err)
	}
}
