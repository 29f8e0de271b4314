package rubric_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/schema"
)

// TestRubricSchemaKnowsTheProbes fails when the published schema of rubrics
// lacks a probe or an argument of this build; -update writes it.
func TestRubricSchemaKnowsTheProbes(t *testing.T) {
	const file = "../../schema/rubric-v1.json"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := rubric.Schema(raw, trial.Catalogue(trial.Probes()))
	if err != nil {
		t.Fatal(err)
	}
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(raw)); diff != "" {
		t.Errorf("schema/rubric-v1.json is not fresh; go test ./internal/rubric -run Schema -update (-want +got):\n%s", diff)
	}
}

// TestRubricSchemaTellsTypos holds rubrics that an editor should mark, and the
// built-in ones, against the published schema.
func TestRubricSchemaTellsTypos(t *testing.T) {
	raw, err := schema.File("rubric-v1.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("rubric-v1.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled := c.MustCompile("rubric-v1.json")
	check := func(text string) error {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"rubric_metadata":{"rubric_name":"n"},"dimensions":[{"id":"a","name":"A","target_artifact":"github_repo","forensic_instruction":"x","checks":[` + text + `]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return compiled.Validate(doc)
	}
	for text, good := range map[string]bool{
		`{"probe":"file.exists","args":{"glob":"go.mod"}}`:                        true,
		`{"probe":"code.call","args":{"name":["a","b"],"min":2}}`:                 true,
		`{"asks":["git.count",{"probe":"git.message"}]}`:                          true,
		`{"probe":"code.query","args":{"language":"python","query":"(call) @c"}}`: true,
		`{"probe":"file.exist","args":{"glob":"go.mod"}}`:                         false,
		`{"probe":"file.exists"}`:                                                 false,
		`{"probe":"file.exists","args":{"globs":"go.mod"}}`:                       false,
		`{"probe":"file.contains","args":{"glob":"go.mod"}}`:                      false,
		`{"probe":"code.query","args":{"language":"cobol","query":"(call) @c"}}`:  false,
		`{"probe":"git.count","args":{"min":"ten"}}`:                              false,
		`{"asks":["git.count",{"probe":"file.exists"}]}`:                          false,
		`{"probe":"repo.ci","args":{"provider":"x"}}`:                             false,
	} {
		if err := check(text); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}
