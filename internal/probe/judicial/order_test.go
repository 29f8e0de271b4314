package judicial

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// TestOrder draws the sheet of each repository before and after every probe of
// this room has asked its questions there: what was asked before must not
// change an answer.
func TestOrder(t *testing.T) {
	files, err := filepath.Glob("testdata/cj.*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		f := probetest.Load(t, file)
		first, _ := probe.Draw(t.Context(), f.Scene(t), Sections())
		scene := f.Scene(t)
		ps := Probes()
		for i := range ps { // the last first
			if _, err := ps[len(ps)-1-i].Run(t.Context(), scene, probe.Args{}); err != nil {
				continue // code that no probe of the part can read
			}
		}
		later, _ := probe.Draw(t.Context(), scene, Sections())
		if d := cmp.Diff(first.Justice, later.Justice); d != "" {
			t.Errorf("%s: -at first +later\n%s", file, d)
		}
		if d := cmp.Diff(first.Judges, later.Judges); d != "" {
			t.Errorf("%s: -at first +later\n%s", file, d)
		}
	}
}
