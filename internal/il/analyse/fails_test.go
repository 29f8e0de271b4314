package analyse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// A line that ends in "# !" fails whenever it is run, one in "# ?" where a handler
// may be there for it, and no other does.
func TestFailures(t *testing.T) {
	for name, text := range map[string]string{
		"calls": `
def two(a, b=1): pass
def keyed(a, *, k): pass
def rest(a, *more, **named): pass
class Judge:
    def __init__(self, name): self.name = name
    def rule(self, score): pass
    @staticmethod
    def free(score): pass
    @classmethod
    def made(cls, name): return cls(name)
    def old(cls): pass
    old = classmethod(old)
class Bare: pass
class Known(Bare):
    def __new__(cls, *a): pass
    def __init__(self, a): pass
@decorated
def changed(a): pass
two(1); two(1, 2); two(a=1); two(b=2, a=1); keyed(1, k=2); rest(1, 2, 3, x=4)
two() # !
two(1, 2, 3) # !
two(1, c=2) # !
keyed(1) # !
keyed(k=1) # !
rest() # !
two(*found); two(**found); changed()
Judge("x"); Judge("x").rule(1); Judge.free(1); Judge("x").free(1); Judge.made("x"); Judge.old(); Bare(1); Known()
Judge() # !
Judge("x", 2) # !
Judge("x").rule() # !
Judge("x").free(1, 2) # !
try:
    two() # ?
except TypeError:
    pass
def inside():
    two = print
    two()
`,
		"tables": `
TABLE = {"a": 1, "b": 2}
OPEN = {"a": 1, **more}
FILLED = {"a": 1}
FILLED["b"] = 2
def of(key):
    TABLE["a"]; TABLE[key]; TABLE.get("c"); OPEN["c"]; FILLED["b"]
    TABLE["c"] # !
    seen = {"a": None}
    def hold(): seen["b"] = 1
    hold()
    seen["b"]
`,
		"numbers": `
def of(n, text):
    n / 2; n / len(text); "%d" % 0
    1 / 0 # !
    len(text) % 0 # !
`,
		"formats": `
def of(x, spec):
    "{} {}".format(x, x); "{a.b[0]!r:>10} {{}}".format(a=x); "{0:{w}}".format(x, w=3); "{}".format(*x)
    f"{x:.2f} {'a':>10} { {'a': x} } {'s':{spec}}"
    "{} {}".format(x) # !
    "{a} {b}".format(a=x) # !
    "{1}".format(x) # !
    '{"a": {}}'.format(x) # !
    "a } b".format() # !
    f'{"a": "b {x}", }' # !
    f"{'a':.2f}" # !
`,
	} {
		t.Run(name, func(t *testing.T) {
			var want, got []string
			for i, line := range strings.Split(text, "\n") {
				for mark, is := range map[string]analyse.Tri{"# !": analyse.Yes, "# ?": analyse.Unknown} {
					if strings.HasSuffix(line, mark) {
						want = append(want, fmt.Sprintf("%03d %s", i, is))
					}
				}
			}
			all := analyse.Of(program(t, "-- m.py --"+text))
			why := ""
			for _, x := range all.Failures() {
				if !strings.HasSuffix(x.Why, "not bound on any way") {
					got = append(got, fmt.Sprintf("%03d %s", x.Places[0].Line, x.Is))
					why += fmt.Sprintf("\n%03d %s", x.Places[0].Line, x.Why)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("got  %v\nwant %v%s", got, want, why)
			}
		})
	}
}

// A call of print("WHY") is where a failure keeps every run from coming to or from
// coming back of; of print() nothing is known.
func TestCrash(t *testing.T) {
	for name, archive := range map[string]string{
		"inside": `
-- m.py --
def early():
    print()
    gone()
    print("gone")
def one_way(x):
    if x:
        gone()
        print("gone")
    print()
def all_ways(x):
    if x:
        print("gone")
        helper(x)
        gone()
    else:
        raise ValueError
    return [x]
def helper(x):
    print("gone")
    return x + 1
def aside(x):
    print()
    log.append(x)
def no_result(x):
    print()
    aside(x)
    gone()
def caught():
    try:
        gone()
        print("gone")
    except NameError:
        print()
    print()
def caller():
    print()
    early()
    print("gone")
def nested():
    gone()
    def inner():
        print("gone")
def cut_off():
    print()
    all_ways(1)
    only_there()
def only_there():
    print("gone")
def raises():
    print()
    raise ValueError
def always_raises(x):
    print("every way through always_raises raises")
    if len(x) >= 0:
        raise ValueError
    return x
def turns(xs):
    print("gone")
    for x in xs:
        gone()
    return xs
def may_leave(xs):
    print()
    for x in xs:
        if x:
            break
        gone()
    return xs
def guarded(xs):
    for x in xs:
        try:
            gone()
        except NameError:
            print()
    print()
    return xs
cut_off()
def late():
    print()
    yield 1
    gone()
    print("gone")
`,
		"imports": `
-- pkg/__init__.py --
-- pkg/good.py --
from pkg import state
def f():
    print()
-- pkg/state.py --
-- pkg/bad.py --
from pkg.state import Missing
def f():
    print("pkg.state has no Missing")
-- pkg/user.py --
from pkg.bad import f
def g():
    print("pkg.state has no Missing")
-- pkg/wary.py --
try:
    from pkg.bad import f
except ImportError:
    f = None
def g():
    print()
-- pkg/late.py --
def g():
    print()
    from pkg.bad import f
def h():
    print()
-- broken/__init__.py --
from .gone import x
-- broken/part.py --
def f():
    print("there is no .gone")
-- script.py --
def main():
    print()
main()
gone()
`,
	} {
		t.Run(name, func(t *testing.T) {
			all, asked := analyse.Of(program(t, archive)), 0
			var tops []*il.Function
			for _, m := range all.Program.Modules {
				tops = append(tops, m.Top)
			}
			runs := all.Runs(tops...)
			for f := range all.Program.All() {
				for _, in := range f.Instructions() {
					if in.Op != il.Call || in.Kind != "print" {
						continue
					}
					want := ""
					if len(in.Args) > 1 {
						want, _ = f.Str(in.Args[1])
					}
					asked++
					x, _ := runs.Crash(f, in)
					if !strings.HasPrefix(x.Why, want) || want == "" && x.Why != "" {
						t.Errorf("%s: %q, want %q", f.Place(in.Span), x.Why, want)
					}
				}
			}
			if asked == 0 {
				t.Error("nothing was asked")
			}
		})
	}
}
