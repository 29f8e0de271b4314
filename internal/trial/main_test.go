package trial

import (
	"os"
	"testing"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// The test binary is its own parser workers, for the benchmarks.
func TestMain(m *testing.M) {
	sandbox.Main(Workers())
	os.Exit(m.Run())
}
