package rubric

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

const harbour = `# A rubric, as people write one.
rubric_metadata:
  rubric_name: "Harbour"
  version: '1.0.0'
dimensions:
  - id: history   # a comment
    name: History
    target_artifact: github_repo
    weight: 1.5
    forensic_instruction: >
      At least ten
      commits.
    success_pattern: |
      Ten: "and more".
      日本語
    checks:
      - {id: ten, probe: git.count, args: {min: 10}, facet: core}
  - id: talk
    name: "Talk"
    target_artifact: manual
    forensic_instruction: They talk.
`

const harbourJSON = `{"rubric_metadata": {"rubric_name": "Harbour", "version": "1.0.0"}, "dimensions": [
 {"id": "history", "name": "History", "target_artifact": "github_repo", "weight": 1.5, "forensic_instruction": "At least ten commits.\n", "success_pattern": "Ten: \"and more\".\n日本語\n",
  "checks": [{"id": "ten", "probe": "git.count", "args": {"min": 10}, "facet": "core"}]},
 {"id": "talk", "name": "Talk", "target_artifact": "manual", "forensic_instruction": "They talk."}]}`

func yamlRubric(t *testing.T, text string) (*court.Rubric, error) {
	t.Helper()
	return File{From: "file", Name: "harbour.yaml", Bytes: []byte(text)}.Load(catalogue(t))
}

// A rubric in YAML is the rubric that its JSON is, and is converted to it.
func TestYAMLIsTheSameRubric(t *testing.T) {
	got, err := yamlRubric(t, harbour)
	if err != nil {
		t.Fatal(err)
	}
	want := mustLoad(t, harbourJSON)
	if got.Digest != want.Digest || got.Checks != want.Checks {
		t.Error(cmp.Diff(want, got))
	}
	if pos := got.Criteria[1].Pos; pos.Line != 18 || pos.Col != 5 {
		t.Errorf("the second criterion stands at %+v", pos)
	}
	raw, err := Convert(got, []byte(harbour), ConvertOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if again := mustLoad(t, string(raw)); again.Digest != want.Digest {
		t.Errorf("converted to another rubric: %s", raw)
	}
}

// What is wrong in YAML is told at its line and column, and by the words that JSON
// gets.
func TestYAMLMistakes(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"empty":       {"# nothing\n", "harbour.yaml:1:1: the file is empty"},
		"a number":    {"dimensions:\n  - id: a\n    forensic_instruction: x\n    name: 12\n", "harbour.yaml:4:11: name must be a string, not 12"},
		"probe":       {"dimensions:\n  - id: a\n    forensic_instruction: x\n    checks:\n      - probe: git.cuont\n", `harbour.yaml:5:16: probe "git.cuont" is unknown`},
		"twice":       {"dimensions:\n  - id: a\n    id: b\n    forensic_instruction: x\n", "harbour.yaml:3:5: "},
		"syntax":      {"dimensions:\n  - id: [a\n", "harbour.yaml:2:"},
		"aliases":     {"a: &a [1]\nb: *a\n", "harbour.yaml:1:4: anchors and aliases are not read; write the value out"},
		"merge":       {"dimensions:\n  - <<: {id: a}\n", "harbour.yaml:2:5: anchors and aliases are not read"},
		"tag":         {"name: !!binary aGk=\n", "harbour.yaml:1:7: tags, directives and complex keys are not read"},
		"complex key": {"? [a, b]\n: c\n", "harbour.yaml:1:1: tags, directives and complex keys are not read"},
		"hexadecimal": {"dimensions:\n  - id: a\n    weight: 0x10\n", `harbour.yaml:3:13: "0x10" is not a decimal number`},
		"infinite":    {"dimensions:\n  - id: a\n    weight: .inf\n", "harbour.yaml:3:13: this kind of value is not read"},
		"documents":   {"name: a\n---\nname: b\n", "text behind the end of the rubric"},
		"deep flow":   {strings.Repeat("[", 5000), "nested more than 64 deep"},
		"deep list":   {strings.Repeat("- ", 5000) + "a", "nested more than 64 deep"},
		"deep map":    {deepMap(100), "nested more than 64 deep"},
		"many keys":   {strings.Repeat("a: b\n", maxKeys+1), "more than 1000 keys in one object"},
		"many items":  {strings.Repeat("-\n", maxItems+1), "more than 20000 items in lists"},
		"large":       {strings.Repeat("# x\n", maxYAML/4+1), "the file is larger than 512 KiB; convert it to JSON"},
		"many":        {"[" + strings.Repeat("0,", maxValues+1) + "0]", "more than 100000 values"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := yamlRubric(t, tc.text)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, %v, want %s", r != nil, err, tc.want)
			}
		})
	}
}

func deepMap(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	return b.String()
}

// Whatever bytes a file has, it loads or is refused with places in it.
func FuzzYAML(f *testing.F) {
	f.Add([]byte(harbour))
	for _, s := range []string{"a: b\n", "- - - a", "{a: [b, {c: d}]}", "a: |\n  x\n b", "\"", "'", "? a", "&", "*a", "!!str", "%YAML", "---\n...", "a:\n\t- b", "\xff"} {
		f.Add([]byte(s))
	}
	files, err := filepath.Glob("testdata/dialects/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files[:3] {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := yamlRubric(t, string(raw))
		if err == nil {
			sound(t, r)
			return
		}
		all, ok := errors.AsType[Errors](err)
		if !ok || len(all) == 0 {
			t.Fatalf("got %v", err)
		}
		for _, e := range all {
			if e.Line < 1 || e.Line > strings.Count(string(raw), "\n")+1 || e.Col < 1 || e.Msg == "" || strings.ContainsAny(e.Msg, "\n\x1b\x00") {
				t.Fatalf("error %+v", e)
			}
		}
	})
}
