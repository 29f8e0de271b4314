package trial

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// Every fact of a sheet says where it stands, or why nobody could tell: names
// and places are part of what they belong to.
func TestEveryFactIsProven(t *testing.T) {
	without := func(names ...string) change {
		return func(_ *testing.T, f *probetest.Fixture) {
			for _, n := range names {
				delete(f.Files, n)
			}
		}
	}
	for name, c := range map[string]change{
		"whole":    func(*testing.T, *probetest.Fixture) {},
		"no graph": without("src/graph.py", "history"),
		"no nodes": without("src/nodes.py", "history"),
		"no code":  func(_ *testing.T, f *probetest.Fixture) { clear(f.Files); f.Files["README.md"] = "# Nothing yet\n" },
		"no files": func(_ *testing.T, f *probetest.Fixture) { clear(f.Files) },
		"other language": func(_ *testing.T, f *probetest.Fixture) {
			clear(f.Files)
			f.Files["main.go"] = "package main\n\n// StateGraph is none of theirs.\ntype StateGraph struct{}\n\nfunc main() {}\n"
		},
		"not followed": swap("src/graph.py", "StateGraph(AgentState)", "getattr(wiring, kind)(AgentState)"),
	} {
		t.Run(name, func(t *testing.T) {
			f := miniature(t)
			c(t, f)
			sheet, faults := probe.Draw(t.Context(), f.Scene(t), Sections())
			if len(faults) > 0 {
				t.Error(faults)
			}
			raw, err := sheet.JSON()
			if err != nil {
				t.Fatal(err)
			}
			var all map[string]any
			if err := json.Unmarshal(raw, &all); err != nil {
				t.Fatal(err)
			}
			for key := range leaves(all, "") {
				part := strings.HasSuffix(key, ".at") || strings.HasSuffix(key, ".name")
				if strings.Contains(key, ".") && !part && sheet.Why(key) == "" {
					t.Errorf("%s has neither proof nor reason", key)
				}
			}
		})
	}
}

// leaves are the values of a sheet by dotted key.
func leaves(v map[string]any, prefix string) map[string]any {
	out := map[string]any{}
	for k, x := range v {
		if inner, ok := x.(map[string]any); ok {
			maps.Copy(out, leaves(inner, prefix+k+"."))
		} else {
			out[prefix+k] = x
		}
	}
	return out
}
