package trial

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// theDrawing is the audit graph of the specification: detectives side by side,
// a join, judges side by side, a join, one way out when nothing can be heard
// and one way back, once.
const theDrawing = `flowchart TD
  __start__([START])
  __end__([END])
  RepoInvestigator["RepoInvestigator"]
  DocAnalyst["DocAnalyst"]
  VisionInspector["VisionInspector"]
  EvidenceAggregator{{"EvidenceAggregator"}}
  Prosecutor[["Prosecutor × n"]]
  Defense[["Defense × n"]]
  TechLead[["TechLead × n"]]
  ChiefJustice{{"ChiefJustice"}}
  ErrorHandler["ErrorHandler"]
  __start__ --> RepoInvestigator
  __start__ --> DocAnalyst
  __start__ --> VisionInspector
  RepoInvestigator --> EvidenceAggregator
  DocAnalyst --> EvidenceAggregator
  VisionInspector --> EvidenceAggregator
  EvidenceAggregator -. "hear" .-> Prosecutor
  EvidenceAggregator -. "hear" .-> Defense
  EvidenceAggregator -. "hear" .-> TechLead
  EvidenceAggregator -. "mistrial" .-> ErrorHandler
  Prosecutor --> ChiefJustice
  Defense --> ChiefJustice
  TechLead --> ChiefJustice
  ChiefJustice -. "re-evaluate, at most 1" .-> RepoInvestigator
  ChiefJustice -. "re-evaluate, at most 1" .-> DocAnalyst
  ChiefJustice -. "re-evaluate, at most 1" .-> VisionInspector
  ChiefJustice -. "ask again, at most 1" .-> Prosecutor
  ChiefJustice -. "ask again, at most 1" .-> Defense
  ChiefJustice -. "ask again, at most 1" .-> TechLead
  ChiefJustice -. "settled" .-> __end__
  ErrorHandler --> __end__
`

func TestGraphIsTheSpecified(t *testing.T) {
	g, err := Graph()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(theDrawing, g.Draw().Mermaid()); d != "" {
		t.Errorf("drawing (-want +got):\n%s", d)
	}
	waits := map[string][]string{}
	for _, n := range g.Draw().Nodes {
		if n.Waits != nil {
			waits[n.Name] = n.Waits
		}
	}
	want := map[string][]string{
		"EvidenceAggregator": {"RepoInvestigator", "DocAnalyst", "VisionInspector"},
		"ChiefJustice":       {"Prosecutor", "Defense", "TechLead"},
	}
	if d := cmp.Diff(want, waits); d != "" {
		t.Errorf("joins (-want +got):\n%s", d)
	}
}
