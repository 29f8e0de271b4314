package trial

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// counting is a parser that notes what it was asked.
type counting struct {
	mu    sync.Mutex
	asked map[string]int
}

func (c *counting) Do(ctx context.Context, request []byte) ([]byte, error) {
	c.mu.Lock()
	c.asked[string(request)]++
	c.mu.Unlock()
	return codetest.Inline{Service: code.Service()}.Do(ctx, request)
}

// All probes work on one parse of each text, those that read its history, too,
// in which it stands as it is; two files of the same text share it.
func TestEachFileIsParsedOnce(t *testing.T) {
	f := miniature(t)
	parser := &counting{asked: map[string]int{}}
	s := f.Scene(t, func(o *probe.Options) { o.Parser = parser })
	try(t, hearing(t, s))
	program, err := s.Python(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(program.Modules) < 5 {
		t.Fatalf("only %d files are parsed", len(program.Modules))
	}
	for _, m := range program.Modules {
		if parser.asked[m.Text()] == 0 {
			t.Errorf("never parsed: %s", m.Path)
		}
	}
	for text, times := range parser.asked {
		if times > 1 {
			t.Errorf("parsed %d times: %.60q", times, text)
		}
	}
}

// grown hears the miniature with so many files around it.
func grown(t testing.TB, files int) {
	t.Helper()
	f := miniature(t)
	for i := range files {
		f.Files[fmt.Sprintf("src/part%02d/module%04d.py", i%23, i)] = module(i, 0)
	}
	if _, err := Conduct(t.Context(), hearing(t, f.Scene(t))); err != nil {
		t.Fatal(err)
	}
}

// mallocs counts the allocations of some work. It depends neither on the
// machine nor on what else runs there.
func mallocs(work func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs)
}

// A file more costs the same whether there are few files or many.
func TestWorkGrowsWithFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	grown(t, 0) // what is made once per process
	none := mallocs(func() { grown(t, 0) })
	few := (mallocs(func() { grown(t, 10) }) - none) / 10
	many := (mallocs(func() { grown(t, 100) }) - none) / 100
	if many > 1.5*few {
		t.Errorf("%.0f allocations per file with 100 files, %.0f with 10", many, few)
	}
}

// grownBy hears the miniature after a change to it.
func grownBy(t testing.TB, change func(f *probetest.Fixture)) {
	t.Helper()
	f := miniature(t)
	change(f)
	if _, err := Conduct(t.Context(), hearing(t, f.Scene(t))); err != nil {
		t.Fatal(err)
	}
}

// pages gives the miniature a document of so many pages, each of which says something of
// the code.
func pages(f *probetest.Fixture, n int) {
	text := "Report\n"
	for i := range n {
		text += fmt.Sprintf("Part %d of the work\nThe function part%d in src/nodes.py joins what the %d detectives bring, and the judges of src/graph.py run in parallel.\n---\n", i, i, i)
	}
	f.Files["report.txt"], f.Settings["pdf"] = text, "report.txt"
}

// commits gives the miniature so many commits more, each of a change to one file in ten.
func commits(f *probetest.Fixture, n int) {
	for i := range n {
		f.Files["history"] += fmt.Sprintf("commit 2026-02-%02dT%02d:%02d:00+02:00 ada: notes: part %d, as it is now\nM notes%d.py +%d -1\n", 1+i/1440, i/60%24, i%60, i, i%10, 2+i%7)
	}
	for i := range 10 {
		f.Files[fmt.Sprintf("notes%d.py", i)] = fmt.Sprintf("def note%d():\n    return %d\n", i, i)
	}
}

// ring gives the miniature so many modules that import each other in a circle.
func ring(f *probetest.Fixture, n int) {
	for i := range n {
		f.Files[fmt.Sprintf("src/ring%04d.py", i)] = fmt.Sprintf("from src import ring%04[1]d\n\n\ndef turn(x):\n    return ring%04[1]d.turn(x) + %[2]d\n", (i+1)%n, i)
	}
}

// A page, a commit and a module of a ring more cost the same whether there are few or
// many.
func TestWorkGrowsWithTheRest(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	for name, more := range map[string]func(*probetest.Fixture, int){"page": pages, "commit": commits, "module of a ring": ring} {
		cost := func(n int) float64 {
			return mallocs(func() { grownBy(t, func(f *probetest.Fixture) { more(f, n) }) })
		}
		cost(100) // what is made once per process
		least, few, many := cost(10), cost(20), cost(110)
		few, many = (few-least)/10, (many-least)/100
		t.Logf("%s: %.0f and %.0f allocations", name, few, many)
		if many > 1.5*few {
			t.Errorf("%.0f allocations per %s with 110, %.0f with 20", many, name, few)
		}
	}
}

// A case starts few processes, and as many for a hundred files as for forty: each costs as much as reading ten files.
func TestFewProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("hears cases in processes")
	}
	const programs, kinds = 11, 2
	for _, files := range []int{40, 100} {
		dir, cache := bulky(t, files, 30), t.TempDir()
		timed(t, cache, func(ctx context.Context, box *sandbox.Box) {
			hearAll(t, ctx, box, dir)
			if r := box.Report(); r.Programs > programs || r.Workers > kinds*runtime.GOMAXPROCS(0) {
				t.Errorf("%d files: %d programs and %d workers are started, at most %d and %d of each kind expected", files, r.Programs, r.Workers, programs, kinds)
			}
		})
	}
}

