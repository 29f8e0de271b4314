package rubric

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestNativeFormFitsItsSchema holds the built-in rubrics, and everything that
// Convert writes, against the published contract.
func TestNativeFormFitsItsSchema(t *testing.T) {
	schema := compile(t, "../../schema/rubric-v1.json")
	for _, name := range Builtins() {
		raw, _ := builtinBytes(name)
		fits(t, schema, name, raw)
	}
	files, err := filepath.Glob("testdata/dialects/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f := File{From: "file", Name: file, Bytes: ar.Files[0].Data}
		for _, checks := range []bool{false, true} {
			raw, err := f.Convert(catalogue(t), checks)
			if err != nil {
				t.Fatal(err)
			}
			fits(t, schema, file, raw)
		}
	}
}

func TestSchemaRefusesWhatTheLoaderRefuses(t *testing.T) {
	schema := compile(t, "../../schema/rubric-v1.json")
	const head = `{"rubric_metadata":{"rubric_name":"n"},"dimensions":[{"id":"a","name":"A","target_artifact":"all","forensic_instruction":"x"`
	for name, tail := range map[string]string{
		"weight":    `,"weight":-1}]}`,
		"check key": `,"checks":[{"probe":"git.count","facett":"core"}]}]}`,
		"no probe":  `,"checks":[{"id":"x"}]}]}`,
		"scale":     `,"scale":{"kind":"stars"}}]}`,
		"cap":       `}],"synthesis":{"security_override":{"cap":6}}}`,
		"rule":      `}],"synthesis":{"spraed":{}}}`,
	} {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(head + tail)))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(doc) == nil {
			t.Errorf("%s: the schema takes it", name)
		}
		if _, err := Load("r.json", bytes.NewReader([]byte(head+tail)), catalogue(t)); err == nil {
			t.Errorf("%s: the loader takes it", name)
		}
	}
}

func compile(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	// Which probes there are, and what they take, is a matter of the build: see
	// the test of trial. Fixtures here name probes of their own.
	defs := doc.(map[string]any)["$defs"].(map[string]any)
	defs["probe"], defs["args"] = map[string]any{"type": "string"}, map[string]any{}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("rubric-v1.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("rubric-v1.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func fits(t *testing.T, schema *jsonschema.Schema, name string, raw []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%s: %v\n%s", name, err, raw)
	}
}

// Convert writes the file in the native form. See the function Convert.
func (f File) Convert(known Catalogue, withChecks bool) ([]byte, error) {
	r, err := f.Load(known)
	if err != nil {
		return nil, err
	}
	return Convert(r, f.Bytes, ConvertOptions{WithChecks: withChecks})
}
