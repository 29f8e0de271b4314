package rubric

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// translated are the keys that the native form writes under another name.
var translated = []string{"dimension_id", "criterion_id", "dimension_name", "title", "key", "artifact", "target", "instruction", "criteria",
	"name", "version", "rubric_version", "levels", "max_score", "total", "points", "score", "score_1", "score_2", "score_3", "score_4", "score_5",
	"scoring_criteria", "scoring_rule", "exclude_from_total_if_level"}

// roundTrip loads, converts and loads again: the digest must stay, and no key
// be lost.
func roundTrip(t *testing.T, name string, raw []byte) {
	t.Helper()
	r, err := Load(name, bytes.NewReader(raw), catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	native, err := Convert(r, raw, ConvertOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(name, bytes.NewReader(native), catalogue(t))
	if err != nil {
		t.Fatalf("loading the native form: %v\n%s", err, native)
	}
	if r.Digest != again.Digest {
		t.Errorf("digest changed by conversion:\n%s", cmp.Diff(judged(r), judged(again)))
	}
	before, after := keysOf(t, name, raw), keysOf(t, name, native)
	for _, k := range before {
		if !slices.Contains(after, k) && !slices.Contains(translated, k) && !isID(r, k) {
			t.Errorf("key %q is lost", k)
		}
	}
	full, err := Convert(r, raw, ConvertOptions{WithChecks: true})
	if err != nil {
		t.Fatal(err)
	}
	edited, err := Load(name, bytes.NewReader(full), catalogue(t))
	if err != nil {
		t.Fatalf("loading the native form with checks: %v", err)
	}
	for i, c := range edited.Criteria {
		if diff := cmp.Diff(r.Criteria[i].Checks, c.Checks); diff != "" {
			t.Errorf("%s: checks written and read (-want +got):\n%s", c.ID, diff)
		}
	}
}

// judged drops what the digest does not cover.
func judged(r *court.Rubric) court.Rubric {
	out := *r
	out.Notes, out.Source, out.Dialect, out.Features, out.Extra = nil, court.RubricSource{}, "", nil, nil
	out.Digest, out.Checks = "", ""
	out.Criteria = slices.Clone(r.Criteria)
	for i := range out.Criteria {
		out.Criteria[i].Pos, out.Criteria[i].Extra = court.Pos{}, nil
	}
	return out
}

func isID(r *court.Rubric, key string) bool {
	return slices.ContainsFunc(r.Criteria, func(c court.Criterion) bool {
		return c.ID == key || slices.ContainsFunc(c.Scale.Levels, func(l court.Level) bool { return l.Name == key })
	}) || len(key) == 1 // the key of an anchor
}

func keysOf(t *testing.T, name string, raw []byte) []string {
	t.Helper()
	doc, err := decode(name, raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := parse(doc); err != nil {
		t.Fatal(err)
	}
	var keys []string
	var walk func(v *value)
	walk = func(v *value) {
		for _, f := range v.fields {
			keys = append(keys, f.key)
			walk(f.value)
		}
		for _, item := range v.items {
			walk(item)
		}
	}
	walk(doc.root)
	return keys
}
