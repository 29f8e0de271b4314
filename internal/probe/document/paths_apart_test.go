package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/passage"
)

func TestStatementsAfterADiagram(t *testing.T) {
	p := &passage.Passage{Kind: passage.Body, Text: "graph TD A -->|not yet checked| B The graph has 2 nodes. It ends.",
		Lines: []passage.Line{{Text: "graph TD"}, {Text: "A -->|not yet checked| B"}, {Text: "The graph has 2 nodes. It ends."}}}
	var got []string
	for _, st := range statements(p) {
		got = append(got, st.text)
	}
	if d := cmp.Diff([]string{"graph TD A -->|not yet checked| B", "The graph has 2 nodes.", "It ends."}, got); d != "" {
		t.Error(d)
	}
}
