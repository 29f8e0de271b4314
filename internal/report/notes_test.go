package report

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// A flaw that is not confirmed stands beside no score without a word.
func TestUnconfirmedFlaws(t *testing.T) {
	rec := cappedRecord()
	for i := range rec.Evidences["safe_tool_engineering"] {
		if f := rec.Evidences["safe_tool_engineering"][i].Security; f != nil {
			f.Confirmed = false
		}
	}
	for i := range rec.Verdict.Rulings {
		if h := holding(&rec.Verdict.Rulings[i], "security_override"); h != nil {
			h.Outcome = court.Idle
		}
	}
	for _, format := range []string{"text", "md", "csv", "sarif", "github", "junit"} {
		if text := strings.Join(strings.Fields(inFormat(t, format, rec)), " "); !strings.Contains(text, noCap) {
			t.Errorf("%s does not say that the flaw is not confirmed", format)
		}
	}
}

// What the judges hold against a check without evidence is not told as a finding.
func TestProblemNeedsEvidence(t *testing.T) {
	rec := blindRecord()
	d := newDocket(rec)
	if got := d.problem("theoretical_depth"); strings.Contains(got, "Not met") {
		t.Errorf("got %q", got)
	}
}
