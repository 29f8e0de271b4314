package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/store"
)

// stage is a point of a run at which a test ends it.
type stage struct {
	args  []string
	git   string // in git's place; empty: git
	soft  syscall.Signal
	there func(l *lab, t *testing.T, a *attempt) bool
	begun bool // whether the case has a commit then
}

// said waits for an event.
func said(what string) func(*lab, *testing.T, *attempt) bool {
	return func(_ *lab, _ *testing.T, a *attempt) bool { return strings.Contains(a.said(), what) }
}

var stages = map[string]stage{
	// git never comes back from reading the bundle, or the folder
	"fetch": {soft: syscall.SIGINT, args: []string{"work.bundle"}, git: "case \"$*\" in *clone*|*fetch*) exec sleep 1000;; esac\nexec \"$REAL\" \"$@\"\n",
		there: func(l *lab, t *testing.T, _ *attempt) bool { return len(l.processes(t, "1000")) > 0 }},
	"opening": {soft: syscall.SIGHUP, args: []string{"work"}, git: "case \"$*\" in *rev-parse*) exec sleep 1000;; esac\nexec \"$REAL\" \"$@\"\n",
		there: func(l *lab, t *testing.T, _ *attempt) bool { return len(l.processes(t, "1000")) > 0 }},
	"parse": {soft: syscall.SIGTERM, args: []string{"work"}, begun: true, there: func(l *lab, t *testing.T, _ *attempt) bool { return len(l.processes(t, "__worker")) > 0 }},
	"judge": {soft: syscall.SIGINT, args: []string{"work"}, begun: true, there: said(`"kind":"node.start","node":"Prosecutor"`)},
	"write": {soft: syscall.SIGTERM, args: []string{"work"}, begun: true, there: func(l *lab, _ *testing.T, _ *attempt) bool {
		found, _ := filepath.Glob(filepath.Join(l.dir, "out", ".automaton-*.build", "record.json")) // the pattern is sound
		return len(found) > 0
	}},
}

