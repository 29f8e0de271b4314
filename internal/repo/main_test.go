package repo

import (
	"os"
	"testing"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main(nil)
	confine()
	os.Exit(m.Run())
}
