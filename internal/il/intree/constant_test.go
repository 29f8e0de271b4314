package intree_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
)

// TestConstants asks what the arguments of show are: the text, else the number, else the texts that
// it may be; "const" for another constant.
func TestConstants(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"literals":           {"show(1); show(-2.5); show('a' \"b\"); show(None); show(True); show(b'x'); show(0x10)", "1 -2.5 'ab' const const 'x' 16"},
		"escapes":            {`show('a\n\x41\u00e9\\'); show(r'\n'); show('''x\` + "\n" + `y''')`, `'a\nAé\\' '\\n' 'xy'`},
		"containers":         {"show([1, 'a']); show((1,)); show({'a': 1}); show([x]); show({'a': ['b']})", "const const const  const"},
		"module constant":    {"A = 'x'\ndef f():\n    show(A)", "'x'"},
		"small name":         {"a = 'x'\nn = 3\ndef f():\n    show(a); show(n)", "'x' 3"},
		"class constant":     {"class A:\n    X = 'x'\nshow(A.X); show(A().X)", "'x' 'x'"},
		"enum":               {"from enum import Enum\nclass N(str, Enum):\n    A = 'a'\n    B = 'b'\nshow(N.A); show(N.A.value); show(N['A'].value)", "'a' 'a' 'a'"},
		"class that is set":  {"class A:\n    X = 'x'\nclass B(A): pass\nshow(B.X)\ndef f(): A.X = 'y'", "x|y"},
		"add":                {"show('a' + 'b'); show(1 + 2); show('a' + x); x = 'b'", "'ab' 3 a*"},
		"percent":            {"show('%s-%d%%' % ('a', 1)); show('%(k)s' % {'k': 'v'})", "'a-1%' 'v'"},
		"format":             {"show('{}-{b}-{0}'.format('x', b='y')); show('{{}}{}'.format(1))", "'x-y-x' '{}1'"},
		"f-string":           {"n = 'a'\nshow(f'judge_{n}'); show(f'{{x}}{1}')", "'judge_a' '{x}1'"},
		"f-string unknown":   {"def f(d):\n    show(f'judge_{d}_{d}x')", "judge_*_*x"},
		"f-string parameter": {"def f(d):\n    show(f'judge_{d}')\nf('a')", "'judge_a'"},
		"os.path.join":       {"import os\nshow(os.path.join('a', 'c'))", ""},
		"default":            {"def f(x='d'):\n    show(x)", "'d'"},
		"parameter":          {"def f(x):\n    show(x)\nf('a')\nf(x='a')", "'a'"},
		"parameter differs":  {"def f(x):\n    show(x)\nf('a')\nf('b')", "a|b"},
		"parameter unknown":  {"def f(x):\n    show(x)\nf('a')\nf(y())", "a"},
		"self attribute":     {"class A:\n    def __init__(self):\n        self.k = 'v'\n    def m(self):\n        show(self.k)", "'v'"},
		"subscript":          {"D = {'a': 1}\nL = [1, 2]\nshow(D['a']); show(L[1]); show(D.get('a'))", "1 2 1"},
		"call":               {"def f(x):\n    return 'p_' + x\nshow(f('a'))", "'p_a'"},
		"conditional":        {"show('a' if x else 'b'); show('a' if True else 'b')", "a|b 'a'"},
		"alternatives":       {"if x:\n    n = 'a'\nelse:\n    n = 'b'\nshow(n)", "a|b"},
		"reassigned":         {"n = 'a'\nshow(n)\nn = 'b'\nshow(n)", "'a' 'b'"},
		"condition":          {"n = 'a'\nif c:\n    n = f()\nshow(n)\ndef g():\n    show(n)", "a a"},
		"text methods":       {"show('  A '.strip()); show(','.join(['a', 'b']))", "'A' 'a,b'"},
		"walrus":             {"if (n := 'a'):\n    show(n)", "'a'"},
		"circle":             {"a = b\nb = a\nshow(a)", ""},
		"imported":           {"from b import X\nimport b\nshow(X); show(b.X)", "'xb' 'xb'"},
		"environment":        {"import os\nM = os.getenv('M', 'm')\nshow(M)", ""},
		"a star":             {"S = '*'\nshow('*'); show(S); show(f'{S}{x}')", "'*' '*' *"},
		"a loop":             {"for n in ['a', 'b']:\n    show(f'j_{n}'); show(n)", "j_a|j_b a|b"},
		"a key of a loop":    {"D = {'a': 1}\nfor k, v in D.items():\n    show(k); show(v)\nfor k in D: show(k)\nfor v in D.values(): show(v)\nD['b'] = 2\nfor k in D.keys(): show(k)", "'a' 1 'a' 1 a|b"},
		"keys":               {"K = 'k'\nclass C:\n    A = 'a'\nD = {show(K): 1, show(C.A): 2, show(x): 3, 'y': show(K)}", "'k' 'a'  'k'"},
		"circle of calls":    {"def f(x): return g(x)\ndef g(x): return f(x)\nshow(f('a'))\nclass A(B): X = B.Y\nclass B(A): Y = A.X\nshow(A.X); show(B.X)", "  "},
		"circle of keys":     {"D = {'a': 1}\nfor k in D:\n    D[k + 'x'] = k\nfor k in D:\n    show(k); show(D[k])", "a a"},
		"deep":               {"x = 'a'\n" + strings.Repeat("x = x + x\n", 60) + "show(x)", "*"},
		"wide":               {strings.Repeat("if c: x = 'a'\nelse: x = 'b'\ny = y + x\n", 40) + "show(y)", "*"},
		"either import":      {"try:\n    from b import X\nexcept ImportError:\n    X = 'y'\nshow(X)", "xb|y"},
		"long":               {"show([" + strings.Repeat("'x', ", 5000) + "]); L = [" + strings.Repeat("'x', ", 5000) + "'y']\nshow(L[0])", " 'x'"},
		"dead":               {"def f():\n    return\n    show('a'); n = 'x'; show(n)", "'a' "},
		"a type":             {"def f(x: show('a')): pass", "'a'"},
		"a decorator":        {"A = 'x'\n@show(A)\ndef f(): pass", "'x'"},
		"a default":          {"A = 'x'\ndef f(x=show(A)): pass", "'x'"},
		"none or text":       {"n = None\nif c:\n    n = 'a'\nshow(n)", "a"},
		"number of a name":   {"N = 5\nM = N\nclass C:\n    K = 0.5\nshow(N); show(M); show(C.K); show(True)", "5 5 0.5 const"},
	} {
		t.Run(name, func(t *testing.T) {
			p := joined(t, code.File{Path: "a.py", Bytes: []byte(tt.text + "\n")}, code.File{Path: "b.py", Bytes: []byte("X = 'xb'\n")})
			var got []string
			for _, c := range p.Calls() {
				if c.Name != "show" {
					continue
				}
				n := c.Args[0].Value
				if text, ok := p.Text(n); ok {
					got = append(got, "'"+strings.Trim(fmt.Sprintf("%q", text), `"`)+"'")
				} else if x, ok := p.Number(n); ok {
					got = append(got, fmt.Sprint(x))
				} else if p.Constant(n) {
					got = append(got, "const")
				} else {
					got = append(got, strings.Join(p.Texts(n), "|"))
				}
			}
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("got  %s\nwant %s", g, tt.want)
			}
		})
	}
}
