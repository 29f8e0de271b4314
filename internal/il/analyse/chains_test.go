package analyse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// TestChains asks of small judges whether what one part finds arrives at what the
// next one does with it: what the function given as from computes in its call of
// "source" at a call of "sink".
func TestChains(t *testing.T) {
	for name, c := range map[string]struct {
		want   string
		source string
	}{
		"evidence to the message": {"yes", `
def judge(state):
    evidence = source()
    prompt = f"Evidence:\n{evidence}"
    return llm.sink([("human", prompt)])`},
		"the prompt is built and another is sent": {"no", `
def judge(state):
    evidence = source()
    prompt = f"Evidence:\n{evidence}"
    return llm.sink("You are a judge.")`},
		"cut to nothing": {"no", `
def judge(state):
    evidence = source()
    return llm.sink(evidence[:0])`},
		"overwritten by a constant": {"no", `
def chief(opinions):
    score = source()
    score = 3.0
    sink(score)`},
		"overwritten where it matters": {"yes", `
def chief(opinions):
    score = source()
    if score > 4:
        score = 3.0
    sink(score)`},
		"the result is discarded": {"no", `
def chief(opinions):
    source()
    sink({"score": 3})`},
		"a default table instead": {"no", `
DEFAULTS = {"a": 3}
def chief(opinions):
    scores = source()
    sink(DEFAULTS["a"])`},
		"the copy is changed and the original used": {"no", `
def chief(verdict):
    copy = verdict.model_copy()
    copy.score = source()
    sink(verdict.score)`},
		"the copy is used": {"yes", `
def chief(verdict):
    copy = verdict.model_copy()
    copy.score = source()
    sink(copy.score)`},
		"only another field is used": {"no", `
class Opinion:
    def __init__(self, name, score):
        self.name = name
        self.score = score
def chief(state):
    o = Opinion("a", source())
    sink(o.name)`},
		"through helpers and a list": {"yes", `
def read(path):
    return {"found": source(), "path": path}
def collect(paths):
    out = []
    for p in paths:
        out.append(read(p))
    return out
def judge(state):
    lines = [f"- {e['found']}" for e in collect(["a"])]
    sink("\n".join(lines))`},
		"from a method to another by the object": {"yes", `
class Court:
    def __init__(self):
        self.opinions = []
        self.opinions.append(source())
    def settle(self):
        sink(self.opinions)
def main():
    Court().settle()`},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(t, "-- m.py --\n"+c.source+"\n")
			w := flow(p, "sink")
			for f := range p.All() {
				for _, in := range f.Instructions() {
					if in.Op != il.Call || in.Kind != "source" {
						continue
					}
					best := w.Arrives(f, il.Operand{Kind: il.Local, ID: in.Dst})
					if a := callers(p, w, f); best.Is != analyse.Yes && a.Is != analyse.No {
						best = a
					}
					if best.Is.String() != c.want {
						t.Errorf("%s %s %v", best.Is, best.Why, best.Places)
					}
				}
			}
		})
	}
}

// callers asks whether what a function gives back, or leaves in its object, arrives.
func callers(p *il.Program, w *analyse.Flow, f *il.Function) analyse.Answer {
	out := analyse.Answer{Is: analyse.No}
	for g := range p.All() {
		for _, in := range g.Instructions() {
			s := w.Names.Operand(g, argument(in, 0))
			if in.Op != il.Call || s == nil || s.Function == nil || s.Function != f && s.Function != f.Outer {
				continue
			}
			if a := w.Arrives(g, il.Operand{Kind: il.Local, ID: in.Dst}); a.Is != analyse.No {
				return a
			}
			if a := callers(p, w, g); a.Is != analyse.No {
				return a
			}
		}
	}
	return out
}

func argument(in *il.Instr, i int) il.Operand {
	if i < len(in.Args) {
		return in.Args[i]
	}
	return il.Operand{}
}

// The state of a graph carries what one node gives back to those behind it.
func TestFlowAfter(t *testing.T) {
	p := program(t, `
-- m.py --
def detect(state, x):
    return {"evidence": [x], "other": 1}
def judge(state):
    return {"opinion": state["evidence"]}
def chief(state):
    sink(state["opinion"])
def idle(state):
    sink(state["other"])
`)
	for name, want := range map[string]analyse.Tri{"chief": analyse.Yes, "idle": analyse.No} {
		w := flow(p, "sink")
		detect := function(t, p, "detect")
		w.After = map[*il.Function][]*il.Function{detect: {function(t, p, "judge"), function(t, p, name)}, function(t, p, "judge"): {function(t, p, name)}}
		if a := w.Arrives(detect, il.Operand{Kind: il.Local, ID: detect.Params[1].Var}); a.Is != want {
			t.Errorf("%s: %s %s %v", name, a.Is, a.Why, a.Places)
		}
	}
}

// The work grows with the program, not faster; functions that call each other in a
// ring are not an exception. A budget that is spent only takes answers away, and the
// order of files changes nothing.
func TestFlowLaws(t *testing.T) {
	ring := func(n int) *il.Program {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "def f%d(x, d):\n    if d:\n        return x\n    return f%d(x, d - 1)\n", i, (i+1)%n)
		}
		return program(t, "-- m.py --\n"+b.String())
	}
	work := func(p *il.Program) int {
		w := flow(p, "sink")
		f := p.Modules[0].Functions[0]
		if a := w.Returned(f, il.Operand{Kind: il.Local, ID: f.Params[0].Var}); a.Is != analyse.Yes {
			t.Errorf("x arrives: %s %s", a.Is, a.Why)
		}
		return w.Work
	}
	if a, b := work(ring(50)), work(ring(100)); b > 5*a/2 {
		t.Errorf("a ring of 50 takes %d steps, one of 100 %d", a, b)
	}
	archive := []string{"-- a.py --\nfrom b import g\ndef f(x): g(x)\n", "-- b.py --\nfrom c import h\ndef g(y):\n    h({\"k\": y})\n", "-- c.py --\ndef h(z): sink(z[\"k\"])\n"}
	var want string
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		p := program(t, archive[order[0]]+archive[order[1]]+archive[order[2]])
		f := function(t, p, "f")
		a := flow(p, "sink").Arrives(f, il.Operand{Kind: il.Local, ID: f.Params[0].Var})
		if got := fmt.Sprint(a); want == "" {
			want = got
		} else if got != want {
			t.Errorf("in another order %s, not %s", got, want)
		}
		for budget := range 30 {
			w := flow(p, "sink")
			w.Budget = budget + 1
			if b := w.Arrives(f, il.Operand{Kind: il.Local, ID: f.Params[0].Var}); b.Is != analyse.Unknown && b.Is != a.Is {
				t.Errorf("with a budget of %d: %s", budget+1, b.Is)
			}
		}
	}
	if !strings.HasPrefix(want, "{yes") {
		t.Error(want)
	}
}
