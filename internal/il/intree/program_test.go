package intree_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
)

// The calls of dead are those that no run comes to.
func TestDead(t *testing.T) {
	for name, text := range map[string]string{
		"false":               "if False:\n    dead()",
		"zero":                "while 0:\n    dead()",
		"else of true":        "if True:\n    here()\nelse:\n    dead()",
		"type checking":       "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    dead()",
		"type checking again": "import typing as t\nif t.TYPE_CHECKING:\n    dead()\nelse:\n    here()\nif t.TYPE_CHECKING:\n    dead()",
		"after return":        "def f():\n    return here()\n    dead()",
		"after raise":         "def f(x):\n    raise here(x)\n    dead(x)\n    if x:\n        dead()",
		"after both":          "def f(x):\n    if x:\n        return 1\n    else:\n        return 2\n    dead()",
		"after a loop":        "def f():\n    while True:\n        here()\n    dead()",
		"after a break":       "for x in y:\n    break\n    dead()\nhere()",
		"dead around":         "if 0:\n    def f():\n        dead()",
		"decorated around":    "if 0:\n    @a\n    def f():\n        dead()",
		"environment":         "import os\nif os.getenv('X'):\n    here()",
		"flag":                "import os\nON = os.environ.get('X') == '1'\nif ON:\n    here()",
		"not of false":        "if not False:\n    here()",
		"numbers":             "if 1 == 2:\n    dead()",
		"numbers hold":        "if 0x10 >= 2:\n    here()",
		"chain":               "if 1 < 2 < x:\n    here()",
		"names":               "if 1 == x:\n    here()",
		"and":                 "if x and 0:\n    dead()",
		"or":                  "if x or 0:\n    here()",
		"or of nothing":       "if None or []:\n    dead()",
		"empty text":          "if '':\n    dead()",
		"loop":                "for _ in ():\n    dead()",
		"range":               "for _ in range(0):\n    dead()",
		"true loop":           "for _ in range(0, 3):\n    here()",
		"else of loop":        "for _ in ():\n    dead()\nelse:\n    here()",
		"list":                "for _ in [1]:\n    here()",
		"one way of several":  "x = dead() if False else here()",
		"short-circuit":       "False and dead(here(1)) or here()",
		"an assertion":        "assert True\nhere()",
		"a handler":           "try:\n    here()\nexcept ValueError:\n    here()\nfinally:\n    here()",
	} {
		t.Run(name, func(t *testing.T) {
			p := joined(t, code.File{Path: "a.py", Bytes: []byte(text + "\n")})
			for st := range p.Modules[0].Root().Children() {
				if !strings.Contains(text, "dead") && p.Dead(st) {
					t.Errorf("line %d is dead", st.Line())
				}
			}
			for _, c := range p.Calls() {
				if around := c.Node.Parent().Parent(); name == "short-circuit" && around.Is("call") {
					continue // it is written among what is dead
				}
				if dead := p.Dead(c.Node); (c.Name == "dead" || c.Name == "here") && dead != (c.Name == "dead") {
					t.Errorf("line %d: %s is dead: %v", c.Line(), c.Node.Text(), dead)
				}
			}
		})
	}
	p := joined(t, code.File{Path: "a.py", Bytes: []byte("f()\n")}, code.File{Path: "a/__init__.py", Bytes: []byte("\n")})
	if !p.Dead(p.CallsOf(p.Module("a.py"))[0].Node) {
		t.Error("a.py is shadowed by the package a")
	}
}

