package body

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/lower"
)

// python has each question's cases, and a reducer whose joins must not be gone
// through again for each way.
var python = `
def joined(a, b):
` + strings.Repeat("    if a: b = b\n    if b: a = a\n", 60) + `    return a

def tests(state):
    n = state.get("n", 0)
    done = state["done"] == 1
    if any(e.found for e in state["found"]) or n > state.limit or late(state):
        return state["next"]
    return "a"
def late(s): return s["time"] > s.get("due")
def reads(state):
    if state["a"] and state["a"] > 1:
        return state.get("b"), state.c, getattr(state, "d", None)
    state = {}
    return state["e"]
class Node:
    def __call__(self, state):
        return state["a"] if (lambda: state["b"] > 2)() else 0
def idle(state):
    print(state.get("a"))
    return {"a": [x for x in state["b"]]}
def busy(state): return {"a": ask(state)}
def sets(state): state["a"] = 1
def both(a, b): return [*a, *b]
def grown(a, b):
    out = dict(a)
    for k in b:
        out.setdefault(k, []).extend(b[k])
    return out
def absorbed(a, b):
    a.absorb(b)
    return a
def either(a, b): return b or a
def apart(a, b):
    if a: return a
    return b
def neither(a, b): return 1
class Sum:
    def __call__(self, a, b): return a + b
`

const script = `
function tests({n, messages}, config) { return n > 3 && late(messages) ? "x" : "y"; }
function late(m) { return m.length; }
function idle(s) { console.log(s.a); return {a: s.a}; }
const both = (a, b) => [...a, ...b];
const either = (a, b) => b ?? a;
function concat(a, b) { return a.concat(b); }
`

// bodies are those of some files.
func bodies(t *testing.T, files ...code.File) Bodies {
	p, err := code.Load(t.Context(), codetest.Inline{Service: code.Service()}, files)
	if err != nil {
		t.Fatal(err)
	}
	others, err := syntax.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, p.Layout, files)
	if err != nil {
		t.Fatal(err)
	}
	ir, err := lower.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, p, others)
	if err != nil {
		t.Fatal(err)
	}
	return Bodies{Analyses: analyse.Of(ir)}
}

func TestBodies(t *testing.T) {
	b := bodies(t, code.File{Path: "a.py", Bytes: []byte(python)}, code.File{Path: "b.js", Bytes: []byte(script)})
	got := map[string]string{}
	for f := range b.Program.All() {
		key := f.Module.Path + " " + f.Name
		if f.Name == "" || f.Name[0] == '<' {
			key = fmt.Sprintf("%s:%d", f.Module.Path, f.Place(f.Span).Line)
		}
		got[key+" tests"], got[key+" merges"], got[key+" idle"] = fmt.Sprint(b.Tests(f)), fmt.Sprint(b.Merges(f)), fmt.Sprint(b.Idle(f))
		keys := []string{}
		for _, r := range b.Reads(f) {
			keys = append(keys, fmt.Sprintf("%s:%d", r.Key, r.At.Line))
		}
		got[key+" reads"] = fmt.Sprint(keys)
	}
	for key, want := range map[string]string{
		"a.py tests tests":         "[done due found limit n time]",
		"a.py reads reads":         "[a:133 b:134]",
		"a.py reads tests":         "[a]",
		"a.py Node.__call__ tests": "[b]",
		"a.py Node.__call__ reads": "[a:139]",
		"a.py idle idle":           "true",
		"a.py busy idle":           "false",
		"a.py sets idle":           "false",
		"a.py both merges":         "yes",
		"a.py grown merges":        "yes",
		"a.py absorbed merges":     "yes",
		"a.py either merges":       "no",
		"a.py apart merges":        "no",
		"a.py joined merges":       "no",
		"a.py neither merges":      "unknown",
		"a.py Sum.__call__ merges": "yes",
		"b.js tests tests":         "[messages n]",
		"b.js idle idle":           "true",
		"b.js:5 merges":            "yes",
		"b.js:6 merges":            "no",
		"b.js concat merges":       "yes",
	} {
		if got[key] != want {
			t.Errorf("%s: %s, want %s", key, got[key], want)
		}
	}
	if b.Tests(nil) != nil || b.Reads(nil) != nil || b.Idle(nil) || b.Merges(nil) != agentgraph.Unknown {
		t.Error("something is known of a function that was not lowered")
	}
}

