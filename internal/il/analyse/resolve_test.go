package analyse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// stands says what the callee of each call in a function stands for.
func stands(n *analyse.Names, f *il.Function) string {
	var out []string
	for _, in := range f.Instructions() {
		if in.Op != il.Call || in.Mode == il.Decorate {
			continue
		}
		s := n.Operand(f, in.Args[0])
		is := "?"
		switch {
		case s == nil:
			is = "nil"
		case s.Function != nil:
			is = s.Function.Module.Path + ":" + s.Function.Name
			if s.Bound {
				is += " bound"
			}
		case s.Outside != "":
			is = "outside " + s.Outside
		case s.Modules != nil:
			is = "module " + s.Modules[0].Path
		}
		out = append(out, in.Kind+" is "+is)
	}
	return strings.Join(out, "\n")
}

func TestResolve(t *testing.T) {
	for name, c := range map[string]struct{ archive, function, want string }{
		"python imports": {`
-- app/__init__.py --
-- app/tools.py --
import os.path
import json as j
from . import judge
from .judge import Judge as J, ask
from app.deep import *
import app.judge
def run():
    os.path.join("a")
    j.dumps(1)
    judge.ask()
    J()
    ask()
    inner()
    app.judge.ask()
    print()
-- app/judge.py --
class Judge: pass
def ask(): pass
-- app/deep/__init__.py --
from .core import *
-- app/deep/core.py --
def inner(): pass
`, "tools.py:run", `os.path.join is outside os.path.join
j.dumps is outside json.dumps
judge.ask is app/judge.py:ask
J is app/judge.py:Judge
ask is app/judge.py:ask
inner is app/deep/core.py:inner
app.judge.ask is app/judge.py:ask
print is outside builtins.print`},
		"python package that brings its own parts": {`
-- app/__init__.py --
from . import judge
from app import clerk as clerk
note = None
from . import note
-- app/judge.py --
def ask(): pass
-- app/clerk.py --
def write(): pass
-- app/note.py --
def down(): pass
-- m.py --
from app import judge, clerk, note
def run():
    judge.ask()
    clerk.write()
    note.down()
`, "m.py:run", `judge.ask is app/judge.py:ask
clerk.write is app/clerk.py:write
note.down is nil`},
		"python imports of several parts of a package": {`
-- app/__init__.py --
-- app/judge.py --
def ask(): pass
-- app/clerk.py --
def note(): pass
-- m.py --
import urllib.error
import urllib.request
import app.judge
import app.clerk
import os
import os.path
def run():
    urllib.request.urlopen("a")
    app.judge.ask()
    app.clerk.note()
    os.remove("a")
`, "m.py:run", `urllib.request.urlopen is outside urllib.request.urlopen
app.judge.ask is app/judge.py:ask
app.clerk.note is app/clerk.py:note
os.remove is outside os.remove`},
		"python imports that may fail": {`
-- app/__init__.py --
-- app/judge.py --
def ask(): pass
def near(): pass
-- m.py --
try:
    import requests
    from app.judge import ask
except ImportError:
    requests = None
    ask = None
clerk = None
try:
    from app import judge as clerk
    from app.judge import near
except ImportError:
    from .app.judge import near
try:
    import ujson as json
except ImportError:
    import json
try:
    from app.judge import ask as own
except ImportError:
    def own(): pass
client = None
import http as client
def connect():
    global client
    client = object()
def run():
    requests.get("a")
    ask()
    clerk.ask()
    near()
    json.loads("1")
    own()
    client.get("a")
`, "m.py:run", `requests.get is outside requests.get
ask is app/judge.py:ask
clerk.ask is app/judge.py:ask
near is app/judge.py:near
json.loads is nil
own is ?
client.get is nil`},
		"python imports of which a part is changed": {`
-- m.py --
import os, sys, json, socket
os.environ["A"] = "1"
sys.path.insert(0, "a")
json.encoder.FLOAT_REPR.digits = 3
socket.socket = None
if len(sys.argv) > 1:
    os.environ["B"] = "2"
def run():
    os.environ["C"] = "3"
    os.remove("a")
    json.dumps("a")
    socket.socket("a")
    sys.exit(1)
`, "m.py:run", `os.remove is outside os.remove
json.dumps is outside json.dumps
socket.socket is nil
sys.exit is outside sys.exit`},
		"python imports behind a test": {`
-- m.py --
def run(quick):
    import os
    if quick:
        os.environ["B"] = "2"
    os.remove("a")
    try:
        import requests
    except ImportError:
        requests = None
    requests.get("a")
    try:
        import ujson as json
    except ImportError:
        import json
    json.loads("a")
    path = os
    if quick:
        path = quick
    path.remove("a")
`, "m.py:run", `os.remove is outside os.remove
requests.get is outside requests.get
json.loads is nil
path.remove is nil`},
		"python objects": {`
-- m.py --
class Base:
    def ask(self): pass
    def own(self): pass
class Judge(Base):
    def __init__(self, client: "Base"):
        self.client = client
        self.repo = Base()
    def own(self): pass
    @staticmethod
    def fixed(): pass
    def run(self):
        self.ask()
        self.own()
        self.client.own()
        self.repo.own()
        self.fixed()
        j = Judge(None)
        j.own()
        shared.ask()
        make().ask()
class Loud(Judge):
    def ask(self): pass
shared = Base()
def make() -> Base:
    return shared
`, "Judge.run", `self.ask is nil
self.own is m.py:Judge.own bound
self.client.own is nil
self.repo.own is m.py:Base.own bound
self.fixed is m.py:Judge.fixed
Judge is m.py:Judge
j.own is m.py:Judge.own bound
shared.ask is m.py:Base.ask bound
make is m.py:make
make().ask is nil`},
		"go": {`
-- go.mod --
module example.com/x
-- a/a.go --
package a
import ("os/exec"; "example.com/x/b")
type T struct { U; client *b.Client }
func (t *T) Run() {
	exec.Command("ls")
	help()
	b.New()
	c := b.New()
	c.Do()
	t.client.Do()
	t.Deep()
	v := T{}
	v.Run()
}
-- a/other.go --
package a
type U struct{}
func (U) Deep() {}
func help() {}
-- b/b.go --
package b
type Client struct{}
func New() *Client { return &Client{} }
func (c *Client) Do() {}
`, "T.Run", `exec.Command is outside os/exec.Command
help is a/other.go:help
b.New is b/b.go:New
b.New is b/b.go:New
c.Do is b/b.go:Client.Do bound
t.client.Do is b/b.go:Client.Do bound
t.Deep is a/other.go:U.Deep bound
T is a/a.go:T
v.Run is a/a.go:T.Run bound`},
		"typescript": {`
-- src/main.ts --
import run, { ask as q, Judge } from "./judge";
import * as tools from "./tools";
import { helper, renamed } from "./index";
import fs from "node:fs";
const { k } = require("./common");
export function main(j: Judge) {
  run(); q(); j.go(); tools.use(); helper(); renamed(); fs.readFileSync("x"); k();
  const own = new Judge();
  own.go();
}
-- src/judge.ts --
export default function start() {}
export class Judge { constructor(private c: Client) {} go() { this.c.send(); } }
export class Client { send() {} }
function inner() {}
export { inner as ask };
-- src/tools.ts --
export const use = () => 1;
-- src/index.ts --
export * from "./deep";
export { helper as renamed } from "./deep";
-- src/deep.ts --
export function helper() {}
-- src/common.js --
function k() {}
module.exports = { k };
`, "main", `run is src/judge.ts:start
q is src/judge.ts:inner
j.go is src/judge.ts:Judge.go bound
tools.use is src/tools.ts:<lambda:1>
helper is src/deep.ts:helper
renamed is src/deep.ts:helper
fs.readFileSync is outside fs.readFileSync
k is src/common.js:k
Judge is src/judge.ts:Judge
own.go is src/judge.ts:Judge.go bound`},
		"java": {`
-- src/a/Main.java --
package a;
import b.Client;
import java.util.List;
class Main extends Base {
  private Client client;
  static Client make() { return new Client(); }
  void run(Client given) {
    help(); client.send(); given.send(); make().send(); up(); Client.fixed(); List.of();
    Client c = new Client(); c.send(); Near.go();
  }
  void help() {}
}
-- src/a/Base.java --
package a;
class Base { void up() {} }
class Near { static void go() {} }
-- src/b/Client.java --
package b;
public class Client { public void send() {} public static void fixed() {} }
`, "Main.run", `help is src/a/Main.java:Main.help bound
client.send is src/b/Client.java:Client.send bound
given.send is src/b/Client.java:Client.send bound
make is src/a/Main.java:Main.make
make().send is src/b/Client.java:Client.send bound
up is src/a/Base.java:Base.up bound
Client.fixed is src/b/Client.java:Client.fixed
List.of is outside java.util.List.of
Client is src/b/Client.java:Client
c.send is src/b/Client.java:Client.send bound
Near.go is src/a/Base.java:Near.go`},
		"c#": {`
-- src/A/Main.cs --
using B;
using System.Collections.Generic;
using Other = B.Client;
namespace A;
class Main : Base {
  private Client client;
  static Client Make() { return new Client(); }
  void Run(Client given) {
    Help(); given.Send(); Make().Send(); Up(); Other.Fixed();
    Client c = new Client(); c.Send(); Near.Go();
  }
  void Help() {}
}
-- src/A/Base.cs --
namespace A;
class Base { public void Up() {} }
class Near { public static void Go() {} }
-- src/B/Client.cs --
namespace B;
public class Client { public void Send() {} public static void Fixed() {} }
`, "Main.Run", `Help is src/A/Main.cs:Main.Help bound
given.Send is src/B/Client.cs:Client.Send bound
Make is src/A/Main.cs:Main.Make
Make().Send is src/B/Client.cs:Client.Send bound
Up is src/A/Base.cs:Base.Up bound
Other.Fixed is src/B/Client.cs:Client.Fixed
Client is src/B/Client.cs:Client
c.Send is src/B/Client.cs:Client.Send bound
Near.Go is src/A/Base.cs:Near.Go`},
		"objects of other packages": {`
-- m.py --
import requests, pathlib, subprocess
from git import Repo
class C:
    def __init__(self, db: "sqlite3.Connection", s: requests.Session):
        self.s = s
        self.repo = Repo.clone_from("a", "b")
    def run(self, p: pathlib.Path):
        self.s.get("x")
        requests.session().get("x")
        p.open()
        pathlib.Path("a").open()
        self.repo.git.execute()
        x = subprocess.run(["a"])
        x.check_returncode()
        "a".join([])
`, "C.run", `self.s.get is outside requests.Session.get
requests.session is outside requests.session
requests.session().get is outside requests.session().get
p.open is outside pathlib.Path.open
pathlib.Path is outside pathlib.Path
pathlib.Path().open is outside pathlib.Path.open
self.repo.git.execute is outside git.Repo.clone_from().git.execute
subprocess.run is outside subprocess.run
x.check_returncode is outside subprocess.run().check_returncode
?.join is nil`},
		"objects of other packages in go": {`
-- m.go --
package m
import ("os/exec"; "database/sql"; "os")
func run(db *sql.DB) { c := exec.Command("ls"); c.Run(); db.Query("x"); f, _ := os.Open("x"); f.Close() }
`, "run", `exec.Command is outside os/exec.Command
c.Run is outside os/exec.Command().Run
db.Query is outside database/sql.DB.Query
os.Open is outside os.Open
f.Close is outside os.Open().Close`},
		"rust": {`
-- Cargo.toml --
[package]
name = "x"
-- src/main.rs --
mod tools;
use tools::{use_it, Client as C};
use std::process::Command;
fn main() { use_it(); let c = C::new(); c.send(); tools::other(); Command::new("ls"); let d = C { n: 1 }; d.send(); }
-- src/tools.rs --
pub struct Client { n: i32 }
impl Client { pub fn new() -> Self { Client { n: 1 } } pub fn send(&self) {} }
pub fn use_it() {}
pub fn other() {}
`, "main", `use_it is src/tools.rs:use_it
C.new is src/tools.rs:Client.new
c.send is src/tools.rs:Client.send bound
tools.other is src/tools.rs:other
Command.new is outside std.process.Command.new
C is src/tools.rs:Client
d.send is src/tools.rs:Client.send bound`},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(t, c.archive)
			if got := stands(analyse.Resolve(p), function(t, p, c.function)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestSuper asks what a class has from the one above it.
func TestSuper(t *testing.T) {
	p := program(t, `
-- m.py --
from other import Base
class A:
    def __init__(self, x):
        self.x = x
    def go(self): pass
class B(A):
    def f(self):
        super().__init__(3)
        super().go()
        super().nowhere()
class C(A, Base):
    def f(self):
        super().go()
class D(Base):
    def f(self):
        super().go()
`)
	want := map[string]string{
		"B.f": "super is outside builtins.super\nsuper().__init__ is m.py:A.__init__ bound\nsuper is outside builtins.super\nsuper().go is m.py:A.go bound\n" +
			"super is outside builtins.super\nsuper().nowhere is outside builtins.super().nowhere",
		"C.f": "super is outside builtins.super\nsuper().go is outside builtins.super().go",
		"D.f": "super is outside builtins.super\nsuper().go is outside builtins.super().go",
	}
	n := analyse.Resolve(p)
	for f := range p.All() {
		if got := stands(n, f); want[f.Name] != "" && got != want[f.Name] {
			t.Errorf("%s:\n%s\nwant\n%s", f.Name, got, want[f.Name])
		}
	}
}

func TestUnbound(t *testing.T) {
	p := program(t, `
-- a/__init__.py --
-- a/m.py --
from a.n import there, gone
from .Case import x
import os
try:
    from a.n import maybe
except ImportError:
    maybe = None
def f(arg):
    print(arg, there, os, missing)
    del arg
    print(arg)
    [y for y in there]
    print(y)
    return later
later = 1
class K:
    z = 1
    def g(self): return z
-- a/n.py --
there = 1
-- a/case.py --
x = 1
-- a/open.py --
from a.dynamic import anything
-- a/dynamic.py --
globals().update(there=1)
def g(): return hidden
-- a/fine.py --
from gettext import gettext as _
ERRORS = (OSError,)
def f():
    try:
        unichr(3)
    except NameError:
        return _("x")
    try:
        f()
    except (ValueError, *ERRORS):
        pass
-- x.go --
package x
func f() int { return gone + len("a") }
type l[T any] struct { a T }
func (x *l[T]) g(n int) T { return T(n) }
func Map[K comparable, V ~int | []int](v V) (out K) { out = K(v); use := func() V { return V(out) }; use(); return }
func kind(v any) int { switch v.(type) { case *bool: return 1; case []bool: return 2 }; return 0 }
-- part/a.go --
package part
func f() int { return Made() }
-- part/b.go --
// Code generated by a tool. DO NOT EDIT.
package part
func Made() int { return 1 }
`)
	n := analyse.Resolve(p)
	var got []string
	for _, a := range append(n.Imports(), n.Unbound()...) {
		got = append(got, fmt.Sprintf("%s %s %s", a.Places[0], a.Is, a.Why))
	}
	want := []string{
		"a/m.py:1 yes a.n has no gone",
		"a/m.py:2 yes there is no .Case; there is a/case.py",
		"a/m.py:5 unknown a.n has no maybe",
		"a/fine.py:5 unknown nothing defines the name unichr",
		"a/m.py:9 yes nothing defines the name missing",
		"a/m.py:11 yes nothing defines the name arg",
		"a/m.py:13 yes nothing defines the name y",
		"a/m.py:18 yes nothing defines the name z",
		"x.go:2 yes nothing defines the name gone",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSites asks where a function is called.
func TestSites(t *testing.T) {
	for name, c := range map[string]struct{ archive, want string }{
		"imported": {`
-- a.py --
def ask(): pass
-- b.py --
from a import ask
def run(): ask()
`, "b.py:run"},
		"beside a part of its own package": {`
-- p/__init__.py --
-- p/other.py --
-- p/a.py --
def ask(): pass
-- b.py --
import p.a
import p.other
def run(): p.a.ask()
`, "b.py:run"},
		"none where the import fails": {`
-- a.py --
def ask(): pass
-- b.py --
try:
    from a import ask
except ImportError:
    ask = None
def run(): ask()
`, "b.py:run"},
		"one of two": {`
-- a.py --
def ask(): pass
-- b.py --
try:
    from a import ask
except ImportError:
    def ask(): pass
def run(): ask()
`, "b.py:run"},
		"one of two, which another scope hides": {`
-- a.py --
def ask(): pass
-- b.py --
try:
    from a import ask
except ImportError:
    def ask(): pass
def around():
    ask = input()
    def run(): ask()
`, ""},
		"two names that stand for each other": {`
-- a.py --
def ask(): pass
-- b.py --
x = y
y = x
x = y
y = x
def run():
    x()
    y()
`, ""},
		"a name that stands for itself": {`
-- a.py --
def ask(): pass
-- b.ts --
let x = x;
x = x;
function run() { x(); }
x();
`, ""},
		"one of two, which a function changes": {`
-- a.py --
def ask(): pass
-- b.py --
try:
    from a import ask
except ImportError:
    def ask(): pass
def change():
    global ask
    ask = input()
def run(): ask()
`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(t, c.archive)
			var got []string
			for _, s := range analyse.Resolve(p).Sites(function(t, p, "a.py:ask")) {
				if s.Call {
					got = append(got, s.Function.Module.Path+":"+s.Function.Name)
				}
			}
			if g := strings.Join(got, " "); g != c.want {
				t.Errorf("got %q, wanted %q", g, c.want)
			}
		})
	}
}
