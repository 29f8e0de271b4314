package document

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// What may stand on pages that nobody read is not absent.
func TestUnreadIsNotAbsent(t *testing.T) {
	for name, test := range map[string]struct {
		pages int
		limit court.Outcome
		term  bool // the fact sheet knows about a term
	}{
		"read whole": {2, court.Absent, true},
		"too long":   {302, court.Unknown, false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "report.txtar")
			text := "pdf: report.txt\n-- report.txt --\n# A report\n\nIt has words.\n" + strings.Repeat("---\nAnd more.\n", test.pages-1)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := probetest.Load(t, file).Scene(t)
			all := Probes()
			at := slices.IndexFunc(all, func(p probe.Probe) bool { return p.ID == "doc.limits" })
			found, err := all[at].Run(t.Context(), s, probe.Args{})
			if err != nil || len(found) != 1 || found[0].Outcome != test.limit {
				t.Fatalf("%+v, %v", found, err)
			}
			if told := strings.Contains(found[0].Rationale, "300 of 302 pages were read"); told == test.term {
				t.Errorf("rationale %q", found[0].Rationale)
			}
			at = slices.IndexFunc(all, func(p probe.Probe) bool { return p.ID == "pdf.integrity" })
			found, err = all[at].Run(t.Context(), s, probe.Args{})
			if err != nil || len(found) != 1 || strings.Contains(found[0].Rationale, "300 of them were read") == test.term {
				t.Errorf("%+v, %v", found, err)
			}
			sheet, _ := probe.Draw(t.Context(), s, Sections())
			if known := sheet.Report.Terms.Metacognition != nil; known != test.term {
				t.Errorf("known: %v", known)
			}
		})
	}
}
