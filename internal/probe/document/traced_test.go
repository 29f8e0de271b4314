package document

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// A picture whose boxes and arrows were read is a figure for sure; one that may be anything is only placed.
func TestTracedInventory(t *testing.T) {
	for file, want := range map[string]court.Source{"pixels": court.Structure, "pixels_table": court.Layout} {
		s := probetest.Load(t, "testdata/diagram.kind/"+file+".txtar").Scene(t)
		found, err := imgInventory().Run(t.Context(), s, probe.Args{})
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		f := found[0]
		if f.Outcome != court.Present || f.Source != want || strings.Contains(f.Rationale, "pixels") != (want == court.Structure) {
			t.Errorf("%s: %+v", file, f)
		}
	}
}

// What a picture does not show is never held against anybody, whatever is asked.
func TestTracedNeverAccuses(t *testing.T) {
	for _, file := range []string{"diagram.parallel/pixels_one_layer", "diagram.parallel/pixels_table", "diagram.contradiction/pixels"} {
		s := probetest.Load(t, "testdata/"+file+".txtar").Scene(t)
		for _, p := range []probe.Probe{diagramParallel(), diagramKind(), diagramGraph(), diagramMatch(), diagramContradiction()} {
			args := []probe.Args{{}}
			for _, a := range p.Args {
				for _, v := range a.Allowed {
					args = append(args, probe.Args{Values: map[string]any{a.Name: v}})
				}
			}
			for _, a := range args {
				found, err := p.Run(t.Context(), s, a)
				if err != nil || len(found) != 1 {
					t.Fatal(p.ID, a, found, err)
				}
				if f := found[0]; f.Outcome != court.Present && (f.Outcome != court.Unknown || !f.Reason.Ours()) {
					t.Errorf("%s %v of %s: %+v", p.ID, a.Values, file, f)
				}
			}
		}
	}
}
