package query

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main(map[string]sandbox.Service{"query": Service()})
	os.Exit(m.Run())
}

const harbour = `
def moor(boat):
    try:
        boat.tie()
    except Exception:
        pass

def sail(boat):
    boat.tie()
    boat.go(1)
`

func TestFind(t *testing.T) {
	tests := map[string]struct {
		language, path, query, text string
		want                        []string
	}{
		"nodes":         {"python", "a.py", `(function_definition name: (identifier) @name)`, harbour, []string{"moor", "sail"}},
		"eq":            {"python", "a.py", `((call function: (attribute attribute: (identifier) @f)) (#eq? @f "tie"))`, harbour, []string{"tie", "tie"}},
		"not eq":        {"python", "a.py", `((call function: (attribute attribute: (identifier) @f)) (#not-eq? @f "tie"))`, harbour, []string{"go"}},
		"match":         {"python", "a.py", `((identifier) @f (#match? @f "^sa.l$"))`, harbour, []string{"sail"}},
		"any of":        {"python", "a.py", `((identifier) @f (#any-of? @f "go" "sail"))`, harbour, []string{"sail", "go"}},
		"first capture": {"python", "a.py", `(except_clause (block (pass_statement) @nothing)) @whole`, "try:\n  a\nexcept B:\n  pass\n", []string{"except B:\n  pass"}},
		"none":          {"python", "a.py", `(class_definition) @c`, harbour, nil},
		"javascript":    {"javascript", "a.js", `(call_expression function: (identifier) @f)`, "f(g(1))", []string{"f", "g"}},
		"typescript":    {"typescript", "a.ts", `(type_alias_declaration name: (_) @n)`, "type Boat = {a: <T>(x: T) => T}; let a = <Boat>b", []string{"Boat"}},
		"tsx":           {"typescript", "a.tsx", `(type_alias_declaration name: (_) @n)`, "type Boat = {}; const b = <div>x</div>", []string{"Boat"}},
		"java":          {"java", "A.java", `(method_declaration name: (identifier) @n)`, "class A { void moor() {} }", []string{"moor"}},
		"rust":          {"rust", "a.rs", `(macro_invocation macro: (identifier) @m)`, "fn main() { println!(\"x\"); }", []string{"println"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, err := Find(t.Context(), inline{}, tt.language, tt.query, tt.path, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range m.Spans {
				got = append(got, tt.text[s.From:s.To])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || m.More {
				t.Errorf("(-want +got), more %v:\n%s", m.More, diff)
			}
		})
	}
}

func TestQueriesThatCannotBeAsked(t *testing.T) {
	tests := map[string]struct{ language, query, want string }{
		"empty":     {"python", " ", "at 1:1 of the query: it is empty"},
		"brackets":  {"python", "(call", "at 1:6 of the query: it cannot be read from here on; look for brackets and quotes"},
		"node":      {"python", "(call\n  (boat)) @x", `at 2:4 of the query: the grammar has no node "boat"`},
		"field":     {"python", "(call sail: (_)) @x", `at 1:7 of the query: the grammar has no field "sail"`},
		"capture":   {"python", `((call) @x (#eq? @y "a"))`, `at 1:19 of the query: nothing is captured as "y"`},
		"structure": {"python", "(pass_statement (call)) @x", "at 1:17 of the query: the grammar never builds this; no code could fit"},
		"no name":   {"python", "(call)", "at 1:1 of the query: it captures nothing; write @name behind the node that is to be quoted"},
		"predicate": {"python", `((call) @x (#sinks? @x "a"))`, "at 1:1 of the query: the predicate #sinks? is unknown; there are #eq?, #match? and #any-of?, each also with not- or any- as tree-sitter has them"},
		"property":  {"python", `((call) @x (#set! a "b"))`, "at 1:1 of the query: properties (#is?, #is-not?, #set!) say nothing here"},
		"pattern":   {"python", `((call) @x (#match? @x "("))`, "at 1:1 of the query: Invalid regex: '('"},
		"long":      {"python", strings.Repeat("(call) @x ", 500), "at 1:1 of the query: it is longer than 4096 bytes"},
		"go":        {"go", "(call_expression) @x", `at 1:1 of the query: no grammar of "go"; there is one of python, javascript, typescript, java, rust`},
		"bytes":     {"python", "(call) @x\x00", "at 1:1 of the query: it is not text"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := Compile(t.Context(), inline{}, tt.language, tt.query)
			if bad, ok := errors.AsType[*Refused](err); !ok || bad.Error() != tt.want {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
	if err := Compile(t.Context(), inline{}, "typescript", `(call_expression) @c`); err != nil {
		t.Errorf("a query that both grammars of a language take: %v", err)
	}
}

func TestMatchesAreBounded(t *testing.T) {
	m, err := Find(t.Context(), inline{}, "python", "(call) @c", "a.py", strings.Repeat("f()\n", maxMatches+1))
	if err != nil || len(m.Spans) != maxMatches || !m.More {
		t.Errorf("%d matches, more %v, %v", len(m.Spans), m.More, err)
	}
}

func TestAnswersAreChecked(t *testing.T) {
	for name, raw := range map[string]string{
		"no JSON":     `{`,
		"outside":     `{"spans":[[0,6]]}`,
		"negative":    `{"spans":[[-1,2]]}`,
		"backwards":   `{"spans":[[3,2]]}`,
		"a long list": `{"spans":[[0,1]` + strings.Repeat(",[0,1]", maxMatches) + `]}`,
	} {
		if m, err := read([]byte(raw), 5); err == nil {
			t.Errorf("%s: taken as %v", name, m)
		}
	}
	for _, request := range []string{"", "\x00", "\x63\x00\x00", "\x00\xff\xff(call) @x"} {
		if a, err := handle([]byte(request)); err == nil {
			t.Errorf("%q answered by %s", request, a)
		}
	}
}

// A worker compiles and asks in its own process.
func TestWorker(t *testing.T) {
	box, err := sandbox.Open(sandbox.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	w := box.Worker("query", sandbox.WorkerOptions{})
	m, err := Find(t.Context(), w, "rust", `(function_item name: (_) @n)`, "a.rs", "fn main() {}")
	if err != nil || len(m.Spans) != 1 {
		t.Errorf("%v, %v", m, err)
	}
}