// updatesInPython are functions of a state, with what each writes behind it.
const updatesInPython = `
import copy
from langgraph.types import Command
def made(s):  # a[] b
    out = {"a": []}
    out.update(b=1)
    return out
def part(n):
    r = {"a": n}
    if n: r["b"] = []
    return r
def helped(s):  # a b[] c
    up = part(s["n"])
    up["c"] = 2
    return up
def whole(s):  # * a+ b
    s["a"].append(1)
    s["b"] = 2
    return s
def grown(s): return {"a": s["a"] + [1], "b": s["b"], "c": [*s["d"], 1]}  # a=l b== cl
def command(s): return Command(goto="x", update={"a": [1]})  # al
def either(s): return {"a": 1} if s["b"] else None  # a
def unknown(s): return s["tool"](s)  # ?
def computed(s):  # ?
    out = {}
    for k in s["keys"]:
        out[k] = 1
    return out
def made_by(n):
    def inner(s): return {n: 1, "a": [n]}
    return inner
def factory(s): return made_by("x")(s)  # al ?
def given(s):  # a ?
    up = {"a": 1}
    fill(up)
    return up
def fill(up): up["b"] = 1
def wiped(s):  # * b
    new = dict(s)
    new["b"] = 1
    del new["a"]
    return new
class Node:
    def __call__(self, s): return self.part(s)  # a
    def part(self, s): return {"a": s["n"] + 1}
`

const updatesInScript = `
import { Command } from "@langchain/langgraph";
function made(s) { const out = {a: []}; out.b = 1; return out; } // a[] b
function whole(s) { s.a.push(1); s.b = 2; return s; } // * a+ b
function grown(s) { return {a: s.a.concat([1]), b: s.b, c: [...s.d, 1]}; } // a=l b== cl
function command(s) { return new Command({goto: "x", update: {a: [1]}}); } // al
function either(s) { return s.b ? {a: 1} : null; } // a
function unknown(s) { return s.tool(s); } // ?
const spread = ({ d, b }) => ({ ...d, b }); // b== ?
`

func TestUpdates(t *testing.T) {
	b := bodies(t, code.File{Path: "a.py", Bytes: []byte(updatesInPython)}, code.File{Path: "b.js", Bytes: []byte(updatesInScript)})
	checked := 0
	for path, text := range map[string]string{"a.py": updatesInPython, "b.js": updatesInScript} {
		for i, line := range strings.Split(text, "\n") {
			_, want, ok := strings.Cut(strings.ReplaceAll(line, "//", "  #"), "  # ")
			if !ok {
				continue
			}
			checked++
			f, _ := b.At(path, i+1)
			g := agentgraph.Graph{Nodes: []agentgraph.Node{{Name: "n"}}}
			b.Write(&g, State{}, func(*agentgraph.Node) *il.Function { return f })
			if got := written(g); got != want {
				t.Errorf("%s: %s", line, got)
			}
		}
	}
	if checked != 19 {
		t.Errorf("%d functions, want 19", checked)
	}
}

// written shows what a node writes: "*" the state, "+" what grows, "[]" what is empty, "l" a
// list with something in it, "=" what has what was there, "==" and no more, "?" that there may be more.
func written(g agentgraph.Graph) string {
	var out []string
	for _, w := range g.Writes {
		s := w.Key
		for _, mark := range []struct {
			is   bool
			text string
		}{{w.Whole, "*"}, {w.Grows, "+"}, {w.Empty, "[]"}, {w.Held, "="}, {w.Echoes, "="}, {w.List, "l"}} {
			if mark.is {
				s += mark.text
			}
		}
		out = append(out, s)
	}
	if g.Nodes[0].Opaque {
		out = append(out, "?")
	}
	return strings.Join(out, " ")
}
