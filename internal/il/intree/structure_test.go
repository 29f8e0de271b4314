package intree_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

func TestBases(t *testing.T) {
	tests := map[string]struct {
		archive string
		want    []string
	}{
		"transitive": {"-- base.py --\nfrom pydantic import BaseModel\nclass StrictModel(BaseModel): pass\n-- a.py --\nfrom base import StrictModel as S\nclass X(S): pass\n",
			[]string{"base.StrictModel", "pydantic.BaseModel"}},
		"generic":           {"-- a.py --\nfrom typing import Generic, TypeVar\nT = TypeVar('T')\nclass X(Generic[T]): pass\n", []string{"typing.Generic"}},
		"typing_extensions": {"-- a.py --\nimport typing_extensions as te\nclass X(te.TypedDict, total=False): pass\n", []string{"typing.TypedDict"}},
		"several":           {"-- a.py --\nimport enum\nclass X(str, enum.Enum): pass\n", []string{"builtins.str", "enum.Enum"}},
		"circle":            {"-- a.py --\nclass Y(X): pass\nclass X(Y): pass\n", []string{"a.Y"}},
		"unresolved":        {"-- a.py --\nclass X(make()): pass\n", []string{"?make()@a.py:1"}},
		"try":               {"-- a.py --\ntry:\n    from pydantic import BaseModel\nexcept ImportError:\n    BaseModel = object\nclass X(BaseModel): pass\n", []string{"pydantic.BaseModel", "builtins.object"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := archived(t, tt.archive)
			var got []string
			for _, b := range p.Bases(p.Find("a.X")[0]) {
				got = append(got, b.Qualified)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("bases differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFields(t *testing.T) {
	tests := map[string]struct {
		source string
		want   []string
	}{
		"inherited":     {"class B:\n    a: int\n    b: str = 'x'\nclass X(B):\n    b: int = 2\n    c: float", []string{"a int ", "b int 2", "c float "}},
		"TypedDict":     {"from typing import TypedDict\nX = TypedDict('X', {'a': int, 'b': 'List[str]'})", []string{"a int ", "b 'List[str]' "}},
		"NamedTuple":    {"from typing import NamedTuple\nX = NamedTuple('X', [('a', int), ('b', str)])", []string{"a int ", "b str "}},
		"namedtuple":    {"from collections import namedtuple\nX = namedtuple('X', 'a b')", []string{"a  ", "b  "}},
		"create_model":  {"from pydantic import create_model\nX = create_model('X', a=(int, 1), b=(str, ...))", []string{"a int 1", "b str ..."}},
		"bound on self": {"class X:\n    k: int = 1\n    def __init__(self, v):\n        self.v = v\n        self.w: str = 'w'", []string{"k int 1", "v  v", "w str 'w'"}},
		"mixed bases":   {"from typing import TypedDict\nB = TypedDict('B', {'a': int})\nclass X(B):\n    b: str", []string{"a int ", "b str "}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := joined(t, code.File{Path: "a.py", Bytes: []byte(tt.source + "\n")})
			var got []string
			for _, f := range p.Fields(p.Lookup("a.X")) {
				got = append(got, fmt.Sprintf("%s %s %s", f.Name, f.Annotation.Text(), f.Default.Text()))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("fields differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDataclass(t *testing.T) {
	p := archived(t, "-- a.py --\nfrom dataclasses import dataclass as dc\n@dc(frozen=True)\nclass A: pass\n@other\nclass B: pass\n")
	if !p.Dataclass(p.Find("a.A")[0]) || p.Dataclass(p.Find("a.B")[0]) {
		t.Error("A is a dataclass and B is none")
	}
}

// TestDeterminism asks the same questions from many goroutines, in other
// orders, and under other numbers of processors.
func TestDeterminism(t *testing.T) {
	files := []code.File{
		{Path: "src/__init__.py", Bytes: []byte("")},
		{Path: "src/a.py", Bytes: []byte("from .b import *\nimport os\nX = {'a': f, 'b': g}\ndef run(k, n=3):\n    for i in range(n):\n        X[k](i, cmd=['a', str(i)])\n    return os.system(k)\nrun('a')\nrun('b', 4)\n")},
		{Path: "src/b.py", Bytes: []byte("class A:\n    def __init__(self, x): self.x = x\n    def m(self): return self.x.m()\ndef f(*a, **k): return A(f)\ndef g(*a, **k): return A(A(g)).m()\n")},
	}
	ask := func(p *intree.Program) string {
		var b strings.Builder
		for _, c := range p.Calls() {
			fmt.Fprintln(&b, c.Line(), c.Callee.Qualified, len(c.Others))
		}
		return b.String()
	}
	want := ask(joined(t, files...))
	for _, procs := range []int{1, 4} {
		before := runtime.GOMAXPROCS(procs)
		p := joined(t, files[2], files[0], files[1])
		got := make([]string, 8)
		var group sync.WaitGroup
		for i := range got {
			group.Go(func() {
				if i%2 == 0 {
					p.Calls()
				}
				got[i] = ask(p)
			})
		}
		group.Wait()
		runtime.GOMAXPROCS(before)
		for _, g := range got {
			if diff := cmp.Diff(want, g); diff != "" {
				t.Fatalf("answers differ with %d processors (-want +got):\n%s", procs, diff)
			}
		}
	}
}
