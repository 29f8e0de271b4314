package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// lab is a desk whose automaton is a file of its own and whose temporary
// files lie in a folder of its own, so that what a run leaves behind can be told
// from what any other program does.
type lab struct {
	*desk
	tmp string
}

// patience is after how long a test gives up waiting for what must come.
const patience = 8 * time.Minute

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{desk: newDesk(t)}
	l.tmp = filepath.Join(l.dir, "tmp")
	self, err := os.Executable()
	if err == nil {
		err = errors.Join(os.Mkdir(filepath.Join(l.dir, "bin"), 0o755), os.Mkdir(l.tmp, 0o777), os.Chmod(l.dir, 0o711), os.Chmod(filepath.Dir(l.dir), 0o711))
	}
	if err == nil {
		if err = os.Link(self, l.program()); err != nil { // another file system
			var raw []byte
			if raw, err = os.ReadFile(self); err == nil {
				err = os.WriteFile(l.program(), raw, 0o755)
			}
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(l.dir, "report.pdf"), pdfText("", "The state graph runs its judges in parallel.", "Evidence is merged by a reducer."), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.env = append(l.env, "TMPDIR="+l.tmp)
	t.Cleanup(func() { // nothing of a failed test goes on
		for _, pid := range l.processes(t) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone
		}
	})
	return l
}

func (l *lab) program() string { return filepath.Join(l.dir, "bin", "automaton") }

// bundle packs the repository into one file.
func (l *lab) bundle(t *testing.T) string {
	t.Helper()
	c := exec.Command("git", "-C", filepath.Join(l.dir, "work"), "bundle", "create", "-q", filepath.Join(l.dir, "work.bundle"), "HEAD", "main")
	c.Env = l.env
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return "work.bundle"
}

// stubGit puts a program of the tests in git's place.
func (l *lab) stubGit(t *testing.T, script string) {
	t.Helper()
	dir := filepath.Join(l.dir, "stub", "bin")
	real, err := exec.LookPath("git")
	if err == nil {
		script = "#!/bin/sh\nREAL=" + real + "\n" + script
		syscall.ForkLock.RLock() // a child that begins meanwhile would hold the file open, and nobody could run it
		err = errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755))
		syscall.ForkLock.RUnlock()
	}
	if err != nil {
		t.Fatal(err)
	}
	l.env = append(l.env, "PATH="+dir+":"+os.Getenv("PATH"))
}

// attempt is one run of the program.
type attempt struct {
	lab    *lab
	cmd    *exec.Cmd
	stdout bytes.Buffer
	stderr string // path: read while it grows
	ended  chan struct{}
}

// begin starts "automaton ARGS". It is killed when the test's patience ends.
func (l *lab) begin(t *testing.T, args ...string) *attempt {
	t.Helper()
	return l.start(t, append([]string{l.program()}, args...)...)
}

// runAs is run after a line of shell, which sets limits or variables.
func (l *lab) runAs(t *testing.T, shell string, args ...string) *attempt {
	t.Helper()
	a := l.start(t, append([]string{"/bin/sh", "-c", shell + "\nexec \"$0\" \"$@\"", l.program()}, args...)...)
	<-a.ended
	return a
}

func (l *lab) start(t *testing.T, command ...string) *attempt {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	a := &attempt{lab: l, cmd: exec.CommandContext(ctx, command[0], command[1:]...), ended: make(chan struct{})}
	a.cmd.Dir, a.cmd.Env, a.cmd.Stdout = l.dir, l.env, &a.stdout
	f, err := os.CreateTemp(l.dir, "stderr-*")
	if err != nil {
		t.Fatal(err)
	}
	a.stderr, a.cmd.Stderr = f.Name(), f
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = a.cmd.Wait() // how it ended is in ProcessState
		_ = f.Close()
		close(a.ended)
	}()
	return a
}

// run is begin, to the end.
func (l *lab) run(t *testing.T, args ...string) *attempt {
	t.Helper()
	a := l.begin(t, args...)
	<-a.ended
	return a
}

// code is how the run ended; -1: by a signal.
func (a *attempt) code() int { <-a.ended; return a.cmd.ProcessState.ExitCode() }

func (a *attempt) said() string {
	raw, _ := os.ReadFile(a.stderr) // what is missing shows as nothing said
	return string(raw)
}

// over tells whether it has ended.
func (a *attempt) over() bool {
	select {
	case <-a.ended:
		return true
	default:
		return false
	}
}

// signal sends a signal; it may be too late for it.
func (a *attempt) signal(s syscall.Signal) { _ = a.cmd.Process.Signal(s) }