// Whatever signal ends a run, wherever it is: no process and no directory is
// left, an earlier report is as it was, and the same command then gives what an
// undisturbed run gives.
func TestD30Signals(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	t.Parallel()
	l := newLab(t)
	l.bundle(t)
	audit := func(target string, more ...string) []string {
		return append([]string{"audit", target, "--pdf", "none", "--out", "out", "--progress", "json"}, more...)
	}
	want := map[string]string{}
	for _, target := range []string{"work", "work.bundle"} {
		if a := l.run(t, "audit", target, "--pdf", "none", "--out", "whole-"+target, "--progress", "none"); a.code() != 0 {
			t.Fatal(a)
		}
		_, want[target] = l.record(t, "whole-"+target)
	}
	for name, s := range stages {
		for _, sig := range []syscall.Signal{s.soft, syscall.SIGKILL} { // the soft ones are handled alike: each has its stages
			t.Run(name+" "+sig.String(), func(t *testing.T) {
				whole, target := *l.desk, s.args[0]
				defer func() { l.env = whole.env }()
				if s.git != "" {
					l.stubGit(t, s.git)
				}
				a := l.begin(t, audit(target)...)
				await(patience, func() bool { return a.over() || s.there(l, t, a) })
				late := a.over()
				a.signal(sig)
				code := a.code()
				if sig != syscall.SIGKILL {
					a.clean(t)
				} else if !await(patience, func() bool { return len(l.processes(t)) == 0 }) {
					t.Errorf("processes are left: %v", l.processes(t))
				}
				switch {
				case late, code == 0: // it was faster
				case sig == syscall.SIGKILL && code == -1:
				case code == 130 && strings.Contains(a.said(), "stopping; what is known is kept"):
					known := l.known(t, "out", s.begun)
					if known.Status != court.Partway || !known.Intact() {
						t.Errorf("what is known: status %s, intact %t", known.Status, known.Intact())
					}
				default:
					t.Error(a)
				}
				l.whole(t, "out")
				l.env = whole.env
				next := l.run(t, audit(target)...)
				next.clean(t)
				if _, got := l.record(t, "out"); next.code() != 0 || got != want[target] {
					t.Errorf("not the record of an undisturbed run: %s", next)
				}
				l.tidy(t, "out")
				if err := os.RemoveAll(filepath.Join(l.dir, "out")); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// known reads the record of a run that was stopped.
func (l *lab) known(t *testing.T, out string, begun bool) *court.Record {
	t.Helper()
	pattern := "work*-*"
	if !begun {
		pattern = "work*"
	}
	found, err := filepath.Glob(filepath.Join(l.dir, out, pattern, "record.json"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d records, %v", len(found), err)
	}
	rec, _, err := store.ReadBytes(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// A case whose time is over before its repository is open leaves a record that
// says so, beside an earlier report, and exits with 3.
func TestD30OutOfTime(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	if a := l.run(t, "audit", "work", "--pdf", "none", "--out", "out", "--progress", "none"); a.code() != 0 {
		t.Fatal(a)
	}
	before := tree(t, filepath.Join(l.dir, "out"))
	latest, _ := os.ReadFile(filepath.Join(l.dir, "out", "latest")) // compared below
	l.stubGit(t, "exec sleep 1000\n")
	a := l.run(t, "audit", "work", "--pdf", "none", "--out", "out", "--timeout", "2s", "-o", "more.json", "--progress", "none")
	a.clean(t)
	if said := a.said(); a.code() != 3 || strings.Count(said, "automaton: ") != 1 || !strings.Contains(said, "the time limit of this audit is reached") || !strings.Contains(said, "hint: --timeout TIME allows more time") {
		t.Error(a)
	}
	rec, _, err := store.ReadBytes(filepath.Join(l.dir, "more.json"))
	if err != nil || rec.Status != court.Partway || rec.Verdict != nil || !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool {
		return f.Blocks && strings.Contains(f.Reason, "the time limit of this audit is reached")
	}) {
		t.Errorf("%v, %+v", err, rec)
	}
	if l.whole(t, "out") != 2 {
		t.Error("no record in the folder")
	}
	l.tidy(t, "out")
	now, _ := os.ReadFile(filepath.Join(l.dir, "out", "latest")) // missing is not equal
	if tree(t, filepath.Join(l.dir, "out")) != before || string(now) != string(latest) {
		t.Error("the earlier report is not as it was")
	}
}

// What a run left that died before the repository was open goes with the next
// one that opens it, whatever the case is called then.
func TestD30DiedWhileOpening(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	l.bundle(t)
	for _, target := range []string{"work", "work.bundle"} {
		build := filepath.Join(l.dir, "out", ".automaton-"+target+".build")
		if err := os.MkdirAll(build, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{store.JournalName, store.EventsName} {
			if err := os.WriteFile(filepath.Join(build, name), []byte("automaton-journal 1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if a := l.run(t, "audit", target, "--pdf", "none", "--out", "out", "--progress", "none"); a.code() != 0 {
			t.Error(a)
		}
		l.tidy(t, "out")
	}
}

// Whatever lies where the journal of an interrupted run should be: the run says
// so, and ends as an undisturbed one.
func TestD30Journals(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	audit := []string{"audit", "work", "--pdf", "none", "--out", "out", "--progress", "none"}
	if a := l.run(t, audit...); a.code() != 0 {
		t.Fatal(a)
	}
	_, want := l.record(t, "out")
	id := filepath.Base(l.glob(t, "out/work-*"))
	outside := filepath.Join(l.dir, "precious")
	head := "automaton-journal 1\n"
	for name, put := range map[string]func(path string) error{
		"junk": func(p string) error { return os.WriteFile(p, []byte(strings.Repeat("\x00\xff\x1b[31m", 999)), 0o600) },
		"no record": func(p string) error {
			body := `{"nonsense":1}`
			sum := crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli))
			return os.WriteFile(p, fmt.Appendf(nil, "%s%d %08x %s\n", head, len(body), sum, body), 0o600)
		},
		"torn":   func(p string) error { return os.WriteFile(p, []byte(head+"99 00000000 {\"head\":"), 0o600) },
		"1 GiB":  func(p string) error { return sparse(p, 1<<30+1) },
		"a pipe": func(p string) error { return syscall.Mkfifo(p, 0o600) },
		"a link": func(p string) error { return os.Symlink(outside, p) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(outside, []byte("precious"), 0o600); err != nil {
				t.Fatal(err)
			}
			build := filepath.Join(l.dir, "out", ".automaton-"+id+".build")
			if err := os.MkdirAll(build, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := put(filepath.Join(build, store.JournalName)); err != nil {
				t.Fatal(err)
			}
			a := l.run(t, audit...)
			a.clean(t)
			if _, got := l.record(t, "out"); a.code() != 0 || got != want {
				t.Errorf("%s; the same record: %t", a, got == want)
			}
			if told := strings.Contains(a.said(), "so the audit starts again"); told != slices.Contains([]string{"junk", "no record", "1 GiB"}, name) {
				t.Errorf("said %q", a.said())
			}
			l.tidy(t, "out")
			if raw, err := os.ReadFile(outside); err != nil || string(raw) != "precious" {
				t.Errorf("through the link: %q, %v", raw, err)
			}
		})
	}
}

func sparse(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Close()
}

func (l *lab) glob(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(l.dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v", pattern, found, err)
	}
	return found[0]
}

// Whatever a record was made into, the commands that read one end at once, with
// one line, and an audit leaves it alone.
func TestD30Records(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	audit := []string{"audit", "work", "--pdf", "none", "--out", "out", "--progress", "none"}
	if a := l.run(t, audit...); a.code() != 0 {
		t.Fatal(a)
	}
	folder := l.glob(t, "out/work-*")
	path := filepath.Join(folder, "record.json")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(raw []byte) func() error { return func() error { return os.WriteFile(path, raw, 0o600) } }
	flipped := slices.Clone(good)
	flipped[len(flipped)/3] ^= 0x20
	for name, put := range map[string]func() error{
		"cut": write(good[:len(good)/2]), "empty": write(nil), "junk": write([]byte("\x00\x1b[2J\xff")), "deep": write([]byte(strings.Repeat("[", 1<<20))),
		"twice": write(append(slices.Clone(good), good...)), "flipped": write(flipped), "another schema": write([]byte(`{"schema": "automaton/record/9"}`)),
		"1 GiB": func() error { return sparse(path, 1<<30) }, "a pipe": func() error { return syscall.Mkfifo(path, 0o600) },
		"a folder": func() error { return os.Mkdir(path, 0o700) }, "a link": func() error { return os.Symlink("/etc/passwd", path) },
		"missing": func() error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if err := put(); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"report", "explain", "verify", "replay"} {
				for _, what := range []string{folder, path} {
					if name == "a link" && what == path || name == "flipped" && command != "verify" {
						continue // what was named is read; what can be read is shown
					}
					a := l.run(t, command, what)
					a.clean(t)
					if bad := name == "flipped"; bad && a.code() != 1 && a.code() != 2 || !bad && (a.code() != 2 || strings.Count(a.said(), "\nautomaton: ") > 0 || a.stdout.Len() > 0) {
						t.Errorf("%s printed %.80q", a, a.stdout.String())
					}
				}
			}
			if !slices.Contains([]string{"cut", "a pipe", "missing"}, name) { // an audit takes its time
				return
			}
			a := l.run(t, audit...)
			a.clean(t)
			second := filepath.Join(l.dir, "out", filepath.Base(folder)+".2")
			if name == "missing" { // the folder is free
				second = folder
			}
			if raw, err := os.ReadFile(filepath.Join(second, "record.json")); a.code() != 0 || err != nil || withoutRun(string(raw)) != withoutRun(string(good)) {
				t.Errorf("%s, %v", a, err)
			}
			if second != folder {
				if err := os.RemoveAll(second); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
