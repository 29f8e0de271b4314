package probe

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestFindingsAreBounded(t *testing.T) {
	var found []Finding
	for range 3 * maxFindings {
		found = append(found, Cannot(court.Dynamic, nil, "open"))
	}
	grave := Against(court.AST, nil, "grave")
	grave.Security = &court.Flaw{Severity: court.High, Tainted: "yes"}
	found = append(found, Against(court.AST, nil, "plain"), grave)
	got := fewest(found)
	if len(got) != maxFindings || got[0].Rationale != "grave" || got[1].Rationale != "plain" {
		t.Errorf("%d findings, the first %q, want %d that begin with the grave one", len(got), got[0].Rationale, maxFindings)
	}
	if last := got[len(got)-1].Rationale; !strings.HasSuffix(last, "402 more such places are not listed") {
		t.Errorf("the last says %q", last)
	}
	if few := fewest([]Finding{found[5], grave}); len(few) != 2 || few[0].Rationale != "open" {
		t.Error("few findings are changed")
	}
}
