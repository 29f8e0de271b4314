package safety

import (
	"path/filepath"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

func TestProbes(t *testing.T) { probetest.Run(t, "testdata", Probes()) }

func TestFacts(t *testing.T) {
	files, err := filepath.Glob("testdata/facts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			f := probetest.Load(t, file)
			sheet, faults := probe.Draw(t.Context(), f.Scene(t), Sections())
			if len(faults) > 0 {
				t.Errorf("faults: %v", faults)
			}
			f.Facts(t, sheet)
		})
	}
}
