package trial

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// BenchmarkAudit measures a whole audit, from opening the repository to the
// sealed record, against its floor in the same run: opening it bare, reading
// the log and every blob, and having the same workers parse the same Python
// files. x_floor is the ratio of the times, x_cpu that of the processor time of
// all processes, which says more on a busy machine; self_MB and workers_MB are the highest resident
// sizes of this process and, together, of its parser workers.
func BenchmarkAudit(b *testing.B) {
	for _, size := range []struct {
		name           string
		files, commits int
	}{{"small", 40, 30}, {"large", 1500, 500}} {
		b.Run(size.name, func(b *testing.B) {
			dir := bulky(b, size.files, size.commits)
			cache := b.TempDir()
			var audit, floor, auditCPU, floorCPU, outsideCPU time.Duration
			var self, workers float64
			warm(b, dir, cache)
			for b.Loop() {
				took, cpu := timed(b, cache, func(ctx context.Context, box *sandbox.Box) { readBare(b, ctx, box, dir) })
				floor, floorCPU = floor+took, floorCPU+cpu
				used := processors(b)
				publicly(b, dir, "")
				outsideCPU += processors(b) - used
				resetPeak(b)
				took, cpu = timed(b, cache, func(ctx context.Context, box *sandbox.Box) {
					hearAll(b, ctx, box, dir)
					self, workers = max(self, peak(b)), max(workers, parsers(b))
				})
				audit, auditCPU = audit+took, auditCPU+cpu
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(audit.Seconds()/floor.Seconds(), "x_floor")
			b.ReportMetric(auditCPU.Seconds()/floorCPU.Seconds(), "x_cpu")
			b.ReportMetric(auditCPU.Seconds()/outsideCPU.Seconds(), "x_outside")
			b.ReportMetric(float64(audit.Milliseconds())/float64(b.N), "audit_ms")
			b.ReportMetric(float64(floor.Milliseconds())/float64(b.N), "floor_ms")
			b.ReportMetric(self, "self_MB")
			b.ReportMetric(workers, "workers_MB")
		})
	}
}

// timed measures work with a sandbox of its own: how long it takes, and the
// processor time of this process and of those it started.
func timed(b testing.TB, cache string, work func(context.Context, *sandbox.Box)) (took, cpu time.Duration) {
	b.Helper()
	runtime.GC() // what is left of the other side is not this one's to sweep
	began, used := time.Now(), processors(b)
	box, err := sandbox.Open(sandbox.Options{CacheDir: cache})
	if err != nil {
		b.Fatal(err)
	}
	work(b.Context(), box)
	if err := box.Close(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began), processors(b) - used
}

// publicly is what the same facts cost by the public commands: a bare clone, the log with its numbers of lines, every
// file, and the text of the document in it that was read.
func publicly(b testing.TB, dir, document string) {
	b.Helper()
	commands := []string{
		`git clone -q --bare "$1" "$2"`,
		`git -C "$2" log --numstat -M`,
		`git -C "$2" ls-tree -r --format='%(objectname)' HEAD | git -C "$2" cat-file --batch`,
	}
	if strings.HasSuffix(document, ".pdf") {
		commands = append(commands, `git -C "$2" show "HEAD:$3" >"$2/document" && pdftotext "$2/document" - || true`)
	}
	bare := filepath.Join(b.TempDir(), "bare")
	for _, command := range commands {
		cmd := exec.Command("sh", "-c", command, "sh", dir, bare, document)
		cmd.Stdout = io.Discard
		if err := cmd.Run(); err != nil {
			b.Fatalf("%s: %v", command, err)
		}
	}
}

// processors is the processor time that this process and its ended children
// have used.
func processors(b testing.TB) (sum time.Duration) {
	b.Helper()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

// warm fills the workers' cache and the system's.
func warm(b testing.TB, dir, cache string) {
	timed(b, cache, func(ctx context.Context, box *sandbox.Box) { hearAll(b, ctx, box, dir) })
}

// BenchmarkRepositories measures the audit of real repositories beside their floors and the public commands, one after the
// other in one run. AUTOMATON_BENCH_REPOS names a file with a folder a line; without it there is nothing to measure. With
// -count 5 there are medians to take.
func BenchmarkRepositories(b *testing.B) {
	list := os.Getenv("AUTOMATON_BENCH_REPOS")
	if list == "" {
		b.Skip("AUTOMATON_BENCH_REPOS names no list of repositories")
	}
	text, err := os.ReadFile(list)
	if err != nil {
		b.Fatal(err)
	}
	cache := b.TempDir()
	for _, dir := range strings.Fields(string(text)) {
		b.Run(filepath.Base(strings.TrimSuffix(dir, "/repo")), func(b *testing.B) {
			var took, audit, floor, outside time.Duration
			var self, workers float64
			_, _ = timed(b, cache, func(ctx context.Context, box *sandbox.Box) { readBare(b, ctx, box, dir) }) // fills the workers' cache
			for b.Loop() {
				resetPeak(b)
				var document string
				clock, cpu := timed(b, cache, func(ctx context.Context, box *sandbox.Box) {
					document = audited(b, ctx, box, dir, "auto").Case.PDFPath
					self, workers = max(self, peak(b)), max(workers, parsers(b))
				})
				took, audit = took+clock, audit+cpu
				_, cpu = timed(b, cache, func(ctx context.Context, box *sandbox.Box) { readBare(b, ctx, box, dir) })
				floor += cpu
				used := processors(b)
				publicly(b, dir, document)
				outside += processors(b) - used
			}
			b.ReportMetric(0, "ns/op")
			for unit, sum := range map[string]time.Duration{"clock_ms": took, "audit_ms": audit, "floor_ms": floor, "outside_ms": outside} {
				b.ReportMetric(float64(sum.Milliseconds())/float64(b.N), unit)
			}
			b.ReportMetric(audit.Seconds()/outside.Seconds(), "x_outside")
			b.ReportMetric(self+workers, "MB")
		})
	}
}

func hearAll(b testing.TB, ctx context.Context, box *sandbox.Box, dir string) {
	b.Helper()
	if rec := audited(b, ctx, box, dir, "none"); rec.Verdict == nil || len(rec.Faults) > 0 {
		b.Fatalf("verdict %v, faults %v", rec.Verdict, rec.Faults)
	}
}

// audited is the record of a repository with the document that is in it, or none.
func audited(b testing.TB, ctx context.Context, box *sandbox.Box, dir, document string) *court.Record {
	b.Helper()
	jobs := runtime.GOMAXPROCS(0)
	o, err := Open(ctx, box, Submission{Target: repo.Target{Local: dir}, Document: Document{From: document}, Jobs: jobs})
	if err != nil || o.Failure != nil {
		b.Fatal(err, o.Failure)
	}
	rec, err := Conduct(ctx, Setup{Opened: o, Rubric: law(b), Probes: Probes(), Tool: "automaton bench", Jobs: jobs, Clock: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	return rec
}

// readBare is the least that an audit has to do.
func readBare(b *testing.B, ctx context.Context, box *sandbox.Box, dir string) {
	b.Helper()
	r, err := repo.Open(ctx, box, repo.Target{Local: dir}, repo.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := r.History(ctx); err != nil {
		b.Fatal(err)
	}
	var paths []string
	for _, e := range r.Tree() {
		paths = append(paths, e.Path)
	}
	blobs, err := r.Blobs(ctx, paths)
	if err != nil || len(blobs) == 0 {
		b.Fatalf("%d of %d blobs: %v", len(blobs), len(paths), err)
	}
	jobs := runtime.GOMAXPROCS(0)
	trees := box.Worker("code", sandbox.WorkerOptions{Processes: jobs})
	next := make(chan string)
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for path := range next {
				text, _ := code.File{Path: path, Bytes: blobs[path]}.Text()
				if filepath.Ext(path) != ".py" {
					_, _ = syntax.Read(ctx, trees, path, text) // what has no tree costs what it costs
					continue
				}
				_, _ = trees.Do(ctx, append([]byte{syntax.ForCode}, text...)) // and so does what does not parse
			}
		})
	}
	for _, path := range paths {
		switch filepath.Ext(path) {
		case ".py", ".go", ".js", ".jsx", ".ts", ".tsx", ".java", ".rs", ".cs":
			next <- path
		}
	}
	close(next)
	group.Wait()
}

// bulky makes a repository: the miniature and more Python files around it, in
// so many commits.
func bulky(b testing.TB, files, commits int) string {
	b.Helper()
	dir, err := os.MkdirTemp("", "automaton-bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			b.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	git(b, dir, nil, "init", "-q", "-b", "main")
	all := map[string]string{}
	for name, text := range miniature(b).Files {
		if name != "history" {
			all[name] = text
		}
	}
	for i := range max(files-len(all), 0) {
		all[fmt.Sprintf("src/part%02d/module%04d.py", i%23, i)] = module(i, 0)
	}
	names := slices.Sorted(maps.Keys(all))
	var stream bytes.Buffer
	for i := range commits {
		when := 1767600000 + 3607*i
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0100\n", when)
		data(&stream, fmt.Sprintf("part %d: what was planned for it", i))
		for k := i * len(names) / commits; k < (i+1)*len(names)/commits; k++ {
			put(&stream, names[k], all[names[k]])
		}
		if i > 0 { // and one older file changes
			k := (7 * i) % (i * len(names) / commits)
			put(&stream, fmt.Sprintf("src/part%02d/module%04d.py", k%23, k), module(k, i))
		}
	}
	git(b, dir, &stream, "fast-import", "--quiet")
	return dir
}

func put(w io.Writer, name, text string) {
	fmt.Fprintf(w, "M 100644 inline %s\n", name)
	data(w, text)
}

func data(w io.Writer, text string) { fmt.Fprintf(w, "data %d\n%s\n", len(text), text) }

// module is a Python file of about a hundred lines.
func module(n, version int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\"\"\"Part %d.\"\"\"\nimport json\nimport logging\nfrom dataclasses import dataclass, field\nfrom pathlib import Path\n\nlog = logging.getLogger(__name__)\nVERSION = %d\n", n, version)
	for i := range 6 {
		fmt.Fprintf(&b, `

@dataclass
class Step%[1]d_%[2]d:
    name: str
    weight: float = %[2]d.5
    items: list = field(default_factory=list)

    def load(self, folder: Path) -> dict:
        found = {}
        for path in sorted(folder.glob("*.json")):
            try:
                found[path.stem] = json.loads(path.read_text())
            except (OSError, ValueError) as err:
                log.warning("skipping %%s: %%s", path, err)
        return found

    def total(self, limit: int = 10) -> float:
        return sum(self.weight * i for i in range(limit) if i %% 2 == 0)
`, n, i)
	}
	return b.String()
}

func git(b testing.TB, dir string, in io.Reader, args ...string) {
	b.Helper()
	c := exec.Command("git", args...)
	c.Dir, c.Stdin = dir, in
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// resetPeak makes the kernel forget the highest resident size so far.
func resetPeak(b *testing.B) {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200); err != nil {
		b.Logf("self_MB counts from the start of the process: %v", err)
	}
}

// peak is the highest resident size of this process, in MB; 0 where the system
// does not tell.
func peak(b testing.TB) float64 {
	raw, err := os.ReadFile(filepath.Join("/proc", "self", "status"))
	if err != nil {
		return 0
	}
	return highest(b, raw)
}

// parsers is the sum of the highest resident sizes of the children that are
// alive, the parser workers, in MB.
func parsers(b testing.TB) (sum float64) {
	files, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			continue // it is gone
		}
		if strings.Contains(string(raw), fmt.Sprintf("\nPPid:\t%d\n", os.Getpid())) {
			sum += highest(b, raw)
		}
	}
	return sum
}

// highest is VmHWM of a status file, in MB; 0 for what has no memory.
func highest(b testing.TB, status []byte) float64 {
	_, rest, ok := strings.Cut(string(status), "VmHWM:")
	if !ok {
		return 0
	}
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb / 1024
}
