package trial

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/document"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// A row of the PDF's ledger whose words do not stand at its place is struck, and
// the inquiry says so without being incomplete for it.
func TestClaimsAreReadAgain(t *testing.T) {
	s := probetest.Load(t, "../probe/document/testdata/ledger/kinds.txtar").Scene(t)
	rows, _, err := document.Claims(t.Context(), s)
	if err != nil || len(rows) < 3 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	rows[1].Quote = "Nobody said so."
	a := &aggregation{state: court.State{Document: &court.PDF{Claims: rows}}}
	a.claims(t.Context(), s)
	left := a.patch.Document.Claims
	if len(left) != len(rows)-1 || left[0].Subject != rows[0].Subject || left[1].Subject != rows[2].Subject {
		t.Errorf("%d of %d rows are left", len(left), len(rows))
	}
	if len(a.patch.Faults) != 1 || a.patch.Faults[0].Blocks {
		t.Errorf("faults: %+v", a.patch.Faults)
	}
	again := &aggregation{state: court.State{Document: &court.PDF{Claims: rows}, Disputed: []string{"x"}}}
	if again.claims(t.Context(), s); again.patch.Document != nil {
		t.Error("the second round reads the ledger again")
	}
}
