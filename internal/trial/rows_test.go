package trial

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/report"
)

// Each row of the table of golden fixtures, F1 to F42, has an archive here, or
// a test that puts its case together: keys (F36), and rubrics (F41).
//
// Some rows are shown from other sides in other rooms: F1 to F15 as graphs in
// langgraph/testdata/courts, F16 and F17 in langgraph/testdata/states; the
// kinds of keys (F36) in probe/mask_test.go and probe/leak_test.go; links,
// shallow and damaged copies of real repositories (F31, F32) in repo; damaged,
// encrypted and long documents (F33) in pdf; the plans of rubrics (F41) in
// rubric/plan_test.go; whole commands over other kinds of projects (F39) in the
// script controls.txtar.
//
// What cannot be shown yet: that careful and careless code of other languages
// (F38) are told apart, and the arrows of figures that are drawn (F35).
func TestEveryRowHasItsFixture(t *testing.T) {
	elsewhere := map[int]string{36: "TestKeysStayInside", 41: "TestOwnAndForeignCriteria"}
	for row := 1; row <= 42; row++ {
		if _, ok := elsewhere[row]; ok {
			continue
		}
		files, err := filepath.Glob(goldenFile(fmt.Sprintf("f%02d_*", row)))
		if err != nil || len(files) == 0 {
			t.Errorf("F%d has no fixture", row)
		}
	}
	files, err := filepath.Glob(goldenFile("*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		g := loadGolden(t, strings.TrimSuffix(filepath.Base(file), ".txtar"))
		for v := range g.parts {
			n := 0
			for name := range g.fixture(t, v).Files {
				if name != "history" && name != "modes" && name != "report.txt" && !strings.HasPrefix(name, "was/") {
					n++
				}
			}
			if n > 18 {
				t.Errorf("%s %s has %d files; it is meant to be a miniature", file, v, n)
			}
		}
	}
	if _, err := os.Stat(filepath.Join("..", "langgraph", "testdata", "courts", "f01_perfect.txtar")); err != nil {
		t.Error(err)
	}
}

// keyed are values of every kind of key, put together so that this file holds
// none, and the fact that each is found at HEAD.
func keyed() map[string]string {
	tail := "a9F3kQ7zLm2XcV8bN4tR" + "6yHw1sDe5GjPu0Ki"
	return map[string]string{
		"aws_key":        "AK" + "IA" + "Q7ZLM2XCV5BN4TRH",
		"github_token":   "gh" + "p_" + tail,
		"gitlab_token":   "gl" + "pat-" + tail[:20],
		"openai_key":     "sk" + "-proj-" + tail,
		"anthropic_key":  "sk" + "-ant-" + tail,
		"openrouter_key": "sk" + "-or-v1-" + tail,
		"google_key":     "AI" + "za" + tail[:35],
		"groq_key":       "gs" + "k_" + tail,
		"hf_token":       "hf" + "_" + tail[:34],
		"tavily_key":     "tv" + "ly-" + tail,
		"slack_token":    "xo" + "xb-123456789012-" + tail[:24],
		"stripe_key":     "sk" + "_live_" + tail[:24],
		"sendgrid_key":   "S" + "G." + tail[:22] + "." + tail + tail[:7],
		"npm_token":      "np" + "m_" + tail,
		"url_password":   "https://deploy:" + tail[:18] + "@git.acme-works.io/team/work",
	}
}

// Keys of every kind are found, and no output holds one: neither those at HEAD
// nor those of the history, on no page of any report (F36). Placeholders are no
// keys.
func TestKeysStayInside(t *testing.T) {
	g := loadGolden(t, "f01_perfect")
	f := g.fixture(t, "")
	kinds := slices.Sorted(maps.Keys(keyed()))
	var config strings.Builder
	var want []string
	for i, kind := range kinds {
		fmt.Fprintf(&config, "%s = %q\n", strings.ToUpper("setting_"+kind), keyed()[kind])
		want = append(want, fmt.Sprintf(`"src/config.py:%d"`, i+1))
	}
	config.WriteString("OPENAI_API_KEY = \"your-key-here\"\nTOKEN = \"${GITHUB_TOKEN}\"\nSAMPLE = \"sk-xxxxxxxxxxxxxxxxxxxxxxxx\"\n")
	f.Files["src/config.py"] = config.String()
	old := "sk" + "-proj-" + "zZ8yX7wV6uT5" + "sR4qP3oN2mL1kJ0i"
	f.Files["was/config.py"] = "API_KEY = \"" + old + "\"\n"
	f.Files["history"] = strings.Replace(f.Files["history"], "A src/state.py +37\n", "A src/state.py +37\nA src/config.py +1 was/config.py\n", 1)
	f.Files["history"] += "M src/config.py +18 -1\n"
	f.Files["README.md"] += "\nNever use " + keyed()["github_token"] + " again.\n"

	s := f.Scene(t)
	sheet, _ := probe.Draw(t.Context(), s, Sections())
	slices.Sort(want)
	got := probetest.Flat(t, sheet)["quality.secrets_committed"]
	for _, place := range append(want, `"README.md:8"`) {
		if !strings.Contains(got, place) {
			t.Errorf("the key at %s is not found: %s", place, got)
		}
	}
	if n := strings.Count(got, "config.py"); n != len(kinds) {
		t.Errorf("%d keys are found in the configuration, %d are there: %s", n, len(kinds), got)
	}
	if got := outcomes(t, s, "git.secrets"); !slices.Equal(got, []string{"violation"}) {
		t.Errorf("the history's keys are %v", got)
	}
	rec := try(t, hearing(t, s))
	for _, e := range rec.Evidences["git_forensic_analysis"] {
		if e.Probe == "git.secrets" && !strings.Contains(string(e.Data)+e.Content, "[redacted") && e.Outcome != court.Violation {
			t.Errorf("%s does not say what it found", e.Probe)
		}
	}
	raw, err := sheet.JSON()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{"sheet": raw, "proofs": fmt.Append(nil, sheet.Proof)}
	for _, format := range report.Formats {
		var b bytes.Buffer
		if err := format.Write(&b, rec); err != nil {
			t.Fatal(err)
		}
		out[format.Name] = b.Bytes()
	}
	for kind, value := range keyed() {
		if kind == "url_password" {
			value = strings.SplitN(strings.SplitN(value, ":", 3)[2], "@", 2)[0]
		}
		for name, text := range out {
			if bytes.Contains(text, []byte(value)) {
				t.Errorf("the %s holds a %s", name, kind)
			}
		}
	}
	for name, text := range out {
		if bytes.Contains(text, []byte(old)) {
			t.Errorf("the %s holds a key of the history", name)
		}
	}
}

// A rubric may ask what it likes: own checks are answered, a criterion that is
// known by its words is bound to ours, and what nobody can examine is said to
// be that, never given a middling score (F41).
func TestOwnAndForeignCriteria(t *testing.T) {
	f := loadGolden(t, "f01_perfect").fixture(t, "")
	r := load(t, `{"rubric_metadata": {"rubric_name": "Another house", "version": "1", "grading_target": "any"},
 "dimensions": [
  {"id": "own", "name": "Own checks", "target_artifact": "github_repo", "forensic_instruction": "Look for it.",
   "checks": [{"id": "has_graph", "text": "Edges are added", "weight": 5, "polarity": "want", "probe": "code.call", "args": {"name": "*.add_edge", "min": 3}}]},
  {"id": "graph_orchestration", "name": "Graph Orchestration", "target_artifact": "github_repo",
   "forensic_instruction": "Are detectives and judges wired to run in parallel, fan-out and fan-in, with add_edge of StateGraph?"},
  {"id": "team_spirit", "name": "Team spirit", "target_artifact": "github_repo",
   "forensic_instruction": "Did people enjoy their collaboration and lunch?"}]}`, Probes())
	h := hearing(t, f.Scene(t))
	h.Rubric = r
	rec := try(t, h)
	by := map[string]court.Ruling{}
	for _, x := range rec.Verdict.Rulings {
		by[x.Criterion] = x
	}
	if x := by["own"]; x.Exact < 45000 {
		t.Errorf("the rubric's own check holds, and has %s, %s", x.Exact, x.Status)
	}
	if x := by["graph_orchestration"]; x.Exact < 40000 {
		t.Errorf("the known criterion has %s, %s", x.Exact, x.Status)
	}
	if x := by["team_spirit"]; x.Status != court.Insufficient || x.Final != nil {
		t.Errorf("what nobody can examine is %s with %v", x.Status, x.Final)
	}
}
