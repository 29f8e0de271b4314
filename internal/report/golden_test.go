package report

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"strings"
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
				text := b.Bytes()
				if f.Name == "html" {
					text = withoutShell(t, rec, text)
				}
				compareGolden(t, name+cmp.Or(f.Ext, "."+f.Name), text)
			})
		}
	}
}

// The style, the script and their policy, which every page has: golden once, so
// that a change of them rewrites this file alone.
func TestGoldenShell(t *testing.T) {
	css, js, err := inlineBlocks(true)
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "shell.txt", []byte(css+"\n"+js))
}

// inAttribute spells a digest as an attribute of the page has it.
var inAttribute = strings.NewReplacer("'", "&#39;", "+", "&#43;")

// withoutShell is a page without its style and its script, their digests in the
// policy, and the record in it, which is the golden record: each is compared
// here, and must stand in the page exactly once.
func withoutShell(t *testing.T, rec *court.Record, page []byte) []byte {
	t.Helper()
	css, js, err := inlineBlocks(newPage(rec, nil, false).Models)
	if err != nil {
		t.Fatal(err)
	}
	record, err := embeddedRecord(rec)
	if err != nil {
		t.Fatal(err)
	}
	for word, text := range map[string]string{
		"<style>STYLE</style>": "<style>" + css + "</style>", "<script>SCRIPT</script>": "<script>" + js + "</script>", ">RECORD</script>": ">" + record + "</script>",
		"STYLE-DIGEST": inAttribute.Replace(sourceDigest(css)), "SCRIPT-DIGEST": inAttribute.Replace(sourceDigest(js)),
	} {
		if n := bytes.Count(page, []byte(text)); n != 1 {
			t.Errorf("what stands for %s is in the page %d times", word, n)
		}
		page = bytes.ReplaceAll(page, []byte(text), []byte(word))
	}
	return page
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
