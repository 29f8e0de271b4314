package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// desk is a folder with the miniature program in work/, and the environment in
// which automaton is run there.
type desk struct {
	dir string
	env []string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{dir: t.TempDir()}
	d.env = append(os.Environ(), "HOME="+d.dir, "AUTOMATON_CACHE="+filepath.Join(d.dir, "cache"), "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada",
		"GIT_COMMITTER_EMAIL=ada@example.org", "SOURCE_DATE_EPOCH=1767225600", "NO_COLOR=1")
	warm(t, filepath.Join(d.dir, "cache"))
	err := makeProgram(filepath.Join(d.dir, "work"), true, func(when string, args ...string) error {
		c := exec.Command("git", args...)
		c.Env = append(d.env, "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
		return c.Run()
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// process is a running automaton whose events are read one by one.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	events *bufio.Scanner
	stdout bytes.Buffer
	said   []string // what standard error says beside events
}

// start runs "automaton audit work --out OUT" with more arguments.
func (d *desk) start(t *testing.T, out string, more ...string) *process {
	t.Helper()
	return d.run(t, append([]string{"audit", "work", "--pdf", "none", "--out", out}, more...)...)
}

// run runs automaton with these arguments.
func (d *desk) run(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command("automaton", append(args, "--progress", "json")...)}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout = d.dir, d.env, &p.stdout
	pipe, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.events = bufio.NewScanner(pipe)
	return p
}

// next is the next event; false at the end.
func (p *process) next() (trace.Event, bool) {
	for p.events.Scan() {
		var e trace.Event
		var said struct {
			Kind, Text string
			Hints      []string
		}
		if err := errors.Join(json.Unmarshal(p.events.Bytes(), &e), json.Unmarshal(p.events.Bytes(), &said)); err != nil {
			p.t.Errorf("%q among the events: %v", p.events.Text(), err)
			continue
		}
		if e.Seq > 0 {
			return e, true
		}
		p.said = append(p.said, "automaton: "+said.Text)
		for _, h := range said.Hints {
			p.said = append(p.said, "hint: "+h)
		}
	}
	return trace.Event{}, false
}

// end reads what is left and gives the exit code; -1 for a process that was
// killed.
func (p *process) end() int {
	p.t.Helper()
	for _, ok := p.next(); ok; _, ok = p.next() {
	}
	err := p.cmd.Wait()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
}

// record is the record of the one case in OUT, and the bytes of its file
// without what may differ between two runs.
func (d *desk) record(t *testing.T, out string) (*court.Record, string) {
	t.Helper()
	latest, err := filepath.Glob(filepath.Join(d.dir, out, "work-*", "record.json"))
	if err != nil || len(latest) != 1 {
		t.Fatalf("%d records in %s", len(latest), out)
	}
	rec, _, err := store.ReadBytes(latest[0])
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(latest[0])
	if err != nil {
		t.Fatal(err)
	}
	return rec, withoutRun(string(raw))
}

// journalled counts the tasks whose outcome the journal of an unfinished run
// holds, by node. A task that stands twice fails the test.
func (d *desk) journalled(t *testing.T, out string) map[string]int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.dir, out, ".automaton-work-*.build", store.JournalName))
	published, more := filepath.Glob(filepath.Join(d.dir, out, "work-*", store.JournalName))
	files = append(files, published...)
	if err = errors.Join(err, more); err != nil || len(files) > 1 {
		t.Fatalf("%d journals in %s: %v", len(files), out, err)
	}
	count := map[string]int{}
	if len(files) == 0 {
		return count
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		_, payload, _ := strings.Cut(line, "{")
		var r struct{ Task string }
		if json.Unmarshal([]byte("{"+payload), &r) != nil || !strings.Contains(r.Task, "/") {
			continue // the first line, the head, and what a kill tore
		}
		if seen[r.Task] {
			t.Errorf("%s stands in the journal twice", r.Task)
		}
		seen[r.Task] = true
		count[strings.Split(r.Task, "/")[1]]++
	}
	return count
}

// spans counts the tasks that the run of a record did itself, by node.
func spans(rec *court.Record) map[string]int {
	count := map[string]int{}
	for _, s := range rec.Run.Spans {
		count[s.Node]++
	}
	return count
}

func (p *process) String() string {
	return fmt.Sprintf("exit %d, said %q", p.cmd.ProcessState.ExitCode(), p.said)
}
