package analyse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// TestSides asks of each side of each test whether a run comes from there to the call
// of use without passing the test again, and how it ends.
func TestSides(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"one of two is enough": {
			"def f(u):\n    if not (u.a() or u.b()):\n        raise ValueError(u)\n    use(u)\n",
			"2 true comes ; 2 false comes ; 2 true comes ; 2 false raise",
		},
		"both are needed": {
			"def f(u):\n    if not u.a() or not u.b():\n        raise ValueError(u)\n    use(u)\n",
			"2 true comes ; 2 false raise; 2 true comes return; 2 false raise",
		},
		"only told": {
			"def f(u):\n    if not u.a():\n        print(u)\n    use(u)\n",
			"2 true comes ; 2 false comes ",
		},
		"skipped in a loop": {
			"def f(all):\n    for u in all:\n        if not u.a():\n            continue\n        use(u)\n",
			"3 true comes ; 3 false ",
		},
		"another language": {
			"function f(u) {\n  if (!u.a()) { return null }\n  use(u)\n}\n",
			"2 true comes return; 2 false return",
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := "m.py"
			if strings.HasPrefix(c.text, "function") {
				file = "m.js"
			}
			f := function(t, program(t, "-- "+file+" --\n"+c.text), "f")
			var got []string
			for b, test := range f.Instructions() {
				if test.Op != il.Branch {
					continue
				}
				for i, side := range b.Succs {
					comes := ""
					if analyse.Comes(f, side, call(t, f, "use"), func(in *il.Instr, _ bool) bool { return in == test }) {
						comes = "comes "
					}
					got = append(got, fmt.Sprintf("%d %t %s%s", f.Place(test.Span).Line, i == 0, comes, analyse.Ends(f, test, i == 0)))
				}
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("%s, want %s\n%s", text, c.want, f)
			}
		})
	}
}

// TestArgument asks which parameter of which function takes the second argument of the
// call in g.
func TestArgument(t *testing.T) {
	for text, want := range map[string]string{
		"def f(a, b): pass\ndef g(u): f(1, u)\n":                                          "f 1",
		"def f(a, b): pass\ndef g(u): f(1, a=u)\n":                                        "f 0",
		"import asyncio\ndef f(a): pass\nasync def g(u): await asyncio.to_thread(f, u)\n": "f 0",
		"class C:\n    def __init__(self, a, b): pass\ndef g(u): C(1, u)\n":               "C.__init__ 2",
		"class C:\n    pass\ndef g(u): C(1, u)\n":                                         "none",
		"def g(u): print(1, u)\n":                                                         "none",
		"def f(a, b): pass\ndef g(u): f(*u, u)\n":                                         "none",
	} {
		p := program(t, "-- m.py --\n"+text)
		f, got := function(t, p, "g"), "none"
		for _, in := range f.Instructions() {
			if in.Op == il.Call && len(in.Args) > 2 {
				if g, at := analyse.Resolve(p).Argument(f, in, 1); g != nil {
					got = fmt.Sprint(g.Name, " ", at)
				}
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
