package trial

import (
	"maps"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// within puts the miniature's graph file into other lines, each line of it
// behind so many blanks.
func within(head, foot string, blanks int) func(string) map[string]string {
	return func(source string) map[string]string {
		var b strings.Builder
		b.WriteString(head)
		for line := range strings.Lines(source) {
			if strings.TrimSpace(line) != "" {
				b.WriteString(strings.Repeat(" ", blanks))
			}
			b.WriteString(line)
		}
		return map[string]string{"src/graph.py": b.String() + foot}
	}
}

func elsewhere(path string) func(string) map[string]string {
	return func(source string) map[string]string { return map[string]string{path: source} }
}

// A graph that no run can build is not a graph: its wiring gets no credit, wherever
// the code stands that would build it.
func TestD37FakeGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	const criterion = "graph_orchestration"
	honest := scores(try(t, hearing(t, miniature(t).Scene(t))))[criterion]
	if honest < 40_000 {
		t.Fatalf("the true graph is worth %d", honest)
	}
	cases := map[string]func(string) map[string]string{
		"string":    within("GRAPH = '''\n", "'''\n", 0),
		"docstring": within("def build():\n    \"\"\"\n", "    \"\"\"\n", 4),
		"exec":      within("exec('''\n", "''')\n", 0),
		"comment": func(s string) map[string]string {
			return map[string]string{"src/graph.py": "# " + strings.ReplaceAll(s, "\n", "\n# ") + "\n"}
		},
		"if false":      within("if False:\n", "", 4),
		"if zero":       within("if 0:\n", "", 4),
		"while false":   within("while False:\n", "", 4),
		"type checking": within("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n", "", 4),
		"after return":  within("def never():\n    return None\n", "", 4),
		"after raise":   within("def never():\n    raise NotImplementedError\n", "", 4),
		"nobody calls it": func(s string) map[string]string {
			return map[string]string{"src/graph.py": mainBlock.ReplaceAllString(s, "")}
		},
		"only imported": func(s string) map[string]string {
			return map[string]string{"src/graph.py": mainBlock.ReplaceAllString(s, ""), "main.py": "from src.graph import build\n\nprint(\"ok\")\n"}
		},
		"in a method": func(s string) map[string]string {
			return within("class Maker:\n    def never(self):\n", "", 8)(mainBlock.ReplaceAllString(s, ""))
		},
		"test":         elsewhere("tests/test_graph.py"),
		"test folder":  elsewhere("tests/graph.py"),
		"test name":    elsewhere("src/graph_test.py"),
		"vendored":     elsewhere("vendor/somebody/graph.py"),
		"installed":    elsewhere(".venv/lib/python3.12/site-packages/somebody/graph.py"),
		"another name": within("class StateGraph:\n    def __getattr__(self, name):\n        return lambda *a, **k: self\n\n\n", "", 0),
		"markdown":     elsewhere("docs/graph.md"),
		"notebook's text": func(s string) map[string]string {
			return map[string]string{"src/graph.ipynb": `{"cells": [{"cell_type": "markdown", "source": ["StateGraph"]}], "nbformat": 4}`}
		},
	}
	for name, fake := range cases {
		t.Run(name, func(t *testing.T) {
			f := miniature(t)
			source := f.Files["src/graph.py"]
			if name == "another name" {
				source = strings.Replace(source, "END, START, StateGraph", "END, START", 1)
			}
			delete(f.Files, "src/graph.py")
			maps.Copy(f.Files, fake(source))
			rec := try(t, hearing(t, f.Scene(t)))
			for _, x := range rec.Evidences[criterion] {
				if x.Outcome == court.Present && (strings.HasPrefix(x.Probe, "graph.wired") || strings.HasPrefix(x.Probe, "graph.parallel") || strings.HasPrefix(x.Probe, "graph.fan_in")) {
					t.Errorf("%s is %s: %s", x.Check, x.Outcome, x.Rationale)
				}
			}
			least := court.Fixed(20_000)
			if name == "nobody calls it" || name == "only imported" || name == "in a method" {
				least = 15_000 // somebody may call it by hand
			}
			if got := scores(rec)[criterion]; got > honest-least {
				t.Errorf("worth %d, and the true graph %d", got, honest)
			}
		})
	}
}
