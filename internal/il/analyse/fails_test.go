package analyse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
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
		"a file that does not parse": `
x = 1
def broken():
    return = 2 # !
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
		"names that loops set": `
SET = 1
def of(rows, names, deep):
    picked = [row for row in rows if row["by"] == who for who in names] # !
    kept = [row for row in rows for who in names if row["by"] == who]
    for part in deep:
        if not part: continue
        a, b = [row for row in rows if row["by"] == one for one in part] # !
    for row in rows:
        total = total + row # !
    for row in rows:
        if row: seen = 1
        else: print(seen)
    for row in rows:
        for part in row:
            count += part
        count = 0
    last = None
    while rows:
        if last is not None: print(size)
        last, size = rows.pop(), 2
    try:
        for row in rows: print(mark); mark = row # ?
    except NameError:
        pass
    def inner():
        nonlocal shared
        shared = 2
    while inner():
        print(shared); shared = 1
    global SET
    for row in rows:
        print(SET); SET = row
    for row in rows:
        if last: last = None
        else: print(gap); gap = row # !
    while True:
        try: got = rows.pop()
        except IndexError: continue
        break
    print(got)
def other():
    return GUIDE # !
def guides():
    return 1
    GUIDE = "text"
`,
		"elements of what has none": `
from langchain import llm, prompt, parser
from pydantic import BaseModel, RootModel
class Opinion(BaseModel):
    judge: str
class Table(RootModel): pass
class Rows(BaseModel):
    def __getitem__(self, key): return 1
class Base(BaseModel): pass
class Below(Base):
    def __getitem__(self, key): return 1
bound = prompt | llm.with_structured_output(Opinion)
raw = llm.with_structured_output(Opinion, include_raw=True)
def chain(): return bound
def of(given: Opinion, data):
    made = Opinion(judge="a")
    made["judge"] # !
    made["judge"] = 2 # !
    first, second = made
    given["judge"]; Table(data)["a"]; Rows()["a"]; Base()["a"]; raw.invoke(data)["parsed"]
    Rows()["a"] = 2 # !
    Opinion.model_validate(data)["judge"] # !
    answer = chain().with_retry().invoke(data) if data else None
    answer["judge"] = 1 # !
    (llm.with_structured_output(Opinion) | parser).invoke(data)["judge"]
    llm.with_structured_output(dict).invoke(data)["judge"]
    either = Opinion(judge="a") if data else {}
    either["judge"]
    known = bound.invoke(data)
    if isinstance(known, dict): known["judge"]
    try: made["judge"] # ?
    except TypeError: pass
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
				if !strings.HasPrefix(x.Why, "nothing defines ") {
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
// What is there and was not read, and what a build or a user makes, is not missing.
func TestHiddenModules(t *testing.T) {
	const files = `
-- .gitignore --
/src/app/_version.py
-- src/app/__init__.py --
-- src/app/main.py --
from app.proto import x_pb2, stub, _fast, huge, y_pb2
from app.proto.x_pb2 import X
from .proto.stub import Y
from .proto._fast import q
from .proto.huge import Z
from .vendor.six import moves
from ._version import v
from app.proto import gone # !
from app.gone import g # !
from .proto.real import nothing # !
-- src/app/proto/x_pb2.py --
# Generated by the protocol buffer compiler.  DO NOT EDIT!
X = 1
-- src/app/proto/y.proto --
-- src/app/proto/stub.pyi --
-- src/app/proto/_fast.cpython-312-x86_64-linux-gnu.so --
-- src/app/proto/real.py --
-- src/app/vendor/six.py --
moves = 1
`
	list := []code.File{{Path: "src/app/proto/huge.py"}} // its content is not to be had
	for _, f := range txtar.Parse([]byte(files)).Files {
		list = append(list, code.File{Path: f.Name, Bytes: f.Data})
	}
	lines := strings.Split(strings.Split(files, "main.py --\n")[1], "\n")
	got := []int{}
	for _, x := range analyse.Of(load(t, list)).Failures() {
		got = append(got, x.Places[0].Line)
	}
	want := []int{}
	for i, line := range lines {
		if strings.HasSuffix(line, "# !") {
			want = append(want, i+1)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("lines %v fail, want %v", got, want)
	}
}

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
					if !strings.Contains(x.Why, want) || want == "" && x.Why != "" {
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
