package analyse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Runs that come by here(): which calls of there() can come after it, and what the
// first argument of it can be then.
func TestPassing(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"the other side of the condition", "m.py", "def f(a, s):\n    if a:\n        here()\n    else:\n        there(s)\n    there(s)\n", "6"},
		{"other texts of one name", "m.py", "def f(a, s):\n    if a == 'x':\n        here()\n    if a == 'y':\n        there(s)\n    elif a in ('x', 'z'):\n        there(s)\n", "7"},
		{"other texts of one name", "m.go", "package m\nfunc f(a string, s int) {\n\tif a == \"x\" {\n\t\there()\n\t}\n\tif a == \"y\" {\n\t\tthere(s)\n\t}\n\tthere(s)\n}\n", "9"},
		{"a flag set beside it", "m.js", "function f(a, s) {\n  let done = false;\n  if (a) { done = true; here(); }\n  if (!done) { there(s); }\n}\n", ""},
		{"it leaves", "m.py", "def f(a, s):\n    if a:\n        here()\n        return 1\n    there(s)\n", ""},
		{"it goes on with the loop", "m.py", "def f(a, s):\n    for x in a:\n        if x:\n            here()\n            continue\n        there(s)\n    there(s)\n", "7"},
		{"before it in the loop", "m.py", "def f(a, s):\n    for x in a:\n        there(s)\n        here()\n", ""},
		{"low behind it", "m.py", "def f(a, s):\n    if a:\n        s = min(s, 3)\n        here()\n    if s > 3:\n        there(s)\n    there(s)\n", "7 to 3"},
		{"low, but not on other turns", "m.py", "def f(a, n):\n    s = 5\n    for x in a:\n        if x > n:\n            s = 2\n            here()\n        there(s)\n    there(s)\n", "8 to 5, 7 to 2"},
		{"what another turn left", "m.py", "def f(a, n):\n    s = 0\n    t = 0\n    for x in a:\n        if x > n:\n            t = s\n            here()\n            there(t)\n        else:\n            s = 4\n", "8 to 4"},
		{"a handler", "m.py", "def f(a, s):\n    try:\n        g(a)\n        here()\n    except ValueError:\n        there(s)\n", "6"},
		{"a handler of what comes after it", "m.py", "def f(a, s):\n    try:\n        here()\n        g(a)\n    except ValueError:\n        there(s)\n", "6"},
		{"a function that calls itself", "m.py", "def f(a, s):\n    if a:\n        here()\n        there(f(a, 3))\n    return s\n", "4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := analyse.Of(program(t, "-- "+c.file+" --\n"+c.text))
			var got []string
			for f := range all.Program.All() {
				for _, at := range f.Instructions() {
					if at.Op != il.Call || at.Kind != "here" {
						continue
					}
					v := all.Values.Passing(f, at)
					for b, in := range f.Instructions() {
						if in.Op != il.Call || in.Kind != "there" || v.Dead(f, b) || !v.Later(f, at, in) {
							continue
						}
						line := fmt.Sprint(f.Place(in.Span).Line)
						if n := v.Of(f, in.Args[1]); !n.AnyStr && n.Num.Hi < 10 {
							line += fmt.Sprintf(" to %g", n.Num.Hi)
						}
						got = append(got, line)
					}
				}
			}
			if have := strings.Join(got, ", "); have != c.want {
				t.Errorf("got %q, want %q", have, c.want)
			}
		})
	}
}
