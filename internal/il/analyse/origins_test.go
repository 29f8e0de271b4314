package analyse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Each program calls sink once; asked is where its first argument comes from.
func TestOrigins(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"constant", `
-- a.py --
A = "x"
def f(b):
    c = A if b else "y"
    sink(c)`, `const x, const y`},
		{"text of a parameter", `
-- a.py --
def f(b):
    c = f"ls {b.strip()}"
    sink(c)`, `const ls  part, parameter b part`},
		{"a call above", `
-- a.py --
import m
def f(b, c="d"):
    sink(b, c)
f("x")
f(m.read())
-- m.py --
def read():
    return input()`, `call builtins.input, const x`},
		{"a call that is entered comes back where it was", `
-- a.py --
def same(x):
    return x
def f():
    a = same("a")
    b = same(input())
    sink(a)`, `const a`},
		{"a field", `
-- a.py --
class T:
    def __init__(self, url, depth=1):
        self.url = url
        self.depth = depth
    def run(self):
        sink([self.url, self.depth])
T("u").run()`, `const 1 part, const u part`},
		{"an attribute by its name", `
-- a.py --
def f(b):
    c = getattr(b, "url", "none")
    sink(c)`, `const none, parameter b url`},
		{"a field that is computed", `
-- a.py --
import os
import os
class T:
    def __init__(self):
        self._url = None
    def open(self):
        self._url = os.getcwd()
    @property
    def url(self):
        if self._url is None:
            raise RuntimeError
        return self._url
    def run(self):
        sink(self.url)
T().run()`, `call os.getcwd, const `},
		{"a field of a record", `
-- a.py --
from dataclasses import dataclass
@dataclass
class T:
    url: str
    depth: int = 1
def f(t: T):
    sink(t.url)
f(T("u"))
f(T(url=input()))`, `call builtins.input, const u`},
		{"a field that its own class reads", `
-- a.py --
from dataclasses import dataclass
@dataclass
class T:
    url: str
    def run(self):
        sink(self.url)
T(url=input())`, `call builtins.input`},
		{"a field that is set in a loop", `
-- a.py --
class T:
    def __init__(self):
        self.state = "new"
    def feed(self, lines):
        for line in lines:
            if self.state == "new":
                self.state = "headers"
            else:
                self.state = line
    def run(self):
        sink(self.state)
T().run()`, `const headers, const new, parameter lines *`},
		{"a field that others set", `
-- a.py --
class T:
    def __init__(self):
        self.url = "new"
    def run(self):
        sink(self.url)
t = T()
t.url = input()
t.run()`, `call builtins.input, const new`},
		{"a name of a module that is not there", `
-- a.py --
from gone import url
def f():
    sink(url)`, `name gone.url`},
		{"a key", `
-- a.py --
def f():
    d = {"a": input(), "b": "x"}
    d["c"] = "y"
    sink(d.get("b") or d["c"])`, `const x, const y`},
		{"what was added", `
-- a.py --
def f(q):
    c = ["git"]
    c.append(q)
    c += ["x"]
    sink(c)`, `const git part, const x part, parameter q part`},
		{"state", `
-- a.py --
def node(state):
    sink(state["repo"]["url"])`, `parameter state repo url`},
		{"outside", `
-- a.py --
from flask import request
def f():
    sink(request.args.get("url"))`, `call flask.request.args.get`},
		{"a name of another module", `
-- a.py --
from m import URL, other as o
def f():
    sink(URL + o)
-- m.py --
import os
URL = os.environ["X"]
URL = URL or "u"
other = os.getenv("y")`, `call os.getenv part, const u part, part os.environ X part`},
		{"a name of another module that is changed there", `
-- a.py --
from m import log
def f():
    sink(log)
-- m.py --
log = open("log")
log.name = "a log"`, `call builtins.open, call builtins.open part, const a log part`},
		{"a function that is handed on", `
-- a.py --
import asyncio
def f(u):
    sink(u)
async def g():
    await asyncio.to_thread(f, "x")`, `const x`},
		{"unpacked", `
-- a.py --
def two():
    return "a", input()
def f():
    x, y = two()
    sink(x)`, `const a`},
		{"elements", `
-- a.py --
def f(p):
    for x in ["a", p]:
        sink(x.upper())`, `const a part, parameter p part`},
		{"it calls itself", `
-- a.py --
def f(p, n):
    if n:
        return f(p + "x", n - 1)
    return p
def g():
    sink(f("a", 3))`, `const a, const a part, const x part`},
		{"a default", `
-- a.py --
import os
def f(u=os.getenv("U"), v="x"):
    sink(u + v)
f()`, `call os.getenv part, const x part`},
		{"a constant that fails a test on the way", `
-- a.py --
def f(p=None):
    sink(p or "x")`, `const x, parameter p`},
		{"a field of what may be none", `
-- a.py --
import m
config = None
def load():
    global config
    config = m.Config()
    return config
def f():
    sink(load().limit)`, `call m.Config limit`},
		{"none behind a test for it", `
-- a.py --
def f(p=None):
    if p is None:
        p = "x"
    sink(p)
f()
f("y")`, `const x, const y`},
		{"what is not true behind a test", `
-- a.py --
def f(p):
    if p:
        return
    sink(p)
f("")
f("y")
f(0)`, `const , const 0`},
		{"a method of an object that a default makes", `
-- a.py --
class T:
    def run(self, u):
        sink(u)
def f(u, t=T()):
    t.run("x")`, `const x`},
		{"go", `
-- go.mod --
module m
-- a.go --
package m
type T struct{ dir string }
func (t *T) run(u string) {
	args := []string{"clone"}
	args = append(args, u)
	sink(args)
}
func F(t *T) { t.run("x") }`, `const clone part, const x part`},
		{"typescript", "\n-- a.ts --\nconst base = `x`;\nfunction f(req) {\n  const { url } = req.body;\n  sink(`${base} ${url}`);\n}", `const   part, const x part, parameter req body url part`},
		{"java", `
-- A.java --
class A {
  private final String dir;
  A(String dir) { this.dir = dir; }
  void f(String u) { sink(String.format("%s %s", dir, u)); }
  static void g() { new A("d").f("x"); }
}`, `const %s %s part, const d part, const x part`},
		{"rust", `
-- a.rs --
fn f(u: &str) {
    let s = format!("{} x", u.trim());
    sink(&s);
}
fn g() { f("a"); }`, `const a part, const {} x part`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := program(t, tt.text)
			w := &analyse.Origins{Names: analyse.Resolve(p)}
			for f := range p.All() {
				for _, in := range f.Instructions() {
					if in.Op == il.Call && in.Kind == "sink" {
						var got []string
						for _, o := range w.Of(f, in.Args[1], in) {
							got = append(got, told(o))
						}
						slices.Sort(got)
						if g := strings.Join(slices.Compact(got), ", "); g != tt.want {
							t.Errorf("from\n%s\nwant\n%s\n%s", g, tt.want, f)
						}
					}
				}
			}
		})
	}
}

// told is an origin in a few words.
func told(o analyse.Origin) string {
	kind := [...]string{"lost", "const", "parameter", "call", "part", "name", "exception"}[o.Kind]
	out := []string{kind}
	switch {
	case o.Kind == analyse.FromConst && o.Symbol.Const != nil:
		out = append(out, o.Symbol.Const.Text)
	case o.Kind == analyse.FromParameter:
		out = append(out, o.Function.Params[o.Param].Name)
	case o.Kind == analyse.OutOfSight:
		out = append(out, o.Why)
	case o.Symbol.Function != nil:
		out = append(out, o.Symbol.Function.Name)
	default:
		out = append(out, o.Symbol.Outside)
	}
	out = append(out, o.Keys...)
	if o.Part {
		out = append(out, "part")
	}
	return fmt.Sprint(strings.Join(out, " "))
}
