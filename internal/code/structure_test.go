package code

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDefinitions(t *testing.T) {
	p := load(t, `-- a.py --
"""Module."""
@decorator(1)
@other
async def f(a, /, b: int = 1, *args, c, **kw) -> str:
    "Doc."
    def g():
        return 2
    if a:
        return
    return (lambda q: q)

class A(Base):
    class B:
        def m(self): ...
`)
	m := p.Module("a.py")
	var got []string
	for _, d := range m.Definitions() {
		doc, _ := d.Docstring()
		got = append(got, fmt.Sprint(d.Qualified, ":", d.Line(), " kind ", d.Kind, " doc ", doc, " decorators ", len(d.Decorators())))
	}
	want := []string{
		"a.f:4 kind 2 doc Doc. decorators 2",
		"a.f.g:6 kind 2 doc  decorators 0",
		"a.f.<lambda>:10 kind 4 doc  decorators 0",
		"a.A:12 kind 1 doc  decorators 0",
		"a.A.B:13 kind 1 doc  decorators 0",
		"a.A.B.m:14 kind 3 doc  decorators 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("definitions differ (-want +got):\n%s", diff)
	}
	f := m.Definitions()[0]
	if !f.Async || f.Returns().Text() != "str" || len(f.ReturnValues()) != 2 {
		t.Errorf("f: async %v, returns %q, %d return values", f.Async, f.Returns().Text(), len(f.ReturnValues()))
	}
	var params []string
	for _, q := range f.Params() {
		params = append(params, fmt.Sprintf("%s %d %v %s %s", q.Name, q.Star, q.Keyword, q.Annotation.Text(), q.Default.Text()))
	}
	if diff := cmp.Diff([]string{"a 0 false  ", "b 0 false int 1", "args 1 false  ", "c 0 true  ", "kw 2 true  "}, params); diff != "" {
		t.Errorf("parameters differ (-want +got):\n%s", diff)
	}
}

func TestGuards(t *testing.T) {
	tests := map[string]struct {
		source string
		want   string // guards
	}{
		"plain":         {"here()", ""},
		"if":            {"if a:\n    here()", "if a"},
		"else":          {"if a:\n    pass\nelif b:\n    pass\nelse:\n    here()", "if not a, if not b"},
		"elif":          {"if a:\n    pass\nelif b:\n    here()", "if not a, if b"},
		"nested":        {"if a:\n    while b:\n        here()", "if a, while b"},
		"handler":       {"try:\n    f()\nexcept ValueError as e:\n    here()", "except ValueError"},
		"case":          {"match a:\n    case 'x':\n        here()", "match 'x'"},
		"ternary":       {"x = here() if a else 1", "ternary a"},
		"short-circuit": {"a or here()", "or not a"},
		"environment":   {"import os\nif os.getenv('X'):\n    here()", "if os.getenv('X')"},
		"flag":          {"import os\nON = os.environ.get('X') == '1'\nif ON:\n    here()", "if ON"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(tt.source + "\n")}})
			var at Node
			for _, c := range callsOf(p, "here") {
				at = c
			}
			var parts []string
			for _, g := range p.Guards(at) {
				kind := g.Kind + " "
				if g.Negated {
					kind += "not "
				}
				parts = append(parts, kind+g.Condition.Text())
			}
			got := strings.Join(parts, ", ")
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestImports(t *testing.T) {
	p := load(t, `-- src/__init__.py --
-- src/m.py --
__all__ = ["run"]
from subprocess import run
def hidden(): pass
-- src/a.py --
import os.path
import src.m
from . import m as mm, gone
from .m import *
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from git import Repo
def f():
    import json
    __import__("yaml")
from src.missing import x
`)
	var got []string
	for _, i := range p.Module("src/a.py").Imports() {
		words := []string{i.Local + "=" + i.Target}
		for _, flag := range []struct {
			text string
			set  bool
		}{{"e", i.External}, {"i", i.Inner}, {"m", i.Missing}, {"t", i.TypeOnly}} {
			if flag.set {
				words = append(words, flag.text)
			}
		}
		if i.Module != nil {
			words = append(words, i.Module.Path)
		}
		got = append(got, strings.Join(words, " "))
	}
	want := []string{
		"os=os.path e", "src=src.m src/m.py", "mm=src.m src/m.py", "gone=src.gone m src/__init__.py", "run=src.m.run src/m.py",
		"TYPE_CHECKING=typing.TYPE_CHECKING e", "Repo=git.Repo e t", "json=json e i", "=yaml e i", "x=src.missing.x m",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("imports differ (-want +got):\n%s", diff)
	}
}
