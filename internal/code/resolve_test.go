package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// callees lists what the calls marked by a keyword argument "mark" resolve to.
func callees(p *Program) []string {
	var out []string
	for _, c := range p.oldCalls() {
		if c.Arg("mark", -1).Valid() {
			names := []string{c.Callee.Qualified}
			for _, o := range c.Others {
				names = append(names, o.Qualified)
			}
			out = append(out, strings.Join(names, "|"))
		}
	}
	return out
}

func TestCallee(t *testing.T) {
	tests := map[string]struct {
		archive string
		want    []string
	}{
		"import as":      {"-- a.py --\nimport os.path as p, subprocess as sp\np.join(mark=1)\nsp.run(mark=1)\n", []string{"os.path.join", "subprocess.run"}},
		"import dotted":  {"-- a.py --\nimport os.path\nos.path.join(mark=1)\nos.system(mark=1)\n", []string{"os.path.join", "os.system"}},
		"from as":        {"-- a.py --\nfrom os import system as run\nrun(mark=1)\n", []string{"os.system"}},
		"function local": {"-- a.py --\ndef f():\n    import subprocess\n    subprocess.run(mark=1)\n", []string{"subprocess.run"}},
		"try except": {"-- a.py --\ntry:\n    import langgraph.graph as lg\nexcept ImportError:\n    import stub as lg\nlg.StateGraph(mark=1)\n",
			[]string{"langgraph.graph.StateGraph|stub.StateGraph"}},
		"type checking":    {"-- a.py --\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from git import Repo\ndef f(r: 'Repo'):\n    r.clone(mark=1)\n", []string{"git.Repo.clone"}},
		"import_module":    {"-- a.py --\nimport importlib\nm = importlib.import_module('subprocess')\nm.run(mark=1)\n", []string{"subprocess.run"}},
		"getattr":          {"-- a.py --\nimport os\ngetattr(os, 'system')('x', mark=1)\nn = 'popen'\ngetattr(os, n)(mark=1)\n", []string{"os.system", "os.popen"}},
		"dunder import":    {"-- a.py --\n__import__('os').system(mark=1)\n", []string{"os.system"}},
		"partial":          {"-- a.py --\nimport subprocess\nfrom functools import partial\nrun = partial(subprocess.run, shell=True)\nrun('ls', mark=1)\n", []string{"subprocess.run"}},
		"local alias":      {"-- a.py --\nimport subprocess\nrun = subprocess.run\nrun(mark=1)\n", []string{"subprocess.run"}},
		"star external":    {"-- a.py --\nfrom os import *\nsystem(mark=1)\n", []string{"os.system"}},
		"star first-party": {"-- m.py --\nfrom subprocess import run\ndef g(): pass\n-- a.py --\nfrom m import *\nrun(mark=1)\ng(mark=1)\n", []string{"subprocess.run", "m.g"}},
		"reexport": {"-- src/__init__.py --\n-- src/tools/__init__.py --\nfrom .git import clone\n-- src/tools/git.py --\ndef clone(): pass\n-- main.py --\nfrom src.tools import clone\nclone(mark=1)\n",
			[]string{"src.tools.git.clone"}},
		"package imports its module": {"-- src/__init__.py --\n-- src/tools/__init__.py --\nfrom . import git\n-- src/tools/git.py --\ndef clone(): pass\n-- src/nodes/det.py --\nfrom ..tools import git\nfrom src import tools\ngit.clone(mark=1)\ntools.git.clone(mark=1)\n",
			[]string{"src.tools.git.clone", "src.tools.git.clone"}},
		"package imports its module by name": {"-- src/__init__.py --\n-- src/tools/__init__.py --\nfrom src.tools import git as git\n-- src/tools/git.py --\ndef clone(): pass\n-- src/det.py --\nfrom src.tools import git\ngit.clone(mark=1)\n",
			[]string{"src.tools.git.clone"}},
		"function named as its module": {"-- src/__init__.py --\n-- src/tools/__init__.py --\nfrom .clone import clone\n-- src/tools/clone.py --\ndef clone(): pass\n-- src/det.py --\nfrom src.tools import clone\nclone(mark=1)\n",
			[]string{"src.tools.clone.clone"}},
		"relative up": {"-- src/__init__.py --\n-- src/a/__init__.py --\n-- src/a/x.py --\nfrom ..b import f\nfrom .. import b\nf(mark=1)\nb.f(mark=1)\n-- src/b.py --\ndef f(): pass\n",
			[]string{"src.b.f", "src.b.f"}},
		"namespace package": {"-- src/tools/git.py --\ndef clone(): pass\n-- src/main.py --\nfrom src.tools.git import clone\nimport src.tools.git as g\nclone(mark=1)\ng.clone(mark=1)\n",
			[]string{"src.tools.git.clone", "src.tools.git.clone"}},
		"src layout":                {"-- pyproject.toml --\n-- src/app/__init__.py --\n-- src/app/x.py --\ndef f(): pass\n-- src/app/y.py --\nfrom app.x import f\nf(mark=1)\n", []string{"app.x.f"}},
		"beside, like a library":    {"-- src/tools/git.py --\nimport git\ngit.Repo(mark=1)\n", []string{"git.Repo"}},
		"package shadows module":    {"-- graph.py --\ndef f(): pass\n-- graph/__init__.py --\ndef g(): pass\n-- a.py --\nfrom graph import g\ng(mark=1)\n", []string{"graph.g"}},
		"method by instance":        {"-- a.py --\nclass A:\n    def m(self): pass\na = A()\na.m(mark=1)\nA().m(mark=1)\n", []string{"a.A.m", "a.A.m"}},
		"inherited method":          {"-- a.py --\nclass B:\n    def m(self): pass\nclass A(B):\n    def n(self): self.m(mark=1)\n", []string{"a.B.m"}},
		"subclass method":           {"-- a.py --\nclass B:\n    def n(self): self.m(mark=1)\nclass A(B):\n    def m(self): pass\n", []string{"a.A.m"}},
		"super":                     {"-- a.py --\nclass B:\n    def m(self): pass\nclass A(B):\n    def m(self): super().m(mark=1)\n", []string{"a.B.m"}},
		"external base":             {"-- a.py --\nfrom langgraph.graph import StateGraph\nclass G(StateGraph): pass\nG().add_node(mark=1)\n", []string{"langgraph.graph.StateGraph.add_node"}},
		"function in a field":       {"-- a.py --\nfrom dataclasses import dataclass\nfrom os import system, popen\n@dataclass\nclass S:\n    name: str\n    fn: object = system\ns = S('x', popen)\ns.fn(mark=1)\nS('y').fn(mark=1)\n", []string{"os.popen", "os.system"}},
		"self attribute":            {"-- a.py --\nfrom langchain_openai import ChatOpenAI\nclass A:\n    def __init__(self): self.llm = ChatOpenAI()\n    def m(self): self.llm.invoke(mark=1)\n", []string{"langchain_openai.ChatOpenAI.invoke"}},
		"callable instance":         {"-- a.py --\nclass A:\n    def __call__(self): pass\na = A()\na(mark=1)\n", []string{"a.A.__call__"}},
		"property":                  {"-- a.py --\nfrom git import Repo\nclass A:\n    @property\n    def r(self): return Repo()\n    def m(self): self.r.clone(mark=1)\n", []string{"git.Repo.clone"}},
		"annotated parameter":       {"-- b.py --\nclass B:\n    def m(self): pass\n-- a.py --\nfrom typing import Optional\nfrom b import B\ndef f(b: B, c: Optional[B], d: B | None = None):\n    b.m(mark=1); c.m(mark=1); d.m(mark=1)\n", []string{"b.B.m", "b.B.m", "b.B.m"}},
		"parameter by call site":    {"-- a.py --\nfrom langgraph.graph import StateGraph\ndef wire(g):\n    g.add_node(mark=1)\nwire(StateGraph(dict))\n", []string{"langgraph.graph.StateGraph.add_node"}},
		"return value":              {"-- a.py --\nfrom langchain_openai import ChatOpenAI\ndef get():\n    return ChatOpenAI()\nget().invoke(mark=1)\n", []string{"langchain_openai.ChatOpenAI.invoke"}},
		"return annotation":         {"-- a.py --\nimport git\ndef get() -> git.Repo:\n    return make()\nget().clone(mark=1)\n", []string{"git.Repo.clone"}},
		"with":                      {"-- a.py --\nfrom concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as ex:\n    ex.submit(mark=1)\n", []string{"concurrent.futures.ThreadPoolExecutor.submit"}},
		"builtin":                   {"-- a.py --\neval('1', mark=1)\n", []string{"builtins.eval"}},
		"shadowed builtin":          {"-- a.py --\ndef eval(x): pass\neval('1', mark=1)\n", []string{"a.eval"}},
		"method named like builtin": {"-- a.py --\nimport torch\nmodel = torch.load('x')\nmodel.eval(mark=1)\n", []string{"torch.load().eval"}},
		"unresolved":                {"-- a.py --\ndef f(x):\n    x.y(mark=1)\n", []string{"?x.y@a.py:2"}},
		"rebinding":                 {"-- a.py --\nimport os, subprocess\nf = os.system\nf(mark=1)\nf = subprocess.run\nf(mark=1)\n", []string{"os.system", "subprocess.run"}},
		"branches":                  {"-- a.py --\nimport os, subprocess\nif x:\n    f = os.system\nelse:\n    f = subprocess.run\n    f(mark=1)\nf(mark=1)\n", []string{"subprocess.run", "os.system|subprocess.run"}},
		"table":                     {"-- a.py --\nimport os, subprocess\nT = {'a': os.system, 'b': subprocess.run}\nT['b'](mark=1)\nfor f in T.values():\n    f(mark=1)\n", []string{"subprocess.run", "os.system|subprocess.run"}},
		"decorated function":        {"-- a.py --\nfrom functools import lru_cache\n@lru_cache\ndef f(): pass\nf(mark=1)\n", []string{"a.f"}},
		"nested function":           {"-- a.py --\ndef f():\n    def g(): pass\n    g(mark=1)\n", []string{"a.f.g"}},
		"class scope is not seen":   {"-- a.py --\nimport os\nclass A:\n    os = 1\n    def m(self): os.system(mark=1)\n", []string{"os.system"}},
		"global":                    {"-- a.py --\nimport os\ndef f():\n    global run\n    run = os.system\nf()\nrun(mark=1)\n", []string{"os.system"}},
		"handed over":               {"-- a.py --\nimport asyncio, subprocess\nasyncio.to_thread(subprocess.run, 'ls', mark=1)\n", []string{"asyncio.to_thread", "subprocess.run"}},
		"chained":                   {"-- a.py --\nfrom langgraph.graph import StateGraph\nStateGraph(dict).add_node('a').add_edge(mark=1)\n", []string{"langgraph.graph.StateGraph.add_node().add_edge"}},
		"missing first-party":       {"-- src/__init__.py --\n-- src/a.py --\nfrom src.gone import f\nf(mark=1)\n", []string{"src.gone.f"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, callees(load(t, tt.archive))); diff != "" {
				t.Errorf("callees differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	tests := map[string]struct {
		source string
		want   string // text of shell=, then whether arguments may be hidden
	}{
		"keyword":         {"subprocess.run('ls', shell=True)", "True false"},
		"literal splat":   {"subprocess.run('ls', **{'shell': True})", "True false"},
		"variable splat":  {"o = dict(shell=True, check=False)\nsubprocess.run('ls', **o)", "True false"},
		"grown splat":     {"o = {}\no['shell'] = True\nsubprocess.run('ls', **o)", "True false"},
		"unknown splat":   {"subprocess.run('ls', **load())", " true"},
		"partial":         {"from functools import partial\nr = partial(subprocess.run, shell=True)\nr('ls')", "True false"},
		"positional":      {"subprocess.Popen('ls', -1, None, None, None, None, None, True, True)", "True false"},
		"list splat":      {"a = ['ls', -1, None, None, None, None, None, True, True]\nsubprocess.Popen(*a)", "True false"},
		"unknown list":    {"subprocess.Popen(*load())", " true"},
		"not given":       {"subprocess.run('ls')", " false"},
		"partly in splat": {"o = {'shell': True, **load()}\nsubprocess.run('ls', **o)", "True true"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte("import subprocess\n" + tt.source + "\n")}})
			calls := p.oldCalls("subprocess.run", "subprocess.Popen")
			if len(calls) != 1 {
				t.Fatalf("got %d calls, want 1", len(calls))
			}
			got := fmt.Sprint(calls[0].Arg("shell", 8).Text(), " ", calls[0].Splat())
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParameters(t *testing.T) {
	p := load(t, `-- a.py --
from dataclasses import dataclass
class A:
    def __init__(self, x, *, k=1): ...
    def m(self, y): ...
    @staticmethod
    def s(z): ...
@dataclass
class D:
    f: int
    g: str = ""
def fn(a, b=2, *rest): ...
A(1, k=2).m(3)
A.m(A(4), 5)
A.s(6)
D(7, g="8")
fn(9, 10, 11)
`)
	var got []string
	for _, c := range p.oldCalls("a.*") {
		for name, value := range p.oldParameters(c) {
			got = append(got, name+"="+value.Text())
		}
	}
	slices.Sort(got)
	want := []string{"a=9", "b=10", "f=7", `g="8"`, "k=2", "self=A(4)", "x=1", "x=4", "y=3", "y=5", "z=6"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parameters differ (-want +got):\n%s", diff)
	}
}

func TestGlobs(t *testing.T) {
	p := load(t, "-- a.py --\nimport os\ndef f(x):\n    x.add_node(1)\n    os.system('')\n    g(2)\n")
	tests := map[string]int{"os.system": 1, "os.*": 1, "*.system": 1, "*.add_node": 1, "add_node": 0, "*.node": 0, "*.g": 1, "*": 1, "o*s*m": 1}
	for glob, want := range tests {
		if got := len(p.oldCalls(glob)); got != want {
			t.Errorf("%s matches %d calls, want %d", glob, got, want)
		}
	}
}
