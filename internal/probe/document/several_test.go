package document

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
)

// TestEveryProbeKnowsSeveral fails when a probe of the document says nothing of
// what its answers about several documents come to.
func TestEveryProbeKnowsSeveral(t *testing.T) {
	for _, p := range Probes() {
		args := []probe.Args{{}}
		for _, a := range p.Args {
			for _, v := range a.Allowed {
				args = append(args, probe.Args{Values: map[string]any{a.Name: v}})
			}
		}
		for _, a := range args {
			if p.Several(a) == "" {
				t.Errorf("%s %v", p.ID, a.Values)
			}
		}
	}
}
