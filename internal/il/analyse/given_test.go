package analyse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// What f gives for 0, 1, 3, 6 and 10 in its last parameter without a default; ? where
// that is not one number.
func TestGiven(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"bounds", "m.py", "def f(x):\n    return max(1, min(5, int(x)))\n", "1 1 3 5 5"},
		{"bounds", "m.go", "package m\nfunc f(x int) int { return max(1, min(5, x)) }\n", "1 1 3 5 5"},
		{"bounds", "m.js", "function f(x) { return Math.max(1, Math.min(5, x)); }\n", "1 1 3 5 5"},
		{"conditions", "m.ts", "function f(x: number): number {\n  if (x < 1) { return 1; }\n  if (x > 5) { return 5; }\n  return x;\n}\n", "1 1 3 5 5"},
		{"conditions", "M.java", "class M { static int f(int x) { if (x < 1) { return 1; } if (x > 5) { return 5; } return x; } }\n", "1 1 3 5 5"},
		{"a choice", "m.py", "def f(x):\n    return 6 - x if x < 6 else 1\n", "6 5 3 1 1"},
		{"rounded to even", "m.py", "def f(x):\n    return round(x / 4)\n", "0 0 1 2 2"},
		{"defaults and constants", "m.py", "top = 5\ndef f(x, least=2, most=top):\n    if x < least:\n        return least\n    return min(x, most)\n", "2 2 3 5 5"},
		{"by the type", "m.py", "def f(x):\n    if isinstance(x, str) or x is None:\n        return 3\n    if isinstance(x, (int, float)):\n        return x\n    return 4\n", "0 1 3 6 10"},
		{"by the type of what was made a decimal", "m.py", "def f(x):\n    if isinstance(float(x), int):\n        return 3\n    return x\n", "? ? 3 ? ?"},
		{"by a type of others", "m.py", "from lib import Score\ndef f(x):\n    if isinstance(x, Score):\n        return 3\n    return x\n", "? ? 3 ? ?"},
		{"what raises is left out", "m.py", "def f(x):\n    try:\n        n = int(x)\n    except ValueError:\n        return 3\n    return n\n", "0 1 3 6 10"},
		{"what says that it raises is not", "m.py", "def f(x):\n    try:\n        if x > 5:\n            raise ValueError(x)\n        n = x\n    except ValueError:\n        return 3\n    return n\n", "0 1 3 3 3"},
		{"a function with these arguments", "m.py", "def f(x):\n    return half(x, by=2)\ndef half(n, least=1, by=3):\n    return max(least, n // by)\n", "1 1 1 3 5"},
		{"a method", "m.py", "class C:\n    def f(self, x):\n        return self._keep(x)\n    def _keep(self, n):\n        return min(n, 5)\n", "0 1 3 5 5"},
		{"a function that calls itself", "m.py", "def f(x):\n    return x if x < 2 else f(x - 1)\n", "0 1 1 ? ?"},
		{"a table", "m.py", "def f(x):\n    return TABLE[x]\n", "? ? ? ? ?"},
		{"nothing is given back", "m.py", "def f(x):\n    if x > 5:\n        return 5\n", "? ? ? 5 5"},
		{"a parameter that nobody gives", "m.py", "def f(y, x):\n    return x if x > 5 else y\n", "? ? ? 6 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := analyse.Of(program(t, "-- "+c.file+" --\n"+c.text))
			for f := range all.Program.All() {
				if f.Name != "f" && !strings.HasSuffix(f.Name, ".f") {
					continue
				}
				at := 0
				for i, p := range f.Params {
					if !p.Filled {
						at = i
					}
				}
				var got []string
				for _, x := range []float64{0, 1, 3, 6, 10} {
					v := all.Values.Given(f, map[int]il.Const{at: {Type: il.IntConst, Num: x}})
					if n, ok := v.One(); ok {
						got = append(got, fmt.Sprint(n))
					} else {
						got = append(got, "?")
					}
				}
				if have := strings.Join(got, " "); have != c.want {
					t.Errorf("got %q, want %q", have, c.want)
				}
			}
		})
	}
}
