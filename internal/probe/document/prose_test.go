package document

import (
	"strings"
	"testing"
)

func TestHeap(t *testing.T) {
	for text, want := range map[string]bool{
		"The judges run in parallel, and an edge from each of them leads to the chief justice, who weighs what they say by rule.": false,
		"LangGraph, Pydantic, networkx": false,
		"agent aggregator branch dissent edge fan-in fan-out judge metacognition node opinion parallel persona prosecutor reducer state synthesis thesis variance verdict " +
			"detective forensic evidence criterion rubric confidence dissent override sandbox retry typed schema join gate parser clone history commit report score figure caption": true,
		strings.Repeat("judge state opinion graph edge node reducer the ", 40): true,
		strings.Repeat("The judge is one of the nodes. ", 40):                  false,
		"Evidence: typed. Opinion: typed. State: merged by reducers.":          false,
	} {
		if got := wordList(text); got != want {
			t.Errorf("%t for %.60q", got, text)
		}
	}
}
