package craft

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

func TestProbes(t *testing.T) { probetest.Run(t, "testdata", Probes()) }
