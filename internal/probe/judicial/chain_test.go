package judicial

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// The chain names both ends of every arrow.
func TestChain(t *testing.T) {
	chain, err := Portrait(t.Context(), probetest.Load(t, "testdata/chain.txtar").Scene(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range chain {
		s := fmt.Sprintf("%s %s %s", a.From, a.State, a.To)
		for _, q := range append(a.Source, a.Target...) {
			s += fmt.Sprintf(" %s:%d", q.At.Path, q.At.Line)
		}
		got = append(got, s)
	}
	want := []string{
		"clone whole evidence src/nodes.py:13 src/nodes.py:14",
		"document whole evidence src/nodes.py:18 src/nodes.py:19",
		"evidence broken message src/nodes.py:24 src/nodes.py:25",
		"answer whole opinion src/nodes.py:25 src/nodes.py:25",
		"opinions whole verdict src/nodes.py:29 src/nodes.py:34",
		"rule whole score src/nodes.py:32 src/nodes.py:34",
		"score whole report src/nodes.py:30 src/nodes.py:34",
	}
	for i, w := range want {
		if i >= len(got) || got[i] != w {
			t.Errorf("want %s of\n%s", w, strings.Join(got, "\n"))
		}
	}
}
