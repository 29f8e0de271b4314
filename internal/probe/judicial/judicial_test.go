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
