package code

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown evaluates the first argument of every call of show, in each turn of
// the loops around it.
func shown(p *Program) []string {
	var out []string
	for _, c := range p.oldCalls() {
		if c.Name != "show" {
			continue
		}
		turns, complete := turnsOf(p, c.Node)
		for _, turn := range turns {
			out = append(out, p.Eval(c.Arg("", 0), turn).String())
		}
		if !complete {
			out = append(out, "incomplete")
		}
	}
	return out
}

func TestEval(t *testing.T) {
	tests := map[string]evalCase{
		"literals":         {"show(1); show(-2.5); show('a' \"b\"); show(None); show(True); show(b'x'); show(0x10)", []string{"1", "-2.5", `"ab"`, "None", "True", `b"x"`, "16"}},
		"escapes":          {`show('a\n\x41\u00e9\\'); show(r'\n'); show('''x\` + "\n" + `y''')`, []string{"\"a\\nAé\\\\\"", `"\\n"`, `"xy"`}},
		"containers":       {"show([1, 'a']); show((1,)); show({1, 2}); show({'a': 1, **{'b': 2}}); show([*[1, 2], 3])", []string{`[1, "a"]`, "(1)", "{1, 2}", `{"a": 1, "b": 2}`, "[1, 2, 3]"}},
		"module constant":  {"A = 'x'\ndef f():\n    show(A)", []string{`"x"`}},
		"class constant":   {"class A:\n    X = 'x'\nshow(A.X); show(A().X)", []string{`"x"`, `"x"`}},
		"enum":             {"from enum import Enum\nclass N(str, Enum):\n    A = 'a'\n    B = 'b'\nshow(N.A); show(N.A.value); show(N.B.name); show(N('b')); show(N['A'].value)", []string{`"a"`, `"a"`, `"B"`, `"b"`, `"a"`}},
		"enum auto":        {"from enum import StrEnum, auto\nclass N(StrEnum):\n    A = auto()\nshow(N.A.value)", []string{`"a"`}},
		"add":              {"show('a' + 'b'); show([1] + [2]); show(1 + 2); show((1,) + (2,))", []string{`"ab"`, "[1, 2]", "3", "(1, 2)"}},
		"percent":          {"show('%s-%d%%' % ('a', 1)); show('%(k)s' % {'k': 'v'})", []string{`"a-1%"`, `"v"`}},
		"format":           {"show('{}-{b}-{0}'.format('x', b='y')); show('{{}}{}'.format(1))", []string{`"x-y-x"`, `"{}1"`}},
		"f-string":         {"n = 'a'\nshow(f'judge_{n}'); show(f'{{x}}{1}')", []string{`"judge_a"`, `"{x}1"`}},
		"f-string unknown": {"def f(d):\n    show(f'judge_{d}_x')", []string{`f("judge_" ?d@a.py:2 "_x")`}},
		"os.path.join":     {"import os\nB = 'b'\nshow(os.path.join('a', B, 'c'))", []string{`"a/b/c"`}},
		"pathlib":          {"from pathlib import Path\nR = Path('a')\nshow(R / 'b' / 'c'); show(str(R / 'b')); show(Path('x', 'y'))", []string{`"a/b/c"`, `"a/b"`, `"x/y"`}},
		"default":          {"def f(x='d'):\n    show(x)", []string{`"d"`}},
		"parameter":        {"def f(x):\n    show(x)\nf('a')\nf(x='a')", []string{`"a"`}},
		"parameter differs": {"def f(x):\n    show(x)\nf('a')\nf('b')",
			[]string{`"a"|"b"`}},
		"parameter unknown": {"def f(x):\n    show(x)\nf('a')\nf(y())", []string{`"a"|?y()@a.py:4`}},
		"self attribute":    {"class A:\n    def __init__(self):\n        self.k = 'v'\n    def m(self):\n        show(self.k)", []string{`"v"`}},
		"subscript":         {"D = {'a': 1}\nL = [1, 2]\nshow(D['a']); show(L[-1]); show(D.get('a'))", []string{"1", "2", "1"}},
		"call":              {"def f(x):\n    return 'p_' + x\nshow(f('a'))", []string{`"p_a"`}},
		"conditional":       {"show('a' if x else 'b'); show('a' if True else 'b')", []string{`"a"|"b"`, `"a"`}},
		"alternatives":      {"if x:\n    n = 'a'\nelse:\n    n = 'b'\nshow(n)", []string{`"a"|"b"`}},
		"reassigned":        {"n = 'a'\nshow(n)\nn = 'b'\nshow(n)", []string{`"a"`, `"b"`}},
		"append":            {"c = ['git']\nc.append('clone')\nc += ['--depth', '1']\nc.extend(['u'])\nshow(c)", []string{`["git", "clone", "--depth", "1", "u"]`}},
		"dict grows":        {"d = {}\nd['a'] = 1\nd.update({'b': 2})\nshow(d)", []string{`{"a": 1, "b": 2}`}},
		"text methods":      {"import textwrap\nshow('  A '.strip().lower()); show(textwrap.dedent('''\n  a\n    b\n''')); show(','.join(['a', 'b'])); show('a b'.split())", []string{`"a"`, `"\na\n  b\n"`, `"a,b"`, `["a", "b"]`}},
		"comprehension":     {"N = ['a', 'b', 'c']\nshow([n.upper() for n in N if n != 'b']); show({n: i for i, n in enumerate(N)})", []string{`["A", "C"]`, `{"a": 0, "b": 1, "c": 2}`}},
		"unpacking":         {"a, (b, c) = 1, (2, 3)\nshow([a, b, c])", []string{"[1, 2, 3]"}},
		"walrus":            {"if (n := 'a'):\n    show(n)", []string{`"a"`}},
		"both branches":     {"n = 'x'\nif c:\n    n = 'a'\nelse:\n    n = 'b'\nshow(n)\ndef f():\n    show(n)", []string{`"a"|"b"`, `"a"|"b"`}},
		"one branch":        {"n = 'x'\nif c:\n    n = 'a'\nshow(n)", []string{`"x"|"a"`}},
		"branch leaves":     {"def f():\n    n = 'x'\n    if c:\n        return\n    elif d:\n        raise E\n    else:\n        n = 'b'\n    show(n)", []string{`"b"`}},
		"try and except":    {"n = 'x'\ntry:\n    n = 'a'\nexcept E:\n    n = 'b'\nshow(n)", []string{`"a"|"b"`}},
		"handler passes":    {"n = 'x'\ntry:\n    n = 'a'\nexcept E:\n    pass\nshow(n)", []string{`"x"|"a"`}},
		"object's field":    {"from pydantic import BaseModel, Field\nclass C(BaseModel):\n    m: str = 'd'\n    k: int = Field(default=3)\nshow(C(m='v').m); c = C()\nshow(c.m); show(c.k)", []string{`"v"`, `"d"`, "3"}},
		"constructor":       {"class C:\n    def __init__(self, m, n=2):\n        self.m = m\n        self.n = n\n    def f(self):\n        show(self.m); show(self.n)\nC('v').f()", []string{`"v"`, "2"}},
		"circle":            {"a = b\nb = a\nshow(a)", []string{`?a@a.py:3`}},
		"functions":         {"def f(): pass\nimport os\nshow([f, os.system])", []string{"[<a.f>, <os.system>]"}},
		"imported":          {"from b import X\nimport b\nshow(X); show(b.X)", []string{`"xb"`, `"xb"`}},
		"environment": {"import os\nM = os.getenv('M', 'm')\nshow(M)",
			[]string{"<os.getenv()>"}},
		"shadowed by parameter":                      {"n = 'a'\ndef f(n):\n    show(n)\nf('z')", []string{`"z"`}},
		"global variable of another function's loop": {"def g(n):\n    return n\nfor n in ['a']:\n    show(g('q'))", []string{`"q"`}},
	}
	evalAll(t, tests)
}

func TestEvalLoops(t *testing.T) {
	evalAll(t, map[string]evalCase{
		"loop list":      {"for n in ['a', 'b']:\n    show(f'j_{n}')", []string{`"j_a"`, `"j_b"`}},
		"loop items":     {"D = {'a': 1, 'b': 2}\nfor k, v in D.items():\n    show(k)\n    show(v)", []string{`"a"`, `"b"`, "1", "2"}},
		"loop pairs":     {"for n, f in [('a', 1), ('b', 2)]:\n    show((n, f))", []string{`("a", 1)`, `("b", 2)`}},
		"loop enumerate": {"for i, (a, b) in enumerate([(1, 2)], 5):\n    show([i, a, b])", []string{"[5, 1, 2]"}},
		"loop zip":       {"for a, b in zip(['x'], [1, 2]):\n    show((a, b))", []string{`("x", 1)`}},
		"loop range":     {"for i in range(1, 3):\n    show(i)", []string{"1", "2"}},
		"loop enum":      {"from enum import Enum\nclass N(Enum):\n    A = 'a'\n    B = 'b'\nfor n in N:\n    show(n.value)", []string{`"a"`, `"b"`}},
		"loop nested":    {"for a in 'x', 'y':\n    for b in (a + '1',):\n        show(b)", []string{`"x1"`, `"y1"`}},
		"loop unknown":   {"for a in load():\n    show(f'j_{a}')", []string{`f("j_" ?a@a.py:2)`, "incomplete"}},
		"loop comprehension statement": {"[show(n) for n in ['a', 'b'] if n != 'a']",
			[]string{`"b"`}},
		"loop table": {"H = {'a': 1, 'b': 2}\nfor n in ['b', 'a']:\n    show(H[n])", []string{"2", "1"}},
	})
}

func TestEvalSequences(t *testing.T) {
	const chain = "from langgraph.graph import START, END\nCH = [START, 'd', 'e', END]\n"
	pairs := []string{`(<langgraph.graph.START>, "d")`, `("d", "e")`, `("e", <langgraph.graph.END>)`}
	evalAll(t, map[string]evalCase{
		"characters":          {"for n in 'abé':\n    show(n)", []string{`"a"`, `"b"`, `"é"`}},
		"characters of name":  {"N = 'ab'\nfor n in N:\n    show(n)", []string{`"a"`, `"b"`}},
		"characters unknown":  {"for n in f'a{x}':\n    show(1)", []string{"1", "incomplete"}},
		"list of string":      {"show(list('abc')); show(tuple('ab')); show([*'ab'])", []string{`["a", "b", "c"]`, `("a", "b")`, `["a", "b"]`}},
		"list extends":        {"L = ['x']\nL.extend('ab')\nshow(L)", []string{`["x", "a", "b"]`}},
		"split":               {"for n in 'a b c'.split():\n    show(n)", []string{`"a"`, `"b"`, `"c"`}},
		"get of unknown key":  {"from langgraph.graph import END\ndef f(s):\n    show({'x': 'b', 'y': 'c'}.get(s['x'], END))", []string{`"b"|"c"|<langgraph.graph.END>`}},
		"get of known key":    {"D = {'x': 'b'}\nshow(D.get('x', 'z')); show(D.get('q', 'z')); show(D.get(k, 'z')); show(D.get(k))", []string{`"b"`, `"z"`, `"b"|"z"`, `"b"`}},
		"get of some key":     {"D = {'x': 'b'}\nk = 'x' if c else 'q'\nshow(D.get(k, 'z'))", []string{`"b"|"z"`}},
		"slices":              {"L = [1, 2, 3, 4]\nshow(L[1:]); show(L[:-1]); show(L[-3:-1]); show(L[::2]); show(L[::-1]); show(L[9:]); show((1, 2)[:1]); show(L[None:1])", []string{"[2, 3, 4]", "[1, 2, 3]", "[2, 3]", "[1, 3]", "[4, 3, 2, 1]", "[]", "(1)", "[1]"}},
		"slices backwards":    {"L = [1, 2, 3]\nshow(L[1::-1]); show(L[:0:-1]); show(L[-9:2]); show(L[-9::-1])", []string{"[2, 1]", "[3, 2]", "[1, 2]", "[]"}},
		"slice of string":     {"show('abc'[:2]); show('abc'[-1:])", []string{`"ab"`, `"c"`}},
		"slice unknown bound": {"L = [1, 2]\nshow(L[:n])", []string{"?L[:n]@a.py:2"}},
		"zip of slices":       {chain + "for x, y in zip(CH[:-1], CH[1:]):\n    show((x, y))", pairs},
		"pairwise":            {chain + "from itertools import pairwise\nfor x, y in pairwise(CH):\n    show((x, y))", pairs},
		"pairwise of module":  {chain + "import itertools\nfor x, y in itertools.pairwise(CH):\n    show((x, y))", pairs},
		"pairwise unknown":    {"import itertools\nfor x, y in itertools.pairwise(load()):\n    show(1)", []string{"1", "incomplete"}},
	})
}

func TestEvalFields(t *testing.T) {
	const spec = "from dataclasses import dataclass, field\nfrom typing import NamedTuple\n@dataclass\nclass Spec:\n    name: str\n    fn: object = None\n    deps: tuple = ()\ndef f(): pass\n"
	evalAll(t, map[string]evalCase{
		"field in loop": {spec + "for s in [Spec('m', f), Spec('n', fn=f, deps=('m',))]:\n    show(s.name); show(s.fn)",
			[]string{`"m"`, `"n"`, "<a.f>", "<a.f>"}},
		"field in nested loop": {spec + "for s in [Spec('m', f), Spec('n', fn=f, deps=('m', 'k'))]:\n    for d in s.deps:\n        show((s.name, d))",
			[]string{`("n", "m")`, `("n", "k")`}},
		"field of any element":              {spec + "def g(s):\n    pass\nfor s in [Spec('m'), Spec('n')]:\n    def h(): show(s.name)", []string{`"m"|"n"`}},
		"field in comprehension":            {spec + "A = [Spec('m'), Spec('n')]\nshow([s.name for s in A])", []string{`["m", "n"]`}},
		"loop variable means another thing": {spec + "for s in ['x']:\n    o = Spec(s)\nfor s in [o]:\n    show(s.name)", []string{`"x"`}},
		"default not passed":                {spec + "show(Spec('m').deps)", []string{"()"}},
		"default passed by place":           {spec + "show(Spec('m', None, (1,)).deps)", []string{"(1)"}},
		"default and splat":                 {spec + "show(Spec('m', **load()).deps); show(Spec(*load()).deps); show(Spec(*('m', f, (2,))).deps)", []string{"?Spec('m', **load()).deps@a.py:9", "?Spec(*load()).deps@a.py:9", "(2)"}},
		"default of parameter":              {spec + "def g(s: Spec):\n    show(s.deps)\ng(Spec('m', deps=(1,)))\nSpec('n')", []string{"(1)|()"}},
		"default of own method":             {"from pydantic import BaseModel\nclass C(BaseModel):\n    m: str = 'd'\n    def f(self):\n        show(self.m)\nC(m='v').f()", []string{`"v"`}},
		"default without construction": {"from pydantic import BaseModel\nclass C(BaseModel):\n    m: str = 'd'\ndef f(c: C):\n    show(c.m)",
			[]string{`"d"|?c.m@a.py:5`}},
		"alias":         {"from pydantic import BaseModel, Field\nclass C(BaseModel):\n    m: str = Field('d', alias='M')\nshow(C(M='v').m)", []string{"?C(M='v').m@a.py:4"}},
		"named tuple":   {spec + "class P(NamedTuple):\n    a: str\n    b: int = 1\nfor p in (P('x'), P('y', 2)):\n    show((p.a, p.b))", []string{`("x", 1)`, `("y", 2)`}},
		"inherited":     {spec + "@dataclass\nclass T(Spec):\n    kind: str = 'k'\nshow(T('m', f, (), 'z').kind); show(T('m', f, (3,)).deps)", []string{`"z"`, "(3)"}},
		"not a field":   {spec + "@dataclass\nclass T:\n    a: int = field(init=False, default=4)\n    b: int = 5\nshow(T(6).a); show(T(6).b)", []string{"4", "6"}},
		"bound later":   {spec + "@dataclass\nclass T:\n    a: str = 'd'\n    def __post_init__(self):\n        self.a = 'e'\nshow(T().a)", []string{`"d"|"e"`}},
		"class itself":  {spec + "Spec('m', deps=(1,))\nshow(Spec.deps)", []string{"()"}},
		"plain factory": {spec + "def make():\n    return Spec('m', deps=(1,))\nshow(make().deps)", []string{"(1)"}},
	})
}

// evalCase is a source and what its calls of show are given, turn by turn.
type evalCase struct {
	source string
	want   []string
}

func evalAll(t *testing.T, tests map[string]evalCase) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(tt.source + "\n")}, {Path: "b.py", Bytes: []byte("X = 'xb'\n")}})
			if diff := cmp.Diff(tt.want, shown(p)); diff != "" {
				t.Errorf("values differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnrollIsBounded(t *testing.T) {
	p := load(t, "-- a.py --\nfor i in range(1000000):\n    show(i)\n")
	loop := p.Module("a.py").Root().Child(0)
	turns, complete := p.Unroll(loop)
	if len(turns) != maxTurns || complete {
		t.Errorf("got %d turns, complete %v; want %d, false", len(turns), complete, maxTurns)
	}
}

func TestValue(t *testing.T) {
	p := load(t, "-- a.py --\ndef f(x):\n    show(f'a{x}b{x}{x}')\n    show([x, 'a'])\n    show({'k': 'v', 'k': 'w'})\n")
	var values []Value
	for _, c := range p.oldCalls("*.show", "?") {
		values = append(values, p.Eval(c.Arg("", 0)))
	}
	for _, c := range p.oldCalls() {
		values = append(values, p.Eval(c.Arg("", 0)))
	}
	if got := values[0].Pattern(); got != "a*b*" {
		t.Errorf("pattern is %q, want a*b*", got)
	}
	if texts, complete := values[1].Strings(); complete || !cmp.Equal(texts, []string{"a"}) {
		t.Errorf("strings are %q, complete %v; want a alone, incomplete", texts, complete)
	}
	if v, ok := values[2].Get("k"); !ok || v.Text != "w" {
		t.Errorf("value of k is %v, want the last one", v)
	}
	if values[1].Const() || !values[2].Const() {
		t.Error("constness is wrong")
	}
}

// turnsOf unrolls every loop around a node within its definition, comprehensions
// included, and returns the bindings under which the node runs: one empty
// binding outside loops. A loop that cannot be unrolled adds no names and
// makes complete false.
func turnsOf(p *Program, n Node) (turns []Binding, complete bool) {
	var loops []Node
	below := n
	for a := range n.Around() {
		if a.defines() {
			break
		}
		inBody := a.Is("for_statement") && below.FieldName() == "body"
		inClauses := a.Is("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression") &&
			below.FieldName() == "body"
		if inBody || inClauses {
			loops = append(loops, a)
		}
		below = a
	}
	turns, complete = []Binding{{}}, true
	for _, loop := range slices.Backward(loops) {
		var next []Binding
		for _, outer := range turns {
			inner, ok := p.Unroll(loop, outer)
			complete = complete && ok
			if len(inner) == 0 && !ok {
				inner = []Binding{{}}
			}
			for _, b := range inner {
				next = append(next, merge(outer, b))
			}
			if len(next) > maxTurns {
				break
			}
		}
		if len(next) > maxTurns {
			next, complete = next[:maxTurns], false
		}
		turns = next
	}
	return turns, complete
}