// The names of the functions say whether an entry leads to them.
func TestLive(t *testing.T) {
	for name, archive := range map[string]string{
		"calls": `
-- main.py --
from pkg.sub import yes_imported
def yes_called(): yes_imported()
def no_idle(): no_by_the_idle()
def no_by_the_idle(): pass
if __name__ == "__main__": yes_called()
-- pkg/__init__.py --
import started
def yes_of_the_package(): pass
yes_of_the_package()
def no_of_the_package(): pass
-- pkg/sub.py --
def yes_imported(): pass
-- started.py --
def yes_started(): pass
def yes_loaded(): pass
yes_loaded()
if __name__ == "__main__": yes_started()
`,
		"a script": `
-- pyproject.toml --
[project]
name = "p"
[project.scripts]
p = "pkg.cli:yes_main"
-- pkg/__init__.py --
-- pkg/cli.py --
def yes_main(): pass
def no_other(): pass
`,
		"decorators and tables": `
-- main.py --
import click, threading
from functools import lru_cache, partial
@click.command()
def yes_command(): TABLE["a"]()
def yes_in_table(): pass
TABLE = {"a": yes_in_table}
def register(f): return f
@register
def yes_registered(): pass
@lru_cache
def no_cached(): pass
def yes_thread(): pass
threading.Thread(target=yes_thread).start()
def yes_partial(): pass
run = partial(yes_partial, 1)
`,
		"classes": `
-- main.py --
class Base:
    def yes_run(self): self.yes_step()
    def yes_step(self): pass
    def no_other(self): pass
class Shell(Base):
    def yes_step(self): pass
Shell().yes_run()
`,
		"tests": `
-- main.py --
print(1)
-- ops.py --
def no_tested(): pass
-- tests/test_ops.py --
from ops import no_tested
def test_it(): no_tested()
`,
		"a file that nobody imports": `
-- tool.py --
from lib import yes_work
def yes_go(): yes_work()
yes_go()
-- lib.py --
def yes_work(): pass
`,
	} {
		t.Run(name, func(t *testing.T) {
			p := joined(t, unpack(archive)...)
			for _, m := range p.Modules {
				for _, d := range m.Definitions() {
					if answer, _, _ := strings.Cut(d.Name, "_"); (answer == "yes" || answer == "no") && p.Live()[d] != (answer == "yes") {
						t.Errorf("%s is live: %v", d.Qualified, p.Live()[d])
					}
				}
			}
		})
	}
}

// TestLinks has who calls, uses and hands on a definition.
func TestLinks(t *testing.T) {
	p := joined(t, unpack(`
-- pkg/__init__.py --
from . import ops
-- pkg/ops.py --
import asyncio
def clone(u): pass
class Box:
    def __init__(self, u): self.u = clone(u)
    def open(self): pass
class Small(Box):
    def open(self): pass
def show(b: Box): b.open()
async def later(): await asyncio.to_thread(clone, "x")
-- node.py --
from pkg import ops
from pkg.ops import Box as B
def node(state):
    ops.clone(state["u"])
    run(ops.clone, key=lambda: 1)
    return B(1)
def empty(x):
    """Nothing."""
    print("x", len(x))
    return {"a": []}
def full(x):
    print(full(x))
@tool
def taken(): pass
`)...)
	for name, want := range map[string]string{
		"pkg.ops.clone":        "callers node.node pkg.ops.Box.__init__ pkg.ops.later uses node.py:4 node.py:5 pkg/ops.py:4 pkg/ops.py:9 handed hollow",
		"pkg.ops.Box":          "callers node.node uses node.py:6",
		"pkg.ops.Box.__init__": "callers node.node callees pkg.ops.clone",
		"pkg.ops.Small.open":   "callers pkg.ops.show uses pkg/ops.py:8 hollow",
		"node.node":            "callees pkg.ops.clone pkg.ops.Box pkg.ops.Box.__init__ node.node.<lambda>",
		"node.empty":           "hollow",
		"node.full":            "callers node.full callees node.full uses node.py:12",
		"node.taken":           "handed",
	} {
		d := p.Find(name)[0]
		got := ""
		for _, c := range p.Callers(d) {
			got += " " + c.Func.Qualified
		}
		got = label("callers", got) + label("callees", names(p.Callees(d)))
		uses := ""
		for _, n := range p.Uses(d) {
			uses += fmt.Sprintf(" %s:%d", n.Path(), n.Line())
		}
		got += label("uses", uses)
		if p.PassedOn(d) {
			got += " handed"
		}
		if p.Hollow(d) {
			got += " hollow"
		}
		if diff := cmp.Diff(want, strings.TrimSpace(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if c := p.Callers(p.Find("pkg.ops.clone")[0])[2]; c.Name != "clone" || c.Args[0].Value.Text() != `"x"` {
		t.Error("the call that to_thread makes is not the caller")
	}
	q := joined(t, unpack("-- a.py --\nimport b\ndef f(): pass\n-- b.py --\ndef g(): pass\ndef h(): pass\nh()\nif __name__ == '__main__':\n    g()\n")...)
	if from := q.Reachable(q.Find("a.f")[0]); !from[q.Find("b.h")[0]] || from[q.Find("b.g")[0]] {
		t.Error("a file that is imported is not started with")
	}
	node, clone := p.Find("node.node")[0], p.Find("pkg.ops.clone")[0]
	if !p.Reachable(node)[clone] || p.Reachable(p.Find("node.empty")[0])[clone] {
		t.Error("what node leads to")
	}
}

func label(name, list string) string {
	if list == "" {
		return ""
	}
	return " " + name + list
}

func names(list []*code.Definition) (out string) {
	for _, d := range list {
		out += " " + d.Qualified
	}
	return out
}

func unpack(archive string) (files []code.File) {
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files = append(files, code.File{Path: f.Name, Bytes: f.Data})
	}
	return files
}
