package langgraph

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
)

// FuzzRead reads any text as one file: it must end, never panic, and say the
// same twice.
func FuzzRead(f *testing.F) {
	for _, folder := range []string{"rows", "states"} {
		paths, _ := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for _, file := range a.Files {
				if strings.HasSuffix(file.Name, ".py") {
					f.Add(file.Data)
				}
			}
		}
	}
	f.Add([]byte("from langgraph.graph import StateGraph\ng = g = StateGraph(g)\nfor g in g: g.add_node(g, g)\n"))
	f.Add([]byte("from langgraph.graph import StateGraph\ndef f(x=f): return f(x)\ng = StateGraph(f)\ng.add_conditional_edges(f, f, f)\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 8<<10 {
			t.Skip()
		}
		draw := func() string {
			p, err := code.Load(context.Background(), codetest.Inline{Service: code.Service()}, []code.File{{Path: "g.py", Bytes: text}})
			if err != nil {
				t.Fatal(err)
			}
			r := read(t, p)
			out := drawing(r) + states(r)
			if len(r.Graphs) > 0 {
				out += answers(r)
			}
			return out
		}
		if first, second := draw(), draw(); first != second {
			t.Error(cmp.Diff(first, second))
		}
	})
}

// TestBytes is row G39: a byte order mark, tabs, CRLF, continuation lines and
// thousands of lines change nothing but line numbers.
func TestBytes(t *testing.T) {
	plain := "from langgraph.graph import StateGraph, START\n\ndef fa(s):\n\treturn {}\n\nif True:\n\tb = StateGraph(dict)\n\tb.add_node(\"a\", fa)\n\tb.add_edge(START, \"a\")\n"
	want := drawing(read(t, program(t, map[string]string{"g.py": plain})))
	if !strings.Contains(want, "edge START -> a") {
		t.Fatal(want)
	}
	for name, text := range map[string]string{
		"byte order mark":  "\ufeff" + plain,
		"carriage returns": strings.ReplaceAll(plain, "\n", "\r\n"),
		"continuation":     strings.Replace(plain, "b.add_edge(", "b.add_edge \\\n(", 1),
		"long":             plain + strings.Repeat("x = [1, 2, 3]\n", 3000),
	} {
		if diff := cmp.Diff(want, drawing(read(t, program(t, map[string]string{"g.py": text})))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	utf16 := []byte{0xff, 0xfe}
	for _, c := range []byte(plain) {
		utf16 = append(utf16, c, 0)
	}
	if diff := cmp.Diff(want, drawing(read(t, program(t, map[string]string{"g.py": string(bytes.Clone(utf16))})))); diff != "" {
		t.Errorf("UTF-16 (-want +got):\n%s", diff)
	}
}
