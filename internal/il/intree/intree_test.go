package intree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/il/lower"
)

// TestOrigins asks where the argument of sink comes from: the kinds, and what is written
// there and on the way.
func TestOrigins(t *testing.T) {
	for name, tt := range map[string]struct{ text, want, way string }{
		"constant":           {"c = 'x'\nsink(c)", "const 'x'", "c > 'x'"},
		"call":               {"sink(input())", "call input()", "input()"},
		"text":               {"u = input()\nsink(f'git {u}')", "const part, call input() part", "f'git {u}' > input()"},
		"list":               {"u = input()\nc = ['git', u]\nsink(c)", "const 'git' part, call input() part", "c > ['git', u] > u > input()"},
		"list that grows":    {"c = ['git']\nc.append('clone')\nsink(c)", "const 'clone' part, const 'git' part", "c > ['git'] > 'git'"},
		"parameter":          {"def f(u):\n    sink(u)\nf(input())\nf('x')", "call input(), const 'x'", "u > 'x'"},
		"nobody calls":       {"def f(u):\n    sink(u)", "parameter", "u"},
		"handed on":          {"def f(u):\n    sink(u)\nf('x')\ng(f)", "parameter, const 'x'", "u > 'x'"},
		"default":            {"def f(u='d'):\n    sink(u)\nf()", "const 'd'", "u"},
		"return":             {"def g(x):\n    return x\nsink(g('a'))", "const 'a'", "g('a') > x > 'a'"},
		"conditional":        {"sink('a' if x else None)", "const None, const 'a'", "'a' if x else None > 'a'"},
		"assigned":           {"x = None\nif c:\n    x = 3\nsink(x)", "const None, const 3", "x > 3"},
		"field":              {"class A:\n    def __init__(self):\n        self.d = g()\n    def m(self):\n        sink(self.d)", "call g()", "self.d > g()"},
		"key":                {"def node(state):\n    sink(state['url'])", "parameter", "state['url']"},
		"outside":            {"import sys\nsink(sys.argv[1])", "part sys.argv", "sys.argv[1] > sys.argv"},
		"class":              {"class A: pass\nsink(A)", "name A", "A"},
		"another module":     {"from b import X\nsink(X)", "const 'xb'", "X"},
		"receiver":           {"import m\nc = m.Model()\nc.bind().sink('x')", "call c.bind()", "c.bind()"},
		"a call with a name": {"import m\nc = m.Model(n=1)\nc.sink('x')", "call m.Model(n=1)", "c > m.Model(n=1)"},
		"a word of its own":  {"sink(x=3)", "const 3", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			p, origins := originsOf(t, code.File{Path: "a.py", Bytes: []byte(tt.text + "\n")}, code.File{Path: "b.py", Bytes: []byte("X = 'xb'\n")})
			var got, way []string
			for _, c := range p.Calls() {
				if c.Name != "sink" {
					continue
				}
				asked := c.Receiver
				if !asked.Valid() {
					asked = c.Args[0].Value
				}
				for _, o := range origins.Of(asked) {
					kind := [...]string{"lost", "const", "parameter", "call", "part", "name", "exception"}[o.Kind]
					text := strings.TrimSpace(kind + " " + o.Node.Text())
					if o.Part {
						text += " part"
					}
					got, way = append(got, text), nil
					for _, n := range o.Path {
						way = append(way, n.Text())
					}
				}
			}
			if g := strings.Join(got, ", "); g != tt.want || strings.Join(way, " > ") != tt.way {
				t.Errorf("from %s by %s", g, strings.Join(way, " > "))
			}
		})
	}
}

// TestNoOrigins asks where nothing was lowered.
func TestNoOrigins(t *testing.T) {
	p, _ := originsOf(t, code.File{Path: "a.py", Bytes: []byte("sink(x)\n")})
	var none *intree.Origins
	got := none.Of(p.Calls()[0].Args[0].Value)
	if len(got) != 1 || got[0].Kind != analyse.OutOfSight || !slices.Equal(got[0].Path, []code.Node{p.Calls()[0].Args[0].Value}) {
		t.Error(fmt.Sprint(got))
	}
}

func originsOf(t *testing.T, files ...code.File) (*intree.Program, *intree.Origins) {
	t.Helper()
	p := joined(t, files...)
	return p, p.Origins
}

func joined(t *testing.T, files ...code.File) *intree.Program {
	t.Helper()
	p, err := code.Load(t.Context(), codetest.Inline{Service: code.Service()}, files)
	if err != nil {
		t.Fatal(err)
	}
	lowered, err := lower.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, p, &syntax.Program{})
	if err != nil {
		t.Fatal(err)
	}
	return intree.Join(p, analyse.Of(lowered))
}
