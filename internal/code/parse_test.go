package code

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHandleRefuses(t *testing.T) {
	tests := map[string]struct {
		source string
		want   string
	}{
		"large": {strings.Repeat("#", maxSource+1), "parsing source: larger than 1048576 bytes"},
		"deep":  {strings.Repeat("(", 600) + "1" + strings.Repeat(")", 600), "parsing source: nested deeper than 500 levels"},
		// Broken and deep: the search for what was lost must not look up all the way from each node.
		"attributes": {"x = 1" + strings.Repeat(".a", 60_000) + "\n", "parsing source: nested deeper than 500 levels"},
		"many":       {strings.Repeat("a+b\n", 60_000), "parsing source: more than 200000 nodes"},
		// Broken all over: each of its statements is parsed once more, alone.
		"broken": {strings.Repeat("x=)\n", 40_000), "parsing source: not parsed within 10000000 steps"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(tt.source)}, {Path: "b.py", Bytes: []byte("x = 1\n")}})
			if diff := cmp.Diff([]Fault{{Path: "a.py", Reason: tt.want}}, p.Faults); diff != "" {
				t.Errorf("faults differ (-want +got):\n%s", diff)
			}
			if m := p.Module("a.py"); m.Parsed || m.Root().Valid() || m.Examined() != m.Bytes/2 || len(m.Calls()) != 0 {
				t.Error("the refused file has a tree")
			}
			if !p.Module("b.py").Parsed {
				t.Error("its neighbour has none")
			}
		})
	}
}

// TestHostileSources are texts on which walking a tree is quadratic or recursive.
func TestHostileSources(t *testing.T) {
	for name, source := range map[string]string{
		"openers":  strings.Repeat("def class if ( [ { : ", 2000),
		"brackets": strings.Repeat("(", 100_000),
		"chain":    "x" + strings.Repeat(".a()", 5_000),
		"nul":      "\x00\x00\x00 = 1\nimport os\n",
		"strings":  strings.Repeat(`"""`, 1001),
		"indents":  strings.Repeat(" ", 5000) + "x = 1\n",
		"elifs":    "if a:\n  pass\n" + strings.Repeat("elif b:\n  pass\n", 3000),
	} {
		t.Run(name, func(t *testing.T) {
			p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(source)}})
			exercise(p)
		})
	}
}

// The steps of a text are the same whatever else the machine does.
func TestWorkIsTheSame(t *testing.T) {
	text := []byte(strings.Repeat("def f(a):\n    return [a, (b, c.d())]\nx=)\n", 300))
	g := newGrammar()
	spent := func() int {
		work := &Work{}
		if err := g.parse(work, text, newTreeWriter(g.language)); err != nil {
			t.Fatal(err)
		}
		return work.done
	}
	alone := spent()
	var done atomic.Bool
	var busy sync.WaitGroup
	for range 8 {
		busy.Go(func() {
			for !done.Load() {
			}
		})
	}
	defer busy.Wait()
	defer done.Store(true)
	if among := spent(); among != alone || alone < len(text)/2 {
		t.Errorf("%d steps alone, %d beside busy goroutines", alone, among)
	}
}

// failing is a worker that dies on some files.
type failing struct{}

func (failing) Do(ctx context.Context, request []byte) ([]byte, error) {
	if strings.Contains(string(request), "kill") {
		return nil, errors.New("parser crashed (stack overflow)")
	}
	if strings.Contains(string(request), "lie") {
		return []byte{treeFormat, 0, 0, 200, 1, 1, 1, 1, 1, 1}, nil
	}
	return inline{}.Do(ctx, request)
}

func TestLoadFaults(t *testing.T) {
	p, err := Load(t.Context(), failing{}, []File{
		{Path: "c.py", Bytes: []byte("kill = 1")}, {Path: "b.py", Bytes: []byte("lie = 1")}, {Path: "a.py", Bytes: []byte("x = 1")},
		{Path: "vendor/v.py", Bytes: []byte("x")}, {Path: "unread.py"}, {Path: "x.md", Bytes: []byte("x")},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Fault{{"b.py", "reading tree: malformed tree"}, {"c.py", "parser crashed (stack overflow)"}}
	if diff := cmp.Diff(want, p.Faults); diff != "" {
		t.Errorf("faults differ (-want +got):\n%s", diff)
	}
	var paths []string
	for _, m := range p.Modules {
		paths = append(paths, fmt.Sprint(m.Path, " ", m.Parsed))
	}
	if diff := cmp.Diff([]string{"a.py true", "b.py false", "c.py false"}, paths); diff != "" {
		t.Errorf("modules differ (-want +got):\n%s", diff)
	}
}

func TestLoadStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Load(ctx, inline{}, []File{{Path: "a.py", Bytes: []byte("x = 1")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want the context's", err)
	}
}

func TestReadTreeRefuses(t *testing.T) {
	good, err := newGrammar().handle([]byte("f(1)\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readTree(good, 5); err != nil {
		t.Fatalf("a good tree is refused: %v", err)
	}
	for name, answer := range map[string][]byte{
		"empty": nil, "other format": {9, 0, 0}, "cut": good[:len(good)-1], "no kinds": {treeFormat, 0, 0, 1, 0, 0, 1, 0, 0, 5}, "more": append(append([]byte(nil), good...), 0),
	} {
		if _, err := readTree(answer, 5); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := readTree(good, 3); err == nil {
		t.Error("nodes outside the text are accepted")
	}
}

// exercise asks a program every kind of question.
func exercise(p *Program) {
	for _, m := range p.Modules {
		m.Tokens()
		m.Imports()
		m.Bare(1, m.Lines)
		for _, d := range m.Definitions() {
			d.Docstring()
		}
		for _, c := range m.Calls() {
			p.Guards(c)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"import os\nos.system(f'x{1}')\n", "class A(B):\n    x: 'int' = 1\n    def m(self): return self.x\n",
		"for i, (a, *b) in enumerate(x):\n    y = [z for z in a if z]\n", "def f(\n  x: int=1, *, y): return f(x)(y)\n",
		"x = {**a, 'b': [1, 2][0]}\nx.update(c)\n", "if False:\n\tdef\n@@\n\x00", "match x:\n  case {'k': v} | [1, *_]: pass\n",
		"from . import (a as b)\nfrom .. import *\nimport a.b.c as d\n", "a = b = lambda *x, **y: (yield)\nasync def g(): await a\n",
		"try:\n  pass\nexcept* E as e:\n  raise\n", "'%s %(k)d' % {'k': 1}\n'{}{0}{k}'.format(1, k=2)\n", "\xff\xfea\x00", ":B\"00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 4096 {
			return
		}
		p := loadFiles(t, []File{{Path: "src/a.py", Bytes: source}, {Path: "src/__init__.py", Bytes: []byte("from .a import *\n")}})
		exercise(p)
		for _, m := range p.Modules {
			if m.Parsed && (m.Examined() < 0 || m.Examined() > m.Bytes) {
				t.Errorf("examined %d of %d bytes", m.Examined(), m.Bytes)
			}
		}
	})
}
