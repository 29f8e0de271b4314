package project

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/judicial"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/probe/safety"
)

func TestProbes(t *testing.T) {
	probetest.Run(t, "testdata", Probes(), func(_ *probetest.Fixture, o *probe.Options) {
		o.Equip = func(s *probe.Scene) { s.Equip(nil, slices.Concat(safety.Sections(), judicial.Sections()), nil) }
	})
}

func TestFacts(t *testing.T) {
	files, err := filepath.Glob("testdata/facts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			f := probetest.Load(t, file)
			sheet, faults := probe.Draw(t.Context(), f.Scene(t), Sections())
			if len(faults) > 0 {
				t.Error(faults)
			}
			f.Facts(t, sheet)
		})
	}
}
