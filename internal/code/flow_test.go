package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrigins(t *testing.T) {
	tests := map[string]struct {
		source string
		want   []string
	}{
		"literal":           {"sink('x')", []string{"literal 'x'"}},
		"assignment":        {"a = 'x'\nb = a\nsink(b)", []string{"literal 'x'"}},
		"formatting":        {"u = input()\nsink(f'git clone {u}')", []string{"call builtins.input part"}},
		"concatenation":     {"u = input()\nsink('git ' + u)", []string{"literal 'git ' part", "call builtins.input part"}},
		"list":              {"u = input()\nc = ['git', u]\nsink(c)", []string{"literal 'git' part", "call builtins.input part"}},
		"list grows":        {"u = input()\nc = ['git']\nc.append(u)\nsink(c)", []string{"literal 'git' part", "call builtins.input part"}},
		"parameter by call": {"def f(u):\n    sink(u)\nf('x')\nf(input())", []string{"literal 'x'", "call builtins.input"}},
		"parameter unknown": {"def f(u):\n    sink(u)", []string{"param u of a.f"}},
		"default":           {"def f(u='d'):\n    sink(u)\nf()", []string{"literal 'd'"}},
		"passed on":         {"def f(u):\n    sink(u)\nf('x')\ng(f)", []string{"literal 'x'", "param u of a.f"}},
		"return":            {"def g():\n    return input()\nsink(g())", []string{"call builtins.input"}},
		"return of argument": {"def g(x):\n    return x.strip()\nsink(g('a'))\nsink2(g('b'))",
			[]string{"literal 'a' part"}},
		"method of value":   {"import tempfile\nd = tempfile.mkdtemp()\nsink(d.strip())", []string{"call tempfile.mkdtemp part"}},
		"with":              {"import tempfile\nwith tempfile.TemporaryDirectory() as d:\n    sink(d)", []string{"call tempfile.TemporaryDirectory"}},
		"path":              {"import tempfile\nfrom pathlib import Path\nd = Path(tempfile.mkdtemp()) / 'r'\nsink(d)", []string{"call tempfile.mkdtemp part", "literal 'r' part"}},
		"self attribute":    {"import tempfile\nclass A:\n    def __init__(self):\n        self.d = tempfile.mkdtemp()\n    def m(self):\n        sink(self.d)", []string{"call tempfile.mkdtemp"}},
		"state key":         {"def node(state):\n    sink(state['url'])", []string{"param state of a.node part", "attribute state['url']"}},
		"state get":         {"def node(state):\n    sink(state.get('url', 'd'))", []string{"param state of a.node part", "attribute state.get('url', 'd')", "literal 'd'"}},
		"attribute":         {"import sys\nsink(sys.argv[1])", []string{"symbol sys.argv part"}},
		"environment":       {"import os\nsink(os.environ['X'])", []string{"symbol os.environ part"}},
		"loop":              {"for u in [input(), 'x']:\n    sink(u)", []string{"call builtins.input part", "literal 'x' part"}},
		"exception":         {"try:\n    f()\nexcept ValueError as e:\n    sink(e)", []string{"exception ValueError"}},
		"conditional":       {"sink('a' if x else input())", []string{"literal 'a'", "call builtins.input"}},
		"thread":            {"import asyncio\ndef f(u):\n    sink(u)\nasync def g():\n    await asyncio.to_thread(f, input())", []string{"call builtins.input", "param u of a.f"}},
		"field of object":   {"from dataclasses import dataclass\n@dataclass\nclass C:\n    u: str = 'd'\ndef f(c: C):\n    sink(c.u)\nf(C(u=input()))", []string{"call builtins.input"}},
		"field of unknown":  {"from dataclasses import dataclass\n@dataclass\nclass C:\n    u: str = 'd'\ndef f(c: C):\n    sink(c.u)", []string{"literal 'd'", "attribute c.u"}},
		"circle":            {"def f(u):\n    f(u)\n    sink(u)\nf('x')", []string{"literal 'x'"}},
		"imported constant": {"from b import X\nsink(X)", []string{"literal 'xb'"}},
		"unpacking":         {"a, b = 'x', input()\nsink(b)", []string{"call builtins.input"}},
		"partly overwritten": {"u = 'x'\nif c:\n    u = input()\nsink(u)",
			[]string{"literal 'x'", "call builtins.input"}},
	}
	kinds := []string{"unknown", "literal", "param", "call", "attribute", "symbol", "exception"}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(tt.source + "\n")}, {Path: "b.py", Bytes: []byte("X = 'xb'\n")}})
			var got []string
			for _, c := range p.Calls() {
				if c.Name != "sink" {
					continue
				}
				for _, o := range p.Origins(c.Arg("", 0)) {
					line := kinds[o.Kind] + " "
					switch o.Kind {
					case OriginCall:
						line += o.Call.Callee.Qualified
					case OriginParam:
						line += o.Param + " of " + o.Def.Qualified
					case OriginSymbol, OriginException:
						line += o.Symbol.Qualified
						line = strings.Replace(line, "builtins.", "", 1)
					default:
						line += o.Node.Text()
					}
					if o.Part {
						line += " part"
					}
					got = append(got, line)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("origins differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThrough(t *testing.T) {
	p := load(t, `-- a.py --
import subprocess
def run(cmd, *extra, timeout=60, **kw):
    return subprocess.run(cmd, timeout=timeout, **kw)
def clone(url, dest):
    return run(["git", "clone", url, dest], cwd=dest)
clone("u", "d")
run("ls", shell=True)
`)
	var got []string
	for _, c := range p.Through("subprocess.run") {
		var via []string
		for _, d := range c.Via {
			via = append(via, d.Name)
		}
		got = append(got, fmt.Sprintf("%d via %v: cmd %s timeout %s shell %s cwd %s", c.Line(), via,
			c.Arg("args", 0).Text(), c.Arg("timeout", -1).Text(), c.Arg("shell", -1).Text(), c.Arg("cwd", -1).Text()))
	}
	want := []string{
		"3 via []: cmd cmd timeout timeout shell  cwd ",
		`5 via [run]: cmd ["git", "clone", url, dest] timeout 60 shell  cwd dest`,
		`6 via [clone run]: cmd ["git", "clone", url, dest] timeout 60 shell  cwd "d"`,
		`7 via [run]: cmd "ls" timeout 60 shell True cwd `,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("wrapped calls differ (-want +got):\n%s", diff)
	}
}

func TestReachable(t *testing.T) {
	p := load(t, `-- pyproject.toml --
[project]
name = "x"
[project.scripts]
audit = "app.cli:main"
-- app/__init__.py --
-- app/cli.py --
from .graph import build
def main():
    build().invoke({})
def unused(): pass
if False:
    unused()
-- app/graph.py --
from langgraph.graph import StateGraph
from .nodes import node, Judge
def build():
    g = StateGraph(dict)
    g.add_node("n", node)
    g.add_node("j", Judge())
    return g.compile()
-- app/nodes.py --
import app.side
def node(state): return helper()
def helper(): return 1
def dead(): return 2
class Judge:
    def __call__(self, s): return self.rule()
    def rule(self): return 1
    def idle(self): return 2
-- app/side.py --
def registered_by(f): return f
@registered_by
def handler(): pass
-- app/island.py --
def alone(): pass
-- tests/test_x.py --
def test(): pass
if __name__ == "__main__":
    test()
`)
	var live []string
	for d := range p.Live() {
		if d.Kind != DefModule {
			live = append(live, d.Qualified)
		}
	}
	slices.Sort(live)
	want := []string{"app.cli.main", "app.graph.build", "app.nodes.Judge", "app.nodes.Judge.__call__", "app.nodes.Judge.rule",
		"app.nodes.helper", "app.nodes.node", "app.side.handler", "app.side.registered_by"}
	if diff := cmp.Diff(want, live); diff != "" {
		t.Errorf("live definitions differ (-want +got):\n%s", diff)
	}
	var callers []string
	for _, c := range p.Callers(p.Find("app.nodes.helper")[0]) {
		callers = append(callers, c.Func.Qualified)
	}
	if !cmp.Equal(callers, []string{"app.nodes.node"}) {
		t.Errorf("callers of helper are %v", callers)
	}
	if !p.PassedOn(p.Find("app.nodes.node")[0]) || p.PassedOn(p.Find("app.nodes.helper")[0]) {
		t.Error("node is passed on as a value and helper is not")
	}
}

func TestEntries(t *testing.T) {
	p := load(t, `-- setup.py --
setup(entry_points={"console_scripts": ["old = pkg.cli:run"]})
-- langgraph.json --
{"graphs": {"agent": "./pkg/graph.py:graph"}}
-- pkg/__init__.py --
-- pkg/cli.py --
def run(): pass
-- pkg/graph.py --
graph = make()
-- pkg/api.py --
from fastapi import FastAPI
app = FastAPI()
-- pkg/ui.py --
import streamlit as st
st.title("x")
-- main.py --
print(1)
-- tool.py --
def main(): pass
if __name__ == "__main__":
    main()
-- examples/demo.py --
if __name__ == "__main__":
    pass
-- scripts/all.py --
from pkg.cli import run
run()
-- scripts/both.py --
import sys
if len(sys.argv) > 1 and __name__ in ("__main__", "run"):
    print(1)
-- scripts/guarded.py --
import sys
from pkg.cli import run
def start():
    run()
if getattr(sys.modules.get("__main__"), "flag", None) == "yes":
    start()
-- scripts/alone.py --
def start():
    pass
start()
-- scripts/object.py --
from pkg.graph import graph
print(graph.invoke({}))
-- scripts/wrap.py --
from pkg.cli import run
@run
def wrapped(): pass
-- scripts/shared.py --
from pkg.cli import run
state = run()
-- scripts/report.py --
from scripts.shared import state
print(state)
`)
	var got []string
	for _, e := range p.Entries() {
		got = append(got, fmt.Sprintf("%s %s:%d %s %s", e.Kind, e.Path, e.Line, e.Name, e.Def.Qualified))
	}
	want := []string{
		"langgraph langgraph.json:1 agent pkg.graph", "file main.py:1  main", "server pkg/api.py:2  pkg.api",
		"ui pkg/ui.py:2  pkg.ui", "file scripts/all.py:2  scripts.all", "main scripts/both.py:2  scripts.both",
		"file scripts/guarded.py:6  scripts.guarded", "file scripts/object.py:2  scripts.object", "script setup.py:1 old pkg.cli.run", "main tool.py:2  tool",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries differ (-want +got):\n%s", diff)
	}
}