// BenchmarkGrowth compares an audit with one of ten times the files, in the
// same run: x_per_file is the cost of a file in the larger over that in the
// smaller, 1 when the cost grows with the size and 10 when with its square.
func BenchmarkGrowth(b *testing.B) {
	const n = 150
	grown(b, n)
	var small, large time.Duration
	for b.Loop() {
		runtime.GC()
		began := time.Now()
		grown(b, n)
		small += time.Since(began)
		runtime.GC()
		began = time.Now()
		grown(b, 10*n)
		large += time.Since(began)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(large.Seconds()/small.Seconds()/10, "x_per_file")
}

// rows writes a line for each number below n.
func rows(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
	}
	return b.String()
}

// shapes are files that punish work that grows with the square of a file, or
// faster.
var shapes = map[string]string{
	"many functions": rows(4000, func(i int) string { return fmt.Sprintf("def f%d(x):\n    return x\n\n", i) }),
	"many call sites": "def one(x, y=2):\n    return x\n\n" +
		rows(2000, func(i int) string { return fmt.Sprintf("r%d = one(r%d, y=r%d)\n", i, max(i-1, 0), max(i-2, 0)) }),
	"a chain of calls": "def f0(x):\n    return x\n" +
		rows(2000, func(i int) string { return fmt.Sprintf("def f%d(x):\n    return f%d(f%d(x))\n", i+1, i, i) }),
	"mutual recursion": rows(1500, func(i int) string {
		return fmt.Sprintf("def f%d(x):\n    return f%d(x) or f%d(f%d)\n", i, (7*i+1)%1500, (13*i+5)%1500, (3*i+1)%1500)
	}),
	"a deep hierarchy": "class C0:\n    def run(self):\n        return 1\n" +
		rows(700, func(i int) string {
			return fmt.Sprintf("class C%d(C%d):\n    def run(self):\n        return super().run()\n", i+1, i)
		}) + "x = C700()\nx.run()\nx.nothing()\n",
	"a wide hierarchy": "class C:\n    def run(self):\n        return self.run()\n" +
		rows(1500, func(i int) string {
			return fmt.Sprintf("class C%d(C):\n    def run(self):\n        return self.other()\n", i)
		}) + "def go(c: C):\n" + strings.Repeat("    c.run()\n", 1500),
	"crossed bases": "class C0: pass\nclass D0: pass\n" + rows(500, func(i int) string {
		return fmt.Sprintf("class C%[1]d(C%[2]d, D%[2]d): pass\nclass D%[1]d(D%[2]d, C%[2]d): pass\n", i+1, i)
	}) + "C500().x()\n",
	"one name bound often": "x = 0\n" + rows(1500, func(i int) string { return fmt.Sprintf("if c%d:\n    x = x + f(x)\n", i) }) +
		strings.Repeat("print(x)\n", 1000),
	"one attribute bound often": "class A:\n    def __init__(self):\n" +
		rows(300, func(i int) string {
			return fmt.Sprintf("        self.x = self.y%[1]d\n        self.y%[1]d = self.x\n", i)
		}) +
		"a = A()\n" + strings.Repeat("a.x.z()\n", 300),
	"many graphs": "from langgraph.graph import StateGraph, START\n" + rows(500, func(i int) string {
		return fmt.Sprintf("def n%[1]d(s):\n    return {}\ng%[1]d = StateGraph(dict)\ng%[1]d.add_node(\"a\", n%[1]d)\ng%[1]d.add_edge(START, \"a\")\nc%[1]d = g%[1]d.compile()\n", i)
	}),
	"many edges": "from langgraph.graph import StateGraph, START\ng = StateGraph(dict)\n" +
		rows(150, func(i int) string { return fmt.Sprintf("g.add_node(\"n%d\", lambda s: {})\n", i) }) +
		rows(3000, func(i int) string { return fmt.Sprintf("g.add_edge(\"n%d\", \"n%d\")\n", i/20, (i/20+1+i%20)%150) }) +
		"g.add_edge(START, \"n0\")\ngraph = g.compile()\n",
	"one list changed often": "xs = []\n" + strings.Repeat("xs.append(f(xs))\n", 3000) + "print(xs)\n",
	"deep nesting":           "x = " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "\n",
	"a long sum":             "y = " + strings.Repeat("1+", 20000) + "1\n",
	"more than is read":      strings.Repeat("x = 1  # some words\n", 2<<20/20),
}

// A submission made to keep us busy is heard like any other.
func TestHostileShapes(t *testing.T) {
	if raced {
		t.Skip("takes too long under the race detector")
	}
	if os.Getenv("AUTOMATON_LAWS") == "" {
		t.Skip("takes a minute: make laws")
	}
	for name, text := range shapes {
		t.Run(name, func(t *testing.T) {
			f := miniature(t)
			f.Files["src/shape.py"] = text
			rec, err := Conduct(t.Context(), hearing(t, f.Scene(t)))
			if err != nil || rec.Verdict == nil {
				t.Errorf("verdict %v, error %v", rec.Verdict, err)
			}
		})
	}
}
