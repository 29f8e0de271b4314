package body

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
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

func TestBodies(t *testing.T) {
	files := []code.File{{Path: "a.py", Bytes: []byte(python)}, {Path: "b.js", Bytes: []byte(script)}}
	p, err := code.Load(t.Context(), codetest.Inline{Service: code.Service()}, files)
	if err != nil {
		t.Fatal(err)
	}
	others, err := syntax.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, p.Layout, files)
	if err != nil {
		t.Fatal(err)
	}
	ir, err := lower.Load(t.Context(), codetest.Inline{Service: lower.Service()}, p, others)
	if err != nil {
		t.Fatal(err)
	}
	b := Bodies{analyse.Of(ir)}
	got := map[string]string{}
	for f := range ir.All() {
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
