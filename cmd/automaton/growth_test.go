package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// shape is a file that punishes work which grows with the square of what is in it, or faster.
type shape struct {
	path string // "" for one of Python
	n    int    // how often it has what it has many of; 0: 300
	text func(n int) string
}

// rows writes a line for each number below n, where each "#" is the number, each "<" the one
// before it and each ">" another one.
func rows(line string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		for i := range n {
			number := strconv.Itoa
			b.WriteString(strings.NewReplacer("#", number(i), "<", number(max(i-1, 0)), ">", number((7*i+3)%n)).Replace(line) + "\n")
		}
		return b.String()
	}
}

// within writes rows between what stands before and behind them.
func within(before, line, behind string) func(n int) string {
	return func(n int) string { return before + rows(line)(n) + behind }
}

// ruling is the program's nodes with rows in the chief justice, before what stands there.
func ruling(before, head, line string) func(n int) string {
	i := strings.LastIndex(nodesFile, before)
	return within(nodesFile[:i]+head, line, nodesFile[i:])
}

const builder = "from langgraph.graph import StateGraph, START, END\ng = StateGraph(dict)\n"

var shapes = map[string]shape{
	"functions":                        {n: 2000, text: rows("def f#(x):\n    return x\n")},
	"call sites":                       {n: 1000, text: within("def one(x, y=2):\n    return x\n", "r# = one(r<, y=r<)", "")},
	"a chain of calls":                 {n: 1000, text: within("def f0(x):\n    return x\n", "def f#(x):\n    return f<(f<(x))", "")},
	"recursion":                        {n: 1500, text: rows("def f#(x):\n    if x:\n        return f>(x)\n    return f<(f>)")},
	"a deep hierarchy":                 {n: 600, text: within("class C0:\n    def run(self):\n        return 1\n", "class C#(C<):\n    def run#(self):\n        return self.run()", "")},
	"a wide hierarchy":                 {n: 600, text: within("class C:\n    def run(self):\n        return self.run()\n", "class C#(C):\n    def run(self):\n        return self.other()", "")},
	"methods of one class":             {text: within("class C:\n    def __init__(self):\n        self.x = 0\n", "    def m#(self):\n        self.x = self.x + #\n        return self.m>()", "")},
	"functions inside":                 {text: within("def f(v):\n    x = 0\n", "    def g#():\n        nonlocal x\n        x = x + #\n        return v", "")},
	"one name bound often":             {n: 150, text: within("def f(c):\n    x = 0\n", "    if c.a#:\n        x = x + g(x)", "    return x")},
	"one object changed often":         {n: 150, text: within("def f(v):\n", "    if v.a# > #:\n        v.b# = #\n    else:\n        y# = v.b<", "")},
	"one object tested often":          {n: 100, text: within("def f(v):\n", "    if v.a# and v.b# or v.c#: v.d = v.d and v.e", "")},
	"one attribute bound often":        {text: within("class A:\n    def __init__(self):\n", "        self.x = self.y#\n        self.y# = self.x", "")},
	"one list changed often":           {n: 1000, text: within("xs = []\n", "xs.append(f(xs))", "print(xs)")},
	"one table filled often":           {n: 600, text: within("def f(v):\n    s = {}\n", "    s[\"k#\"] = v.get(\"a#\")", "    return s")},
	"one entry changed often":          {n: 600, text: within("def f(v):\n    s = {}\n", "    s[\"k\"] = s[\"k\"] + v.get(\"a#\")", "    return s")},
	"one text made longer":             {text: within("import os\ndef f(v):\n    c = input()\n", "    c = c.replace(\"a#\", v.x)", "    os.system(c)")},
	"one text refused often":           {n: 150, text: within("import os\ndef f(v):\n    c = input()\n", "    if \"a#\" in c:\n        raise ValueError(c)", "    os.system(c)")},
	"choices":                          {n: 150, text: within("def f(v):\n    a = 1\n", "    a = a if v.p# else #", "    return a")},
	"loops":                            {n: 150, text: within("def f(v):\n", "    for q# in v.a#:\n        v.b = q# + v.b", "")},
	"handlers":                         {n: 150, text: within("def f(v):\n", "    try:\n        x = g#(v)\n    except ValueError:\n        x = #", "    return x")},
	"processes":                        {text: within("import subprocess\ndef f(v):\n", "    c = [\"git\", \"log\", v.a#]\n    subprocess.run(c, check=True)", "")},
	"rules on one score":               {path: "nodes.py", n: 150, text: ruling("    return {\"report\"", "", "    if state[\"k#\"] and max(scores) - min(scores) > #:\n        final = min(final, #)")},
	"rules on each opinion":            {path: "nodes.py", n: 150, text: ruling("    scores = [", "    for o in state[\"opinions\"]:\n", "        if o.judge == \"J#\":\n            o.score = #")},
	"nodes in a row":                   {text: within("def run(state):\n    return {}\n"+builder, "g.add_node(\"n#\", run)\ng.add_edge(\"n<\", \"n#\")", "g.add_edge(START, \"n0\")\ngraph = g.compile()")},
	"nodes beside each other":          {text: within("def run(state):\n    return {}\n"+builder, "g.add_node(\"n#\", run)\ng.add_edge(START, \"n#\")\ng.add_edge(\"n#\", END)", "graph = g.compile()")},
	"deep nesting":                     {n: 2000, text: func(n int) string { return "x = " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) }},
	"a long sum":                       {n: 8000, text: func(n int) string { return "y = " + strings.Repeat("1+", n) + "1" }},
	"functions of JavaScript":          {path: "shape.js", n: 1000, text: rows("function f#(a) { if (a.x#) { return f>(a, {k#: [a, #]}); } return (b => b + #)(a); }")},
	"classes of TypeScript":            {path: "shape.ts", n: 600, text: within("class C0 { m(): number { return 0 } }\n", "class D# extends C0 { x#: number = #; m#() { return this.m() + this.x# } }", "")},
	"types of Go":                      {path: "shape.go", n: 600, text: within("package shape\n", "type T# struct { a int; next *T> }\nfunc (t *T#) M#(s string) int { if s == \"\" { return t.next.M>(s) }; return t.a }", "")},
	"methods of Java":                  {path: "Shape.java", n: 600, text: within("class Shape {\n", "  int a#; int m#(String s) { if (s == null) { return m>(s); } a# = #; return a>; }", "}")},
	"programs that Rust functions run": {path: "shape.rs", n: 600, text: within("use std::process::Command;\n", "pub fn m#(s: &str) -> Result<i32, String> { if s.len() > # { return Err(s.to_string()); } Command::new(s).output().unwrap(); Ok(#) }", "")},
}

