package analyse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// claims are the conditions of a function as "LINE SIDE IS".
func claims(v *analyse.Values, f *il.Function) string {
	var got []string
	for _, c := range v.Conditions(f) {
		is := c.Is.String()
		if c.Flag != "" {
			is = "flag " + c.Flag
		}
		got = append(got, fmt.Sprintf("%d %t %s", c.Places[0].Line, c.Truth, is))
	}
	slices.Sort(got)
	return strings.Join(slices.Compact(got), ", ")
}

const model = `from pydantic import BaseModel, Field
from typing import Literal, Optional, List, Annotated
class Opinion(BaseModel):
    score: int = Field(ge=1, le=5)
    verdict: Literal["guilty", "innocent"]
    share: Annotated[float, Field(ge=0, lt=1)]
    note: Optional[str] = None
`

var conditionCases = []struct{ name, file, text, want string }{
	{"a text that is given or empty", "m.py", "def f(url):\n    s = (url or '').strip()\n    if not s:\n        return 1\n    return 2\n", ""},
	{"a threshold above the scale", "m.py", model + "def f(op: Opinion):\n    if op.score > 5:\n        return 'cap'\n", "9 false yes, 9 true no"},
	{"a threshold within the scale", "m.py", model + "def f(op: Opinion):\n    if op.score >= 5:\n        return 'cap'\n", "9 false yes, 9 true yes"},
	{"a field that is set past the model", "m.py", model + "def f(op: Opinion):\n    op.score = 9\n    if op.score > 5:\n        return 'cap'\n", ""},
	{"a verdict that is none", "m.py", model + "def f(op: Opinion):\n    if op.verdict == 'acquitted':\n        return 'cap'\n", "9 false yes, 9 true no"},
	{"elements of a list", "m.py", model + "def f(ops: List[Opinion]):\n    for op in ops:\n        if op.share >= 1:\n            return 'cap'\n", "10 false yes, 10 true no"},
	{"elements of two lists", "m.py", model + "def f(one: Opinion, ops: List[Opinion]):\n    for op in [one] + ops:\n        if op.share >= 1:\n            return 'cap'\n", "10 false yes, 10 true no"},
	{"elements of a list and of something else", "m.py", model + "def f(one, ops: List[Opinion]):\n    for op in [one] + ops:\n        if op.share >= 1:\n            return 'cap'\n", ""},
	{"a spread that a scale has not", "m.py", model + "def f(ops: List[Opinion]):\n    scores = [op.score for op in ops]\n    if max(scores) - min(scores) > 4:\n        return 'apart'\n", "10 true no"},
	{"a spread that a scale has", "m.py", model + "def f(ops: List[Opinion]):\n    scores = [op.score for op in ops]\n    if max(scores) - min(scores) > 3:\n        return 'apart'\n", ""},
	{"what all callers hand over", "m.py", model + "def f(ops, other=None):\n    if sum(o.score for o in ops) / len(ops) > 5:\n        return 'never'\ndef g(state: List[Opinion]):\n    f([o for o in state if o.score])\n    f(sorted(state, key=len))\n", ""},
	{"a mean", "m.py", model + "def f(ops):\n    scores = [o.score for o in ops]\n    if sum(scores) / len(scores) > 5:\n        return 'never'\ndef g(state: List[Opinion]):\n    f([o for o in state if o.score])\n    f(sorted(state, key=len))\n", "10 true no"},
	{"callers that differ", "m.py", model + "def f(ops):\n    scores = [o.score for o in ops]\n    if sum(scores) / len(scores) > 5:\n        return 'never'\ndef g(state: List[Opinion], other):\n    f(state)\n    f(other)\n", ""},
	{"handed on", "m.py", model + "def f(ops):\n    scores = [o.score for o in ops]\n    if max(scores) > 5:\n        return 'never'\ndef g(state: List[Opinion]):\n    f(state)\n    run(f)\n", ""},
	{"the one that is found", "m.py", model + "def f(ops: List[Opinion]):\n    lead = next((o for o in ops if o.verdict), None)\n    if lead is not None and lead.score > 5:\n        return 'never'\n", "10 true no, 9 false no, 9 true yes"},
	{"what is put in is another thing", "m.py", model + "def f(ops: List[Opinion], more):\n    scores = [o.score for o in ops]\n    scores.append(more)\n    if max(scores) > 5:\n        return 'apart'\n", ""},
	{"one of two that are given back", "m.py", model + "def pair(op: Opinion):\n    return op.score, 'x'\ndef f(op: Opinion):\n    score, text = pair(op)\n    if score > 5:\n        return 'never'\n    if text == 'y':\n        return 'never'\n", "12 true no, 14 true no"},
	{"contradictory reads of a field", "m.py", "def f(op):\n    if op.score > 4 and op.score < 0:\n        return 'cap'\n", "2 true no"},
	{"contradictory", "m.py", "def f(s):\n    if s > 4 and s < 0:\n        return 'cap'\n", "2 true no"},
	{"contradictory", "m.go", "package m\nfunc f(s int) int {\n\tif s > 4 && s < 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", "3 true no"},
	{"contradictory", "m.js", "function f(s) {\n  if (s > 4 && s < 0) { return 1 }\n  return 0\n}\n", "2 true no"},
	{"contradictory", "m.ts", "function f(s: number) {\n  if (s > 4 && s < 0) { return 1 }\n  return 0\n}\n", "2 true no"},
	{"contradictory", "M.java", "class M {\n  int f(int s) {\n    if (s > 4 && s < 0) { return 1; }\n    return 0;\n  }\n}\n", "3 true no"},
	{"contradictory", "src/m.rs", "fn f(s: i64) -> i64 {\n    if s > 4 && s < 0 { return 1; }\n    0\n}\n", "2 true no"},
	{"contradictory", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    if (s > 4 && s < 0) { return 1; }\n    return 0;\n  }\n}\n", "3 true no"},
	{"contradictory in a pattern", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    if (s is > 4 and < 0) { return 1; }\n    return 0;\n  }\n}\n", "3 true no"},
	{"given by the call", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    int n = 1;\n    if (Try(t, out n) && n == 2) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"declared in a condition", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    if (!int.TryParse(t, out var n)) { return 1; }\n    if (n > 2) { return 2; }\n    return 0;\n  }\n}\n", ""},
	{"written through its address", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    int n = 1;\n    Fill(ref n);\n    if (n > 1) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"of another type it is null", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    if (o == null) { return 1; }\n    var x = o as string;\n    if (x == null) { return 2; }\n    return 0;\n  }\n}\n", ""},
	{"a cast cuts", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    int n = (int)3.7;\n    if (n == 3) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"decimals are exact", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    if (0.1m + 0.2m == 0.3m) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"a switch that has a value", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    var x = s switch { 1 => \"a\", 2 => \"b\", _ => null };\n    if (x == null) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"a switch that no arm fits throws", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    var x = s switch { 1 => \"a\", 2 => \"b\" };\n    if (x == null) { return 1; }\n    return 0;\n  }\n}\n", "4 true no"},
	{"null after it was asked", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    if (o is not null) { return 1; }\n    if (o is null) { return 2; }\n    return 0;\n  }\n}\n", "4 false no"},
	{"filled where it is null", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    t ??= \"a\";\n    if (t == null) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"both ends of a label", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    switch (s) { case 1: case 2: if (s == 1) { return 1; } break; default: if (s == 3) { return 2; } break; }\n    return 0;\n  }\n}\n", ""},
	{"what is compiled on a condition", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    #if DEBUG\n    return 1;\n    #endif\n    if (s > 1) { return 2; }\n    return 0;\n  }\n}\n", ""},
	{"bound anew between", "m.py", "def f(s):\n    if s <= 4:\n        return None\n    s = s - 9\n    if s < 0:\n        return 'cap'\n", ""},
	{"a constant of the module", "m.py", model + "LIMIT = 9\ndef f(op: Opinion):\n    if op.score > LIMIT:\n        return 'cap'\n", "10 true no"},
	{"not in the list before", "m.py", "def f(kind):\n    if kind not in ('a', 'b'):\n        raise ValueError(kind)\n    if kind == 'c':\n        return 1\n", "4 true no"},
	{"not in a table of the module", "m.py", "KINDS = ('a', 'b')\ndef f(kind):\n    if kind not in KINDS:\n        raise ValueError(kind)\n    if kind == 'c':\n        return 1\n", "5 true no"},
	{"a helper that returns one of two", "m.py", "def kind(x):\n    return 'low' if x else 'high'\ndef f(x):\n    if kind(x) == 'medium':\n        return 1\n", "4 true no"},
	{"a helper that returns one of two", "m.go", "package m\nfunc kind(x bool) string {\n\tif x {\n\t\treturn \"low\"\n\t}\n\treturn \"high\"\n}\nfunc f(x bool) int {\n\tif kind(x) == \"medium\" {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", "9 true no"},
	{"a helper that a subclass may replace", "m.py", "class C:\n    def kind(self):\n        return 'low'\n    def f(self):\n        if self.kind() == 'medium':\n            return 1\n", ""},
	{"a counter is widened", "m.py", "def f(xs):\n    n = 0\n    for x in xs:\n        n += 1\n    if n < 0:\n        return 'never'\n    if n > 1000:\n        return 'often'\n", "5 true no"},
	{"a counter may wrap", "m.go", "package m\nfunc f(xs []int) int {\n\tn := 0\n\tfor range xs {\n\t\tn++\n\t}\n\tif n < 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", ""},
	{"written through its address", "m.go", "package m\nfunc f(s string) int {\n\tn := 0\n\tfmt.Sscan(s, &n)\n\tif n > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", ""},
	{"written through its address", "src/m.rs", "fn f(s: &str) -> i64 {\n    let mut n = 0;\n    scan(s, &mut n);\n    if n > 0 { return 1; }\n    0\n}\n", ""},
	{"given away in a literal", "m.go", "package m\nfunc f() int {\n\tn := 0\n\tg(T{&n, 1})\n\tif n > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", ""},
	{"a named result", "m.go", "package m\nfunc g(x int) (err error) {\n\tif err = h(x); err != nil {\n\t\treturn\n\t}\n\treturn nil\n}\nfunc f() int {\n\tif err := g(1); err != nil {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", ""},
	{"a result that is bound when it leaves", "m.go", "package m\nfunc g(x int) (err error) {\n\tdefer func() { err = h(x) }()\n\treturn nil\n}\nfunc f() int {\n\tif err := g(1); err != nil {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", ""},
	{"one of several channels", "m.go", "package m\nfunc g(c chan int) bool {\n\tselect {\n\tcase c <- 1:\n\t\treturn true\n\tdefault:\n\t\treturn false\n\t}\n}\nfunc f(c chan int) int {\n\tif g(c) {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", ""},
	{"the outer loop goes on", "m.go", "package m\nfunc f(xs []int) int {\nouter:\n\tfor i := 0; i < 10; i++ {\n\t\tfor _, x := range xs {\n\t\t\tif x > 1 {\n\t\t\t\tcontinue outer\n\t\t\t}\n\t\t}\n\t\treturn 2\n\t}\n\treturn 0\n}\n", ""},
	{"the outer loop goes on", "M.java", "class M {\n  int f(int[] xs) {\n    outer:\n    for (int i = 0; i < 10; i++) {\n      for (int x : xs) {\n        if (x > 1) { continue outer; }\n      }\n      return 2;\n    }\n    return 0;\n  }\n}\n", ""},
	{"a case that falls into the next", "m.go", "package m\nfunc f(s int) int {\n\tn := 0\n\tswitch s {\n\tcase 1:\n\t\tn = 3\n\t\tfallthrough\n\tcase 2:\n\t\tif n == 3 {\n\t\t\treturn 1\n\t\t}\n\t}\n\treturn 0\n}\n", ""},
	{"another file for another system", "m.go", "package m\nfunc f() int {\n\tif slow() {\n\t\treturn 1\n\t}\n\treturn 0\n}\n-- a_linux.go --\npackage m\nfunc slow() bool { return true }\n-- a_windows.go --\npackage m\nfunc slow() bool { return false }\n", ""},
	{"a function that is replaced", "m.go", "package m\nvar allow = func() bool { return true }\nfunc g() { allow = func() bool { return false } }\nfunc f() int {\n\tif allow() {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", ""},
	{"one of two with other parameters", "M.cs", "class M {\n  object g(int a) { return null; }\n  object g(string a) { return a; }\n  int f() {\n    if (g(\"a\") == null) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"built on a condition", "M.cs", "class M {\n  int f() {\n#if CORE\n    bool core = true;\n#else\n    bool core = false;\n#endif\n    if (core) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"built on a condition", "src/m.rs", "fn get(x: bool) -> bool {\n    #[cfg(feature = \"a\")]\n    {\n        x\n    }\n    #[cfg(not(feature = \"a\"))]\n    {\n        false\n    }\n}\nfn f(x: bool) -> i32 {\n    if get(x) { return 1; }\n    0\n}\n", ""},
	{"out of a loop from a match", "m.py", "def f(xs):\n    n = 0\n    for x in xs:\n        match x:\n            case 1:\n                n = 1\n                break\n        n = 0\n    if n == 1:\n        return 1\n", ""},
	{"out of a loop from a match", "src/m.rs", "fn f(x: Poll) -> i32 {\n    let has = loop { match x.poll() { Poll::Ready(0) => {} Poll::Ready(_) => break true, Poll::Pending => break false } };\n    if has { return 1; }\n    0\n}\n", ""},
	{"bound by a function that is known early", "M.cs", "class M {\n  int f() {\n    bool called = false;\n    string g() { called = true; return \"\"; }\n    run(g);\n    if (called) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"closed by its with", "m.py", "def f(path):\n    with Client(path) as c:\n        assert c.sock is not None\n    assert c.sock is None\n", ""},
	{"in the tokens of a macro", "src/m.rs", "fn f() -> i64 {\n    let mut n = 0;\n    loop {\n        select! { recv(r) -> _ => n += 1, default => break, }\n        if n == 10 { return 1; }\n    }\n    0\n}\n", ""},
	{"not null and more", "M.cs", "class M {\n  int f(object o, int s, string t) {\n    if (o is not null && s > 1 && s < 9) { return 1; }\n    if (t is null || s > 1) { return 2; }\n    if (o is not null) { return 1; }\n    return 0;\n  }\n}\n", ""},
	{"until nothing changes", "m.py", "def f(xs):\n    n = 0\n    while True:\n        before = n\n        for x in xs:\n            n += 1\n        if n == before:\n            break\n    if n > 0:\n        return 1\n", ""},
	{"a count is not below nought", "src/m.rs", "fn f(n: usize) -> i64 {\n    if n < 0 { return 1; }\n    0\n}\n", "2 true no"},
	{"a byte is no more than 255", "m.go", "package m\nfunc f(n byte) int {\n\tif n > 255 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", "3 true no"},
	{"none and not none", "m.py", "def f(x):\n    if x is None:\n        return 0\n    if x is None:\n        return 1\n", "4 true no"},
	{"null may be undefined", "m.js", "function f(x) {\n  if (x == null) {\n    if (x === null) { return 1 }\n    return 2\n  }\n}\n", ""},
	{"an else keeps what has no order", "m.py", "def f(s):\n    if s > 4:\n        return 1\n    if s <= 4:\n        return 2\n    return 3\n", ""},
	{"bound by another function", "m.py", "def f():\n    done = None\n    def on():\n        nonlocal done\n        done = 1\n    on()\n    if done is not None:\n        return 1\n", ""},
	{"a flag that is off by default", "m.py", model + "def f(op: Opinion, strict=False):\n    if strict and op.score < 2:\n        return 'cap'\n", "9 false yes, 9 true flag strict, 9 true yes"},
	{"a flag of the module", "m.py", "STRICT = False\ndef f(score):\n    if STRICT:\n        return 'cap'\n", "3 true flag STRICT"},
	{"a mode of the module", "m.py", "MODE = 'dev'\ndef f(score):\n    if MODE == 'prod':\n        return 'cap'\n", "3 true flag MODE"},
	{"a setting", "m.py", "import os\ndef f(score):\n    if os.getenv('STRICT_RULES'):\n        return 'cap'\n", "3 true flag STRICT_RULES"},
	{"a setting", "m.js", "function f(score) {\n  if (process.env.STRICT_RULES) { return 1 }\n  return 0\n}\n", "2 true flag STRICT_RULES"},
	{"a setting", "m.go", "package m\nimport \"os\"\nfunc f() int {\n\tif os.Getenv(\"STRICT_RULES\") == \"on\" {\n\t\treturn 1\n\t}\n\treturn 0\n}\n", "4 true flag STRICT_RULES"},
	{"a table", "m.py", "WEIGHTS = {'a': 2, 'b': 3}\ndef f():\n    if WEIGHTS.get('c', 0) > 1:\n        return 1\n    if WEIGHTS['a'] > 2:\n        return 2\n", "3 true no, 5 true no"},
	{"a table that is changed", "m.py", "WEIGHTS = {'a': 2, 'b': 3}\ndef g():\n    WEIGHTS.update(c=3)\ndef f():\n    if WEIGHTS.get('c', 0) > 1:\n        return 1\n", ""},
	{"while true", "m.py", "def f(xs):\n    while True:\n        if xs.done():\n            break\n", ""},
	{"a rest", "m.py", "def f(n: int):\n    n = int(n)\n    if n % 3 > 2:\n        return 1\n", "3 true no"},
	{"old value of a counter", "m.js", "function f(xs) {\n  let i = 0\n  if (i++ === 0) { return 1 }\n  return 0\n}\n", "3 false no"},
	{"clamped", "m.py", "def f(x):\n    n = max(0, min(5, int(x)))\n    if n > 5:\n        return 1\n    if n < 0:\n        return 2\n", "3 true no, 5 true no"},
	{"double-checked", "M.java", "class M {\n  Object one;\n  Object f() {\n    if (this.one == null) {\n      synchronized (this) {\n        if (this.one == null) { this.one = new Object(); }\n      }\n    }\n    return this.one;\n  }\n}\n", ""},
}

func TestConditions(t *testing.T) {
	for _, test := range conditionCases {
		t.Run(test.name+" in "+test.file, func(t *testing.T) {
			p := program(t, "-- "+test.file+" --\n"+test.text)
			f := find(t, p, "f")
			if got := claims(&analyse.Values{Names: analyse.Resolve(p)}, f); got != test.want {
				t.Errorf("got %q, want %q\n%s", got, test.want, f)
			}
		})
	}
}

// find is the function whose name is, or ends with, name.
func find(t testing.TB, p *il.Program, name string) *il.Function {
	t.Helper()
	for f := range p.All() {
		if f.Name == name || strings.HasSuffix(f.Name, "."+name) {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}
