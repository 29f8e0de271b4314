package agentgraph

import (
	"encoding/json"
	"os"
	"testing"
)

// The layers of the courtroom, in which the tests of this package are written.
const (
	detective Role = "detective"
	judge     Role = "judge"
	chief     Role = "chief"
)

// courtroom reads the profile of the courtroom from where it lies: package
// rubric stands above this one.
func courtroom(t testing.TB) *Profile {
	t.Helper()
	raw, err := os.ReadFile("../rubric/profile/courtroom.json")
	if err != nil {
		t.Fatal(err)
	}
	p := &Profile{}
	if err := json.Unmarshal(raw, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRoleOf(t *testing.T) {
	tests := map[string]Role{
		"repo_investigator": detective, "RepoInvestigator": detective, "doc_analyst": detective, "VisionInspector": detective,
		"git_forensics": detective, "report_analyst": detective, "pdf": detective, "code_detective": detective,
		"report_generator": RoleOther, "clone_repo": RoleOther, "validate_repo_url": RoleOther, "context_builder": RoleOther,
		"repo_gate": RoleOther, "detective_dispatch": RoleOther, "skip_repo": RoleHandler, "repo_fallback": RoleHandler,
		"evidence_aggregator": RoleAggregator, "EvidenceCollector": RoleAggregator, "sync_evidence": RoleAggregator, "evidence_synthesizer": RoleAggregator,
		"prosecutor": judge, "ProsecutorNode": judge, "defence": judge, "TechLead": judge, "techlead": judge, "judges": judge,
		"evaluate_criterion": judge, "evaluate_batch_criterion": judge, "judge_doc": judge,
		"judge_aggregator": RoleOther, "judge_dispatch": RoleOther, "judicial_entry": RoleOther, "opinions_collector": RoleOther,
		"judge_error_handler": RoleHandler, "judicial_fallback": RoleHandler, "LowConfidenceHandler": RoleHandler, "abort": RoleHandler,
		"chief_justice": chief, "Justice": chief, "final_verdict": chief, "synthesis_engine": chief, "supreme_court": chief,
		"chief_investigator": RoleUnknown, "": RoleOther, "node_1": RoleOther,
	}
	p := courtroom(t)
	for name, want := range tests {
		if got := p.RoleOf(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestLabel(t *testing.T) {
	for name, want := range map[string]string{START: "START", END: "END", "START": "START", "a": "a"} {
		if got := Label(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
