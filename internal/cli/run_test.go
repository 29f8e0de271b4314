package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// world is an environment in memory, with a working directory on disk.
type world struct {
	Env
	out, err strings.Builder
	vars     map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{vars: map[string]string{}}
	w.Env = Env{Stdin: strings.NewReader(""), Stdout: &w.out, Stderr: &w.err, Getenv: func(k string) string { return w.vars[k] },
		Now: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }, Dir: t.TempDir(), Version: "0.0.0"}
	return w
}

// file writes a file below the working directory.
func (w *world) file(t *testing.T, name, text string) {
	t.Helper()
	p := filepath.Join(w.Dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// refuses runs commands that are used wrongly: each ends with exit code 2, prints nothing, and says what is wrong.
func (w *world) refuses(t *testing.T, said map[string]string) {
	t.Helper()
	for args, want := range said {
		if code := w.run(strings.Fields(args)...); code != 2 || w.out.Len() > 0 || !strings.Contains(w.err.String(), want) {
			t.Errorf("%s: exit %d, %s", args, code, w.err.String())
		}
	}
}

// runCase runs one command; what it printed is in out and err.
func (w *world) run(args ...string) int {
	w.out.Reset()
	w.err.Reset()
	w.Args = args
	return Run(context.Background(), w.Env)
}

func (w *world) app() *app { return newApp(w.Env) }

// Mistakes on the command line: exit 2, one line that says what, a hint that
// says what else, and nothing on standard output.
func TestWrongUse(t *testing.T) {
	tests := map[string]struct{ args, want string }{
		"no such command":       {"auditt .", "unknown command \"auditt\"\nhint: did you mean audit\n"},
		"a URL alone":           {"https://github.com/a/b", "unknown command \"https://github.com/a/b\"\nhint: automaton audit https://github.com/a/b\n"},
		"nothing to audit":      {"audit", "reading arguments: REPO is missing\nhint: automaton audit --help shows how\n"},
		"one too many":          {"audit a b", "reading arguments: \"b\" is one argument too many\n"},
		"unknown flag":          {"audit . --fail-undr 3", "hint: did you mean --fail-under\n"},
		"unknown format":        {"audit . -f htm", "reading flags: unknown format \"htm\" for -f (have badge, csv, github, github-comment, github-summary, gitlab, html, json, junit, md, sarif, short.html, text)\nhint: did you mean html\n"},
		"of version":            {"version -f bogus", "unknown format \"bogus\" for -f (have json, text)"},
		"of probe list":         {"probe list -f bogus", "unknown format \"bogus\""},
		"of probe run":          {"probe run proc.shell . -f bogus", "unknown format \"bogus\""},
		"of rubric show":        {"rubric show -f bogus", "unknown format \"bogus\""},
		"of rubric lint":        {"rubric lint x -f bogus", "unknown format \"bogus\""},
		"of verify":             {"verify -f bogus", "unknown format \"bogus\""},
		"of replay":             {"replay -f bogus", "unknown format \"bogus\""},
		"of doctor":             {"doctor -f bogus", "unknown format \"bogus\""},
		"of facts":              {"facts . -f html", "unknown format \"html\" for -f (have json, md)"},
		"of graph":              {"graph -f png", "unknown format \"png\" for -f (have dot, json, mermaid)"},
		"unknown artifact":      {"probe list --target nonsense", "unknown artifact \"nonsense\" for --target (have "},
		"unknown colour":        {"version --color pink", "unknown value \"pink\" for --color (have always, auto, never)"},
		"given twice":           {"audit . --timeout 1m --timeout 2m", "reading flags: --timeout is given twice\n"},
		"a switch twice":        {"version -q -q", "--quiet is given twice"},
		"a short one twice":     {"version -f json -f text", "--format is given twice"},
		"only twice":            {"audit . --only a --only b", "--only is given twice"},
		"two formats":           {"version --json -f text", "--json and -f text contradict each other"},
		"no JSON there":         {"rubric convert x --json", "automaton rubric convert does not print JSON"},
		"two questions":         {"explain -c a --run", "[criterion evidence run]"},
		"a bar too high":        {"audit . --fail-under 9", "reading gate: \"9\" is not a score: scores go from 1 to 5, with at most two decimals"},
		"a bar too fine":        {"audit . --fail-under 3.505", "is not a score"},
		"a bar of nothing":      {"audit . --fail-under nothing=3", "reading gate: \"nothing\" is not a criterion of this rubric"},
		"two bars":              {"audit . --fail-under 3 --fail-under 4", "has two limits"},
		"unknown condition":     {"audit . --fail-on contest", "unknown value \"contest\" (have security_override, contested, insufficient, substituted, regression, none)"},
		"time without a unit":   {"audit . --timeout 5", "\"5\" is not a valid duration, for example 10m"},
		"no such document":      {"audit . --pdf none.pdf", "reading document \"none.pdf\": no such file"},
		"offline and far away":  {"audit https://github.com/a/b --offline", "\"https://github.com/a/b\" is not on this machine, and --offline uses no network"},
		"no such rubric":        {"audit https://github.com/a/b -r courtroom2", "loading rubric: no built-in rubric \"courtroom2\" (have courtroom, software, report), and no such file\nhint: did you mean courtroom\n"},
		"the ending tells none": {"audit . -o report.xyz", "neither FORMAT= nor the ending tells its format (have text, md, json, html, short.html, sarif, junit, csv, github, github-summary, github-comment, gitlab, badge)"},
		"unknown probe":         {"probe explain proc.shel", "unknown probe \"proc.shel\"\nhint: did you mean proc.shell"},
		"two revisions":         {"audit https://github.com/a/b@x --commit y", "asks for revisions"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if code := w.run(strings.Fields(tc.args)...); code != exitUsage {
				t.Errorf("exit %d", code)
			}
			if !strings.HasPrefix(w.err.String(), "automaton: ") || !strings.Contains(w.err.String(), tc.want) {
				t.Errorf("said %q, want %q", w.err.String(), tc.want)
			}
			if w.out.Len() > 0 {
				t.Errorf("printed %q", w.out.String())
			}
		})
	}
}

// A question for people is refused before anything is fetched, not answered
// for them.
func TestOnlyPeopleAnswer(t *testing.T) {
	for _, args := range []string{"-r people.json --only by_hand", "-r all.json"} {
		w := newWorld(t)
		w.file(t, "all.json", `{"dimensions": [{"id": "by_hand", "target_artifact": "manual", "forensic_instruction": "x"}]}`)
		w.file(t, "people.json", `{"dimensions": [{"id": "by_hand", "target_artifact": "manual", "forensic_instruction": "x"}, {"id": "graph_orchestration", "forensic_instruction": "x"}]}`)
		code := w.run(append([]string{"audit", "https://github.com/a/b"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(w.err.String(), "only people answer the criteria that were asked for") {
			t.Errorf("%s: exit %d, said %q", args, code, w.err.String())
		}
	}
}

// Every command that answers prints one JSON value for --json and for -f json.
func TestJSONOfEachCommand(t *testing.T) {
	for _, args := range []string{"version", "probe list", "probe explain proc.shell", "rubric show", "rubric show courtroom", "rubric lint own.json", "graph"} {
		t.Run(args, func(t *testing.T) {
			w := newWorld(t)
			w.file(t, "own.json", `{"dimensions": [{"id": "a", "forensic_instruction": "x"}]}`)
			if code := w.run(append(strings.Fields(args), "--json")...); code != exitDone {
				t.Fatalf("exit %d, said %q", code, w.err.String())
			}
			first := w.out.String()
			var v any
			if err := json.Unmarshal([]byte(first), &v); err != nil {
				t.Fatalf("%v in %q", err, first)
			}
			if code := w.run(append(strings.Fields(args), "-f", "json")...); code != exitDone || w.out.String() != first {
				t.Errorf("-f json gives exit %d and %q", code, w.out.String())
			}
		})
	}
}

func TestVersionFlagAnywhere(t *testing.T) {
	for _, args := range []string{"--version", "audit --version", "audit a b c --version", "probe list --version"} {
		w := newWorld(t)
		if code := w.run(strings.Fields(args)...); code != exitDone || !strings.HasPrefix(w.out.String(), "automaton 0.0.0 (") {
			t.Errorf("%s: exit %d, %q, %q", args, code, w.out.String(), w.err.String())
		}
	}
}

func TestHelpIsGrouped(t *testing.T) {
	w := newWorld(t)
	if code := w.run(); code != exitDone {
		t.Fatalf("exit %d", code)
	}
	last := -1
	for _, part := range []string{"Usage:", "Examples:", "Examine a repository:", "Read a record:", "Rubrics and checks:", "This program:", "Global flags:", "Exit codes:\n    0  done"} {
		i := strings.Index(w.out.String(), part)
		if i <= last {
			t.Errorf("%q stands at %d, behind %d is wanted", part, i, last)
		}
		last = i
	}
	for _, name := range commandNames() {
		if !strings.Contains(w.out.String(), "\n  "+name+" ") {
			t.Errorf("%s is not in the help", name)
		}
	}
}

// With --progress json every line of standard error is JSON.
func TestErrorsAsJSON(t *testing.T) {
	w := newWorld(t)
	if code := w.run("--progress", "json", "audit", "nowhere"); code != exitUsage {
		t.Fatalf("exit %d", code)
	}
	var m message
	if err := json.Unmarshal([]byte(w.err.String()), &m); err != nil {
		t.Fatalf("%v in %q", err, w.err.String())
	}
	if m.Kind != "error" || !strings.Contains(m.Text, "reading target") || len(m.Hints) != 1 {
		t.Errorf("%+v", m)
	}
	w.file(t, "bad.json", `{"dimensions": []}`)
	w.run("--progress", "json", "audit", ".", "-r", "bad.json")
	for line := range strings.Lines(w.err.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("%q is no JSON", line)
		}
	}
}

// The clock is looked at before anything is fetched.
func TestFrozenClockIsCheckedFirst(t *testing.T) {
	for _, v := range []string{"soon", "-1", "99999999999999", "1.5"} {
		w := newWorld(t)
		w.vars["SOURCE_DATE_EPOCH"] = v
		if code := w.run("audit", "https://github.com/a/b"); code != exitUsage || !strings.Contains(w.err.String(), "SOURCE_DATE_EPOCH: ") {
			t.Errorf("%s: exit %d, %q", v, code, w.err.String())
		}
		if _, err := os.Stat(filepath.Join(w.Dir, "automaton-out")); err == nil {
			t.Errorf("%s: an output folder was made", v)
		}
	}
}

// closed is a pipe whose reader went away.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// full is a device without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestReaderGone(t *testing.T) {
	for code, out := range map[int]io.Writer{exitDone: closed{}, exitUnexamined: full{}} {
		w := newWorld(t)
		w.Stdout = out
		if got := w.run("version"); got != code {
			t.Errorf("%T: exit %d, want %d", out, got, code)
		}
	}
}

// A bug ends with exit 4 and a file that nobody could have put a link in the
// place of.
func TestCrashFile(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	w := newWorld(t)
	victim := filepath.Join(w.Dir, "victim")
	if err := os.Symlink(victim, filepath.Join(tmp, "automaton-crash-20260101T000000Z.txt")); err != nil {
		t.Fatal(err)
	}
	w.Getenv = func(string) string { panic("nothing works") }
	if code := w.run("doctor", "--config", "secret-argument"); code != exitBug || w.out.Len() > 0 {
		t.Errorf("exit %d, printed %q", code, w.out.String())
	}
	if _, err := os.Stat(victim); err == nil {
		t.Error("a link was followed")
	}
	files, err := filepath.Glob(filepath.Join(tmp, "automaton-crash-20260101T000000Z-*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v; said %q", files, err, w.err.String())
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"automaton 0.0.0", "command doctor", "nothing works", "goroutine"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %q in the file", want)
		}
	}
	if strings.Contains(string(raw), "secret-argument") {
		t.Error("an argument stands in the file")
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if !strings.HasPrefix(w.err.String(), "automaton: internal error: nothing works\nhint: ") {
		t.Errorf("said %q", w.err.String())
	}
}

// An interrupted command says so, whatever error it ended with.
func TestInterruptedIsTold(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(syscall.EINTR) // as a signal's own error, which is not context.Canceled
	w := newWorld(t)
	a := w.app()
	for _, err := range []error{context.Cause(ctx), coded(exitUsage, io.EOF), coded(exitUnexamined, io.EOF)} {
		if code := a.exit(ctx, err); code != exitInterrupted {
			t.Errorf("%v: exit %d", err, code)
		}
	}
	if code := a.exit(ctx, coded(exitBug, io.EOF)); code != exitBug {
		t.Errorf("a bug gives exit %d", code)
	}
	if code := a.exit(ctx, nil); code != exitDone {
		t.Errorf("a command that was done gives exit %d", code)
	}
}