// counted is the program, built so that it counts what it does.
type counted struct {
	*desk
	program string
}

// work is how many statements of the program the audit of its submission runs: no time, which
// hangs on the machine, and no allocations, which a search does without.
func (c *counted) work(t *testing.T) (statements int) {
	t.Helper()
	counts, out := t.TempDir(), t.TempDir()
	audit := exec.Command(c.program, "audit", "work", "--pdf", "none", "--out", out, "-f", "json")
	audit.Dir, audit.Env = c.dir, append(c.env, "GOCOVERDIR="+counts)
	if said, err := audit.CombinedOutput(); err != nil || !bytes.Contains(said, []byte(`"verdict"`)) {
		t.Fatalf("%v: %.2000s", err, said)
	}
	profile := filepath.Join(counts, "profile")
	if said, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counts, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var place string
		var of, times int
		if n, _ := fmt.Sscan(line, &place, &of, &times); n == 3 {
			statements += of * times
		}
	}
	return statements
}

// commit is the submission with a file more.
func (c *counted) commit(t *testing.T, path, text string) {
	t.Helper()
	git := func(args ...string) error {
		g := exec.Command("git", append([]string{"-C", filepath.Join(c.dir, "work")}, args...)...)
		g.Env = c.env
		return g.Run()
	}
	name := filepath.Join("src", path)
	if err := errors.Join(os.WriteFile(filepath.Join(c.dir, "work", name), []byte(text), 0o600), git("add", name), git("commit", "-q", "-m", "Add one file")); err != nil {
		t.Fatal(err)
	}
}

// Of a file with twice as much in it the audit does not three times as much: what grows with the
// square is four times.
func TestWorkGrowsWithOneFile(t *testing.T) {
	if os.Getenv("AUTOMATON_LAWS") == "" || testing.Short() {
		t.Skip("takes minutes: make laws")
	}
	program := filepath.Join(t.TempDir(), "automaton")
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg=./cmd/automaton,./internal/...", "-o", program, "./cmd/automaton")
	build.Dir = "../.."
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			path, n := s.path, s.n
			if path == "" {
				path = "shape.py"
			}
			if n == 0 {
				n = 300
			}
			c := &counted{newDesk(t), program}
			c.commit(t, path, s.text(1))
			least := c.work(t)
			c.commit(t, path, s.text(n))
			once := c.work(t) - least
			c.commit(t, path, s.text(2*n))
			twice := c.work(t) - least
			t.Logf("%d and %d thousand statements, %.2f times as many", once/1000, twice/1000, float64(twice)/float64(once))
			if twice > 3*once {
				t.Errorf("%d thousand statements for %d, %d for %d", once/1000, n, twice/1000, 2*n)
			}
		})
	}
}
