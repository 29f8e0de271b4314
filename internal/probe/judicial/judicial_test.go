package judicial

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

func TestProbes(t *testing.T) { probetest.Run(t, "testdata", Probes()) }

func TestFacts(t *testing.T) {
	files, err := filepath.Glob("testdata/facts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures of facts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			f := probetest.Load(t, file)
			sheet, faults := probe.Draw(t.Context(), f.Scene(t), Sections())
			for _, x := range faults {
				t.Error(x)
			}
			f.Facts(t, sheet)
		})
	}
}

// TestProofs checks where the sheet finds a rule when several places speak of
// it.
func TestProofs(t *testing.T) {
	for file, want := range map[string][2]string{
		"chief_is_an_object":  {"justice.dissent", "justice.py:13"},
		"overruled_otherwise": {"justice.fact_supremacy", "justice.py:7"},
	} {
		f := probetest.Load(t, "testdata/facts/"+file+".txtar")
		sheet, _ := probe.Draw(t.Context(), f.Scene(t), Sections())
		if got := sheet.Proof[want[0]]; got.Text != want[1] {
			t.Errorf("%s: %s stands at %q, want %q", file, want[0], got.Text, want[1])
		}
	}
}
