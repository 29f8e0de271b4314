package judicial

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// loaders are the last names of calls that read data.
var loaders = []string{"load", "loads", "safe_load", "read_text", "read", "open"}

// filledFromData reports whether a prompt of the judges has a hole for what is looked up,
// by a key that the judge's call gives, in data that is read from a file: what that data
// says of each judge was not seen.
func (b *bench) filledFromData() bool {
	for f, in := range b.live(b.judges) {
		var text strings.Builder
		for _, o := range in.Args {
			part, _ := f.Str(o)
			text.WriteString(part + " ")
		}
		if in.Op != il.Make || in.Kind != "text" || len(strings.Fields(text.String())) < minPrompt {
			continue
		}
		for _, o := range in.Args {
			keyed, read := false, false
			w := &analyse.Origins{Names: b.il.Names, Through: func(*il.Function, *il.Instr) bool { return true }}
			w.Seen = func(f *il.Function, o il.Operand) {
				if def := f.Def(o); def != nil {
					key := f.Root(keyOf(def))
					keyed = keyed || key.Kind == il.Local && f.Versions[key.ID].Param >= 0
					read = read || def.Op == il.Call && slices.Contains(loaders, lastName(def))
				}
			}
			w.Of(f, o, in)
			if keyed && read {
				return true
			}
		}
	}
	return false
}

// fromData adds what committed files of JSON say of each judge, under its name and under keys
// that the judges' code names, where prompts are filled from data by a judge's key.
func (b *bench) fromData(pr *prompts) {
	var keys map[string]bool
	for _, p := range slices.Sorted(maps.Keys(b.texts)) {
		sc := b.p.Layout.Scope(p)
		if !strings.EqualFold(path.Ext(p), ".json") || len(b.texts[p]) > maxData || slices.Contains([]code.Scope{code.ScopeTest, code.ScopeVendor, code.ScopeExample, code.ScopeAudit}, sc) || !b.named(path.Base(p), path.Base(p)) {
			continue
		}
		var doc any
		if json.Unmarshal(b.texts[p], &doc) != nil {
			continue
		}
		if keys == nil {
			keys = b.spelled()
		}
		said := map[persona][]string{}
		sayings(doc, keys, said)
		if len(said) < len(personas) || !b.filledFromData() {
			continue
		}
		for judge, texts := range said {
			line := 1
			if at := strings.Index(string(b.texts[p]), strconv.Quote(texts[0])); at >= 0 {
				line += strings.Count(string(b.texts[p][:at]), "\n")
			}
			pr.own[judge].add(strings.Join(texts, "\n"), court.Place{Path: p, Line: line, EndLine: line})
		}
	}
}

// maxData bounds, in bytes, a file of data in which texts for the judges or criteria are looked for.
const maxData = 1 << 20

// sayings collects what stands in data under the names of judges.
func sayings(data any, keys map[string]bool, said map[persona][]string) {
	object, ok := data.(map[string]any)
	if !ok {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if judge := who(split(key)); judge != nobody {
			said[judge] = append(said[judge], readable(object[key], keys)...)
		} else if keys[key] {
			sayings(object[key], keys, said)
		}
	}
}

// readable are the texts in data, of objects those under keys of a set.
func readable(data any, keys map[string]bool) (out []string) {
	switch x := data.(type) {
	case string:
		return []string{x}
	case []any:
		for _, element := range x {
			out = append(out, readable(element, keys)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			if keys[key] {
				out = append(out, readable(x[key], keys)...)
			}
		}
	}
	return out
}

// spelled are the constant texts in the judges' code.
func (b *bench) spelled() map[string]bool {
	out := map[string]bool{}
	for _, d := range b.judges.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().Walk() {
			if n.Is("string_content") {
				out[n.Text()] = true
			}
		}
	}
	return out
}
