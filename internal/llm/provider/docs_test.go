package provider_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every field that goes over the wire has its row in docs/models.md, under its
// dialect, and no row names a field that is never sent.
func TestWireIsDocumented(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "## Chat completions")
	chat, rest, _ := strings.Cut(text, "## Messages: Anthropic")
	messages, _, _ := strings.Cut(rest, "\n## ")
	files, err := filepath.Glob("testdata/wire/*.json")
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	sent := map[string]map[string]bool{chat: {}, messages: {}}
	for _, f := range files {
		section := chat
		if strings.HasPrefix(filepath.Base(f), "anthropic") {
			section = messages
		}
		body, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			t.Fatal(err)
		}
		fields(v, "", sent[section])
	}
	for section, all := range sent {
		rows := documented(section)
		for _, f := range slices.Sorted(maps.Keys(all)) {
			if !rows[f] {
				t.Errorf("%s is sent and has no row", f)
			}
		}
		for _, f := range slices.Sorted(maps.Keys(rows)) {
			if !all[f] {
				t.Errorf("%s has a row and is never sent", f)
			}
		}
	}
}

// fields collects the paths of a body's leaves. A schema is one leaf, and what
// stands in a message is told by its parts where there are any.
func fields(v any, at string, into map[string]bool) {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			p := strings.TrimPrefix(at+"."+k, ".")
			if k == "schema" || k == "parameters" || k == "input_schema" {
				into[p] = true
				continue
			}
			fields(e, p, into)
		}
	case []any:
		for _, e := range x {
			fields(e, at+"[]", into)
		}
	default:
		into[at] = true
	}
}

// documented are the fields in the first column of a section's first table. One
// that begins with a point goes on from the one before it.
func documented(section string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| provider |") {
			break
		}
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		last := ""
		for f := range strings.SplitSeq(strings.Split(line, "|")[1], ",") {
			f = strings.Trim(f, " `")
			if strings.HasPrefix(f, ".") {
				f = last[:strings.Index(last, strings.SplitAfter(f, ".")[1])] + f[1:]
			}
			out[f] = true
			last = f
		}
	}
	return out
}
