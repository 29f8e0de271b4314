package rubric

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

const sentencesOfOurs = `# Harbour service

1. Berths: every berth has a test.
- The service closes its doors: it calls ` + "`server.Shutdown`" + `.
* There is a license and painted boats.
(4) Boats are painted.
There is a license and painted boats.
A report states its limitations.
The figure shows berths.
`

func TestDraft(t *testing.T) {
	raw, list, err := Draft("sentences.txt", strings.NewReader(sentencesOfOurs), catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []Drafted{
		{3, "berths", 2, "", nil},
		{4, "service_closes_doors", 1, "", []string{"The service closes its doors"}},
		{5, "license_painted_boats", 1, "", []string{"painted boats"}},
		{6, "boats_painted", 0, "", []string{"Boats are painted"}},
		{7, "license_painted_boats_5", 0, "license_painted_boats", []string{"painted boats"}},
		{8, "report_states_limitations", 1, "", nil},
		{9, "figure_shows_berths", 3, "", nil},
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r := mustLoad(t, string(raw))
	if r.Name != "Harbour service" || len(r.Criteria) != len(want) {
		t.Fatalf("%q with %d criteria", r.Name, len(r.Criteria))
	}
	for i, c := range r.Criteria {
		if c.ID != want[i].ID || len(c.Checks) != want[i].Checks {
			t.Errorf("%s with %d checks, want %v", c.ID, len(c.Checks), want[i])
		}
		binding := "own"
		if want[i].Checks == 0 {
			binding = "manual"
		}
		if c.Binding != binding {
			t.Errorf("%s is bound %s, want %s", c.ID, c.Binding, binding)
		}
	}
	if c := r.Criteria[0]; c.Name != "Berths" || c.Instruction != "every berth has a test." || c.Artifacts[0] != court.GithubRepo {
		t.Errorf("%q, %q, %v", c.Name, c.Instruction, c.Artifacts)
	}
	if c := r.Criteria[1]; c.Name != "The service closes its doors" || !strings.HasPrefix(c.Instruction, c.Name) {
		t.Errorf("a long label: %q, %q", c.Name, c.Instruction)
	}
	if r.Criteria[5].Artifacts[0] != court.PDFReport || r.Criteria[6].Artifacts[0] != court.PDFImages {
		t.Errorf("of the report: %v, of its figure: %v", r.Criteria[5].Artifacts, r.Criteria[6].Artifacts)
	}
	again, _, err := Draft("-", strings.NewReader(sentencesOfOurs), catalogue(t))
	if err != nil || !bytes.Equal(raw, again) {
		t.Errorf("another draft from the same sentences (%v)", err)
	}
	fits(t, compile(t, "../../schema/rubric-v1.json"), "draft", raw)
}

// A draft is a beginning that nothing is to be said against: lint finds nothing in
// it, whatever the sentences are.
func TestDraftsLintClean(t *testing.T) {
	lists := []string{sentencesOfOurs, "It never calls `os.system`.\nIt calls `subprocess.run` in src/app/main.py.\nCI runs tests.\nTests: CI runs the tests on every push.\nThe code mentions `boats`.\nAt least ten commits.\n"}
	files, err := filepath.Glob("testdata/dialects/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var words strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range regexp.MustCompile(`"[^"\n]{20,300}"`).FindAllString(string(raw), 60) {
			words.WriteString(strings.Trim(s, `"`) + "\n")
		}
		lists = append(lists, words.String())
		words.Reset()
	}
	drafted := 0
	for _, list := range lists {
		raw, made, err := Draft("s", strings.NewReader(list), catalogue(t))
		if err != nil {
			continue // no sentence in it, or too many
		}
		for _, f := range Lint(mustLoad(t, string(raw)), catalogue(t)) {
			if f.Code != "placeholder" {
				t.Errorf("%s: %s", f.Code, f.Text)
			}
		}
		drafted += len(made)
	}
	if drafted < 100 {
		t.Errorf("only %d criteria were drafted", drafted)
	}
}

func TestDraftRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"# Title\n\n - \n": "reading s: there is no sentence in it",
		strings.Repeat("Boats float.\n", maxCriteria+1):        "reading s: line 201 is sentence 201; a rubric has at most 200 criteria",
		"There is a license.\n" + strings.Repeat("boat ", 500): "reading s: line 2 has 2499 bytes; a sentence has at most 2000",
	} {
		if _, _, err := Draft("s", strings.NewReader(text), catalogue(t)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
