package agentgraph

import "testing"

func TestRoleOfName(t *testing.T) {
	tests := map[string]Role{
		"repo_investigator": RoleDetective, "RepoInvestigator": RoleDetective, "doc_analyst": RoleDetective, "VisionInspector": RoleDetective,
		"git_forensics": RoleDetective, "report_analyst": RoleDetective, "pdf": RoleDetective, "code_detective": RoleDetective,
		"report_generator": RoleOther, "clone_repo": RoleOther, "validate_repo_url": RoleOther, "context_builder": RoleOther,
		"repo_gate": RoleOther, "detective_dispatch": RoleOther, "skip_repo": RoleHandler, "repo_fallback": RoleHandler,
		"evidence_aggregator": RoleAggregator, "EvidenceCollector": RoleAggregator, "sync_evidence": RoleAggregator, "evidence_synthesizer": RoleAggregator,
		"prosecutor": RoleJudge, "ProsecutorNode": RoleJudge, "defence": RoleJudge, "TechLead": RoleJudge, "techlead": RoleJudge, "judges": RoleJudge,
		"evaluate_criterion": RoleJudge, "evaluate_batch_criterion": RoleJudge, "judge_doc": RoleJudge,
		"judge_aggregator": RoleOther, "judge_dispatch": RoleOther, "judicial_entry": RoleOther, "opinions_collector": RoleOther,
		"judge_error_handler": RoleHandler, "judicial_fallback": RoleHandler, "LowConfidenceHandler": RoleHandler, "abort": RoleHandler,
		"chief_justice": RoleChief, "Justice": RoleChief, "final_verdict": RoleChief, "synthesis_engine": RoleChief, "supreme_court": RoleChief,
		"chief_investigator": RoleUnknown, "": RoleOther, "node_1": RoleOther,
	}
	for name, want := range tests {
		if got := RoleOfName(name); got != want {
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
