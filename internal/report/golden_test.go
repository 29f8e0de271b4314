package report

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldenRecords is every record that every format is tried on.
func goldenRecords() map[string]*court.Record {
	return map[string]*court.Record{
		"capped": cappedRecord(), "good": goodRecord(), "blind": blindRecord(), "mistrial": mistrialRecord(), "attack": attackRecord(), "models": modelsRecord(),
		"attack-models": attackModelsRecord(),
	}
}

func TestGolden(t *testing.T) {
	for name, rec := range goldenRecords() {
		for _, f := range Formats {
			if f.Name == "github-summary" {
				continue // of these records it is the Markdown report: TestStepSummary
			}
			t.Run(name+" "+f.Name, func(t *testing.T) {
				var b bytes.Buffer
				if err := f.Write(&b, rec); err != nil {
					t.Fatal(err)
				}
				compareGolden(t, name+cmp.Or(f.Ext, "."+f.Name), b.Bytes())
			})
		}
	}
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; -update writes it anew (-want +got):\n%s", name, diff)
	}
}
