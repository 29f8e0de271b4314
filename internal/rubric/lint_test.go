package rubric

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

func TestLint(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"nothing":     {one(`"id":"a","name":"A","target_artifact":"all","checks":[{"probe":"git.count","facet":"core"}]`), nil},
		"plan-thin":   {one(`"id":"a","name":"A","forensic_instruction":"There is a license."`), []string{`plan-thin: no probe answers "a"; 1 generic check comes from its words`}},
		"plan-empty":  {one(`"id":"a","name":"A"`), []string{`plan-empty: no check answers "a", so it has no score; write checks, or let a person mark it ("target_artifact": "manual")`}},
		"placeholder": {one(`"id":"a","name":"A","forensic_instruction":"TBD: tests, commits","checks":[{"probe":"git.count","facet":"core"}]`), []string{`placeholder: criterion "a" is a placeholder`}},
		"long":        {one(`"id":"a","name":"A","forensic_instruction":"` + strings.Repeat("é", 4001) + `","checks":[{"probe":"git.count","facet":"core"}]`), []string{`long: the instruction of "a" has 4001 characters; it is sent to models in full`}},
		"path-bound":  {one(`"id":"a","name":"A","forensic_instruction":"There is a license, tests assert something, CI runs in src/main.py."`), []string{`path-bound: "a" names the path src/main.py; probes search the whole repository and do not need a path`}},
		"own path":    {one(`"id":"a","name":"A","forensic_instruction":"See src/main.py.","checks":[{"probe":"git.count","facet":"core"}]`), nil},
		"no-core":     {one(`"id":"a","name":"A","checks":[{"probe":"git.count"}]`), []string{`no-core: no check of "a" is core; nothing limits its score`}},
		"cannot-fail": {one(`"id":"a","name":"A","checks":[{"probe":"code.call","args":{"name":"x"}}]`), []string{`cannot-fail: no check of "a" can prove the contrary; what is not found only counts as missing`, `no-core: no check of "a" is core; nothing limits its score`}},
		"can fail":    {one(`"id":"a","name":"A","checks":[{"probe":"code.call","facet":"core","polarity":"avoid","args":{"name":"x"}}]`), nil},
		"cannot-pass": {one(`"id":"a","name":"A","checks":[{"probe":"text.mentions","facet":"core","polarity":"avoid","args":{"terms":["x"]}}]`), []string{`cannot-pass: no check of "a" can speak for it; a mere mention is not evidence`}},
		"by-alias":    {one(`"id":"x","name":"Safe tools","target_artifact":"github_repo","forensic_instruction":"The clone lies in a sandbox."`), []string{`by-alias: criterion "x" is answered by the 14 checks of courtroom:safe_tool_engineering, because its name is an alias; give it "checks" to stop that`}},
		"other tools": {one(`"id":"x","name":"Safe tools","target_artifact":"github_repo","forensic_instruction":"Every process has a timeout, the license is clear, tests assert, and drawers are labelled twice."`), []string{`not-asked: no check of "x" asks "drawers are labelled twice"; give it "checks" for that, or judge it yourself`}},
		"manual":      {one(`"id":"a","name":"A","target_artifact":"manual"`), nil},
		"overlap": {`[{"id":"a","name":"A","checks":[{"id":"x","probe":"git.count","facet":"core"}]},{"id":"b","name":"B","checks":[{"id":"y","probe":"git.count","facet":"core"},{"id":"z","probe":"git.count","scope":"tests"}]}]`,
			[]string{`overlap: check "y" of "b" asks the same as "x" of "a"`}},
		"near-key":       {one(`"id":"a","name":"A","wieght":2,"mood":1,"checks":[{"probe":"git.count","facet":"core"}]`), []string{`near-key: unknown key "wieght"; did you mean weight`}},
		"polarity-clash": {one(`"id":"a","name":"A","success_pattern":"Has 'x_y'","failure_pattern":"no 'X_y'","checks":[{"probe":"git.count","facet":"core"}]`), []string{`polarity-clash: "a" quotes "x_y" in success and failure; the success pattern wins`}},
		"prose-number": {`{"dimensions":[{"id":"a","name":"A","checks":[{"probe":"git.count","facet":"core"}]}],"synthesis_rules":{"security_override":"Cap at 3 of 5.","dissent_requirement":"Above 2, or 4 of 7.","mood":"9 lives"}}`,
			[]string{`prose-number: the text of rule "dissent_requirement" says 4, 7; nothing enforces that`, `prose-number: the text of rule "mood" says 9; nothing enforces that`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range Lint(mustLoad(t, tt.text), catalogue(t)) {
				got = append(got, f.Code+": "+f.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestEveryNoteIsSeen fails when a note of the contract is never given, or one
// outside of it is.
func TestEveryNoteIsSeen(t *testing.T) {
	want := strings.Fields(`bom utf16 top-level-list flat-map keyed-dimensions dimensions-under-criteria name-defaulted
		name-from-description version-missing id-from-name id-numbered id-deduplicated name-from-id artifact-synonym artifact-unknown
		artifact-defaulted instruction-borrowed list-joined judicial-logic-shared judicial-logic-rubric-level target-inside-dimension
		levels-from-text anchors-from-text exclusion-inferred scale-mixed total-mismatch threshold-out-of-scale manual-criterion
		rule-defaulted rule-alias rule-conflict rule-unknown rule-text-number unknown-key`)
	texts := []string{"\ufeff[{\"name\":\"A\"}]", "\xfe\xff\x00[\x00{\x00\"\x00i\x00d\x00\"\x00:\x00\"\x00a\x00\"\x00,\x00\"\x00n\x00a\x00m\x00e\x00\"\x00:\x00\"\x00A\x00\"\x00}\x00]"}
	files, err := filepath.Glob("testdata/dialects/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(ar.Files[0].Data))
	}
	var got []string
	for _, text := range texts {
		got = append(got, noteCodes(mustLoad(t, text))...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
