package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/automaton-auditor/automaton/internal/court"
)

const recordFile = "record-v1.json"

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := File(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(recordFile, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// golden reads a record of the report room's golden files.
func golden(t *testing.T, name string) map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "internal", "report", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

func TestGoldenRecordsAreValid(t *testing.T) {
	s := compiled(t)
	for _, name := range []string{"capped.json", "good.json", "blind.json", "mistrial.json", "models.json"} {
		t.Run(name, func(t *testing.T) {
			if err := s.Validate(golden(t, name)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestInvalidRecordsAreRefused(t *testing.T) {
	s := compiled(t)
	ruling := func(r map[string]any) map[string]any {
		return r["verdict"].(map[string]any)["rulings"].([]any)[0].(map[string]any)
	}
	tests := map[string]func(map[string]any){
		"unknown key":       func(r map[string]any) { r["mood"] = "fine" },
		"unknown deep key":  func(r map[string]any) { ruling(r)["mood"] = "fine" },
		"missing key":       func(r map[string]any) { delete(r, "faults") },
		"another version":   func(r map[string]any) { r["schema"] = "automaton/record/2" },
		"score of 6":        func(r map[string]any) { ruling(r)["final_score"] = json.Number("6") },
		"exact above 5":     func(r map[string]any) { ruling(r)["exact"] = json.Number("5.0001") },
		"a strange seat":    func(r map[string]any) { ruling(r)["overruled"] = []any{"Jury"} },
		"no verdict at all": func(r map[string]any) { delete(r, "verdict") },
		"a short digest":    func(r map[string]any) { r["digest"] = "sha256:12" },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			r := golden(t, "good.json")
			spoil(r)
			if s.Validate(r) == nil {
				t.Error("it is valid")
			}
		})
	}
}

// Every field of the record's types is in the schema with a description, what
// is always written is required, and the schema has nothing besides.
func TestSchemaFollowsTheTypes(t *testing.T) {
	raw, err := File(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatal(err)
	}
	w := walk{t: t, root: root, seen: map[reflect.Type]bool{}}
	w.object(reflect.TypeFor[court.Record](), root, "record")
	if len(w.seen) < 40 {
		t.Errorf("only %d types were compared", len(w.seen))
	}
}

type walk struct {
	t    *testing.T
	root map[string]any
	seen map[reflect.Type]bool
}

// resolve follows references and "or null".
func (w walk) resolve(node any) map[string]any {
	m, _ := node.(map[string]any)
	if either, ok := m["anyOf"].([]any); ok {
		return w.resolve(either[0])
	}
	if ref, ok := m["$ref"].(string); ok {
		return w.resolve(w.root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")])
	}
	return m
}

func (w walk) object(typ reflect.Type, node map[string]any, path string) {
	if w.seen[typ] {
		return
	}
	w.seen[typ] = true
	props, _ := node["properties"].(map[string]any)
	if node["additionalProperties"] != false {
		w.t.Errorf("%s: unknown keys are not refused", path)
	}
	var names, required []string
	for _, f := range fields(typ) {
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
		if !strings.Contains(opts, "omit") {
			required = append(required, name)
		}
		prop, _ := props[name].(map[string]any)
		if text, _ := prop["description"].(string); len(text) < 4 {
			w.t.Errorf("%s/%s: not described", path, name)
		}
		w.value(f.Type, prop, path+"/"+name)
	}
	if extra := slices.DeleteFunc(slices.Sorted(maps.Keys(props)), func(k string) bool { return slices.Contains(names, k) }); len(extra) > 0 {
		w.t.Errorf("%s: the type has no %s", path, strings.Join(extra, ", "))
	}
	var got []string
	for _, k := range node["required"].([]any) {
		got = append(got, k.(string))
	}
	slices.Sort(got)
	slices.Sort(required)
	if !slices.Equal(got, required) {
		w.t.Errorf("%s: required are %v, want %v", path, got, required)
	}
}

// fields are a struct's fields with those of embedded structs in their place.
func fields(typ reflect.Type) []reflect.StructField {
	var list []reflect.StructField
	for f := range typ.Fields() {
		if f.Anonymous {
			list = append(list, fields(f.Type)...)
			continue
		}
		list = append(list, f)
	}
	return list
}

func (w walk) value(typ reflect.Type, node map[string]any, path string) {
	if typ == reflect.TypeFor[json.RawMessage]() {
		return
	}
	switch typ.Kind() {
	case reflect.Pointer:
		w.value(typ.Elem(), w.resolve(node), path)
	case reflect.Struct:
		w.object(typ, w.resolve(node), path)
	case reflect.Slice, reflect.Array:
		items, _ := node["items"].(map[string]any)
		w.value(typ.Elem(), w.resolve(items), path)
	case reflect.Map:
		values, _ := node["additionalProperties"].(map[string]any)
		w.value(typ.Elem(), w.resolve(values), path)
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int64:
		if len(w.resolve(node)) < 1 {
			w.t.Errorf("%s: no schema", path)
		}
	case reflect.Interface: // a probe's arguments
	default:
		w.t.Errorf("%s: a %s", path, typ)
	}
}

// The enumerations of the schema are those of the vocabulary.
func TestEnumerations(t *testing.T) {
	raw, err := File(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Defs map[string]struct {
			Properties map[string]struct{ Enum []string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	exhibit := doc.Defs["exhibit"].Properties
	equal := func(name string, got []string, want int, has func(string) bool) {
		t.Helper()
		if len(got) != want || slices.ContainsFunc(got, func(s string) bool { return !has(s) }) {
			t.Errorf("%s: %v", name, got)
		}
	}
	equal("outcome", exhibit["outcome"].Enum, len(court.Outcomes()), func(s string) bool { return slices.Contains(court.Outcomes(), court.Outcome(s)) })
	equal("reason", exhibit["reason"].Enum, len(court.Reasons()), func(s string) bool { return slices.Contains(court.Reasons(), court.Reason(s)) })
	equal("source", exhibit["source"].Enum, len(court.Sources()), func(s string) bool { return slices.Contains(court.Sources(), court.Source(s)) })
	equal("judge", doc.Defs["opinion"].Properties["judge"].Enum, len(court.Personas()), func(s string) bool { return slices.Contains(court.Personas(), court.Persona(s)) })
}

func TestFileThatIsNotThere(t *testing.T) {
	if _, err := File("none.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
