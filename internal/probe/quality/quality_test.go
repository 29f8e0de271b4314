package quality

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

func TestProbes(t *testing.T) { probetest.Run(t, "testdata", Probes()) }

// TestWithoutOthers has nobody to read other languages than Python: what is in
// Python is told all the same.
func TestWithoutOthers(t *testing.T) {
	for _, p := range Probes() {
		s := probetest.Load(t, "testdata/arch.unused/fails.txtar").Scene(t, func(o *probe.Options) { o.Syntax = nil })
		found, err := p.Run(t.Context(), s, probe.Args{Scope: "production"})
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v, %d findings", p.ID, err, len(found))
		}
	}
}
