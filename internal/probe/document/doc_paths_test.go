package document

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// The remedy says which files are not there.
func TestPathsRemedyNamesFiles(t *testing.T) {
	for _, fixture := range []string{"exist_fails", "invented_fails"} {
		f := probetest.Load(t, "testdata/doc.paths/"+fixture+".txtar")
		found, err := docPaths().Run(t.Context(), f.Scene(t), probe.Args{Values: f.Args})
		if err != nil {
			t.Fatal(err)
		}
		_, gone, ok := strings.Cut(found[0].Remedy, "do not exist: ")
		if !ok || gone == "" || !strings.Contains(found[0].Rationale, gone) || found[0].Effort == 0 {
			t.Errorf("%s: %q, but %q", fixture, found[0].Remedy, found[0].Rationale)
		}
	}
}