func (a *attempt) String() string {
	return fmt.Sprintf("automaton %s: %v, said %.2000q", strings.Join(a.cmd.Args[1:], " "), a.cmd.ProcessState, a.said())
}

// await looks again and again until something is so; false: it will not be.
func await(limit time.Duration, so func() bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		if so() {
			return true
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return so()
		}
	}
}

// processes lists the processes that belong to this lab: by what they execute,
// their arguments, their environment and their folder.
func (l *lab) processes(t *testing.T, also ...string) []int {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no processes are listed: %v", err)
	}
	var found []int
	for _, dir := range dirs {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(dir), "%d", &pid); err != nil || pid == os.Getpid() {
			continue
		}
		exe, err := os.Readlink(dir + "/exe")
		if errors.Is(err, fs.ErrNotExist) { // it ends, or is the kernel's own: most are, and this is asked a thousand times a second
			continue
		}
		cwd, _ := os.Readlink(dir + "/cwd")
		args, _ := os.ReadFile(dir + "/cmdline")
		env, _ := os.ReadFile(dir + "/environ")
		all := strings.Join([]string{exe, cwd, string(args), string(env)}, "\x00")
		if strings.Contains(all, l.dir+"/") {
			wanted := true
			for _, s := range also {
				wanted = wanted && strings.Contains(string(args), s)
			}
			if wanted {
				found = append(found, pid)
			}
		}
	}
	return found
}

// clean checks what every run must leave: no process, no run directory, no
// panic, no control byte.
func (a *attempt) clean(t *testing.T) {
	t.Helper()
	<-a.ended
	l := a.lab
	if !await(patience, func() bool { return len(l.processes(t)) == 0 }) {
		for _, pid := range l.processes(t) {
			args, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may end meanwhile
			t.Errorf("process %d is left: %q", pid, args)
		}
	}
	for _, bad := range []string{"goroutine ", "panic:", "runtime error", "SIGSEGV", "fatal error"} {
		if strings.Contains(a.said(), bad) || strings.Contains(a.stdout.String(), bad) {
			t.Errorf("%q is said: %s", bad, a)
		}
	}
	for _, text := range []string{a.said(), a.stdout.String()} {
		if i := strings.IndexFunc(text, func(r rune) bool { return r < 0x20 && r != '\n' || r == 0x7f }); i >= 0 {
			t.Errorf("a control byte %q in %s", text[i], a)
		}
	}
	if a.cmd.ProcessState.ExitCode() >= 0 {
		if left := l.runDirs(t); len(left) > 0 {
			t.Errorf("run directories are left: %v after %s", left, a)
		}
	}
}

// runDirs lists what lies in the folder for temporary files.
func (l *lab) runDirs(t *testing.T) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(l.tmp, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// whole checks every case folder that a reader can find in OUT: each file that
// is there is the rendering of a record that is intact. It counts the records.
func (l *lab) whole(t *testing.T, out string) (n int) {
	t.Helper()
	records, err := filepath.Glob(filepath.Join(l.dir, out, "[a-z]*", "record.json"))
	if err != nil {
		t.Fatal(err)
	}
	folders, _ := filepath.Glob(filepath.Join(l.dir, out, "[a-z]*", "report.*")) // the pattern is sound
	for _, f := range folders {
		if _, err := os.Stat(filepath.Join(filepath.Dir(f), "record.json")); err != nil {
			t.Errorf("a report without its record: %v", err)
		}
	}
	for _, path := range records {
		rec, _, err := store.ReadBytes(path)
		if err != nil || !rec.Intact() {
			t.Errorf("%s is there and not whole: %v", path, err)
			continue
		}
		n++
		for _, f := range report.Formats {
			if f.Name != "md" && f.Name != "html" {
				continue
			}
			var want bytes.Buffer
			if err := trial.Render(&want, f, rec); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(filepath.Dir(path), "report"+f.Ext))
			if err != nil || !bytes.Equal(got, want.Bytes()) {
				t.Errorf("report%s is not the record's: %d bytes, want %d, %v", f.Ext, len(got), want.Len(), err)
			}
		}
	}
	return n
}

// tidy checks that an output folder holds nothing half done.
func (l *lab) tidy(t *testing.T, out string) {
	t.Helper()
	for _, pattern := range []string{"*.tmp", ".automaton-*.build", ".automaton-*.old", "[a-z]*/journal*"} {
		left, err := filepath.Glob(filepath.Join(l.dir, out, pattern))
		if err != nil || len(left) > 0 {
			t.Errorf("left in %s: %v, %v", out, left, err)
		}
	}
}
