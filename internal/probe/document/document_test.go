package document

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/flow"
	"github.com/automaton-auditor/automaton/internal/probe/judicial"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	hygiene "github.com/automaton-auditor/automaton/internal/probe/project"
	"github.com/automaton-auditor/automaton/internal/probe/safety"
)

func TestProbes(t *testing.T) {
	probetest.Run(t, "testdata", Probes(), func(f *probetest.Fixture, o *probe.Options) {
		sections := slices.Concat(flow.Sections(), judicial.Sections(), hygiene.Sections(), safety.Sections())
		o.Equip = func(s *probe.Scene) {
			s.Equip(slices.Concat(flow.Probes(), judicial.Probes(), safety.Probes()), sections, assignment(f))
		}
	})
}

// assignment is the text of the rubric that a fixture has beside its tree.
func assignment(f *probetest.Fixture) []string {
	if text := f.Settings["assignment"]; text != "" {
		return []string{text}
	}
	return nil
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
