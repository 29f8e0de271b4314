package trial

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/court"
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

// What is too long to be followed hides nothing: nobody says that there is no process, no dynamic code and no
// model behind the chief justice.
func TestLongFunctionsHideNothing(t *testing.T) {
	f := miniature(t)
	var b strings.Builder
	b.WriteString("import os\n\n\ndef much(v):\n")
	for i := range 1100 {
		fmt.Fprintf(&b, "    if v.a%d:\n        v.b = %d\n", i, i)
	}
	b.WriteString("    os.system(\"ls \" + v.x)\n    return eval(v.y)\n")
	f.Files["src/much.py"] = b.String()
	for name, text := range f.Files {
		if i := strings.Index(text, "def chief_justice"); i >= 0 {
			j := i + strings.Index(text[i:], "\n") + 1
			f.Files[name] = text[:j] + strings.Repeat("    if state:\n        pass\n", 1100) + text[j:]
		}
	}
	rec, err := Conduct(t.Context(), hearing(t, f.Scene(t)))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, all := range rec.Evidences {
		for _, e := range all {
			if e.Ask == "proc.shell" || e.Ask == "code.danger" || e.Ask == "cj.llm_free" {
				asked++
				if e.Outcome != court.Unknown {
					t.Errorf("%s is %s: %s", e.Ask, e.Outcome, e.Rationale)
				}
			}
		}
	}
	if asked < 3 {
		t.Errorf("%d of three are asked", asked)
	}
}
