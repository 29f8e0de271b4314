package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/automaton-auditor/automaton/internal/attack"
)

// sitting is a run of the program at a terminal.
type sitting struct {
	cmd    *exec.Cmd
	master *os.File
	ended  chan struct{}

	mu     sync.Mutex
	screen *attack.Screen
	bytes  []byte
}

// sit runs "automaton ARGS" with both streams on a new terminal of that size.
func (d *desk) sit(t *testing.T, width, height int, env []string, args ...string) *sitting {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = errors.Join(unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0),
			unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(height), Col: uint16(width)}))
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &sitting{cmd: exec.Command("automaton", args...), master: master, ended: make(chan struct{}), screen: attack.NewScreen(width, height)}
	s.cmd.Dir, s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = d.dir, slave, slave, slave
	s.cmd.Env = append(append(d.env[:len(d.env):len(d.env)], "TERM=xterm-256color", "CI=", "LC_ALL=C.UTF-8", "SOURCE_DATE_EPOCH="), env...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	go s.watch()
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // it is gone unless the test failed
	return s
}

// watch shows what comes, until nobody has the terminal any more.
func (s *sitting) watch() {
	defer close(s.ended)
	buf := make([]byte, 4096)
	for {
		n, err := s.master.Read(buf)
		s.mu.Lock()
		s.bytes = append(s.bytes, buf[:n]...)
		_, _ = s.screen.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// seen is what is on the screen now.
func (s *sitting) seen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.Text()
}

// until waits for a text on the screen.
func (s *sitting) until(t *testing.T, text string) {
	t.Helper()
	for late := time.Now().Add(patience); !strings.Contains(s.seen(), text); time.Sleep(5 * time.Millisecond) {
		select {
		case <-s.ended:
			t.Fatalf("%q was not seen in:\n%s", text, s.seen())
		default:
		}
		if time.Now().After(late) {
			t.Fatalf("%q was not seen in time in:\n%s", text, s.seen())
		}
	}
}

// end waits for the end and gives the exit code; -1 for a run that was killed.
func (s *sitting) end(t *testing.T) int {
	t.Helper()
	<-s.ended
	_ = s.cmd.Wait() // how it ended is in ProcessState
	if s.screen.NoCursor {
		t.Error("the cursor is left hidden")
	}
	if len(s.screen.Odd) > 0 && !slices.Equal(s.screen.Odd, []string{`"\x1b[?2004h"`, `"\x1b[?2004l"`}) { // by the library, where a run ends before its first picture
		t.Errorf("sequences that have no business here: %v", s.screen.Odd)
	}
	return s.cmd.ProcessState.ExitCode()
}

// remains are lines of the live view that are left on the screen.
func (s *sitting) remains() []string {
	var out []string
	for line := range strings.Lines(s.seen()) {
		if strings.ContainsAny(line, "━─⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏✓·") || strings.HasPrefix(line, " ok ") || strings.HasPrefix(line, " > ") || strings.HasPrefix(line, " . ") {
			out = append(out, strings.TrimRight(line, "\n"))
		}
	}
	return out
}

// An audit at a terminal: its steps are seen while it runs and gone afterwards, what was found stays, and a name of the
// repository does nothing to the terminal.
func TestLiveViewLeavesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program several times")
	}
	t.Parallel()
	d := newDesk(t)
	d.addHostile(t)
	for name, tc := range map[string]struct {
		width, height int
		env           []string
		shown         string // while it runs
	}{
		"narrow":   {60, 30, nil, " · ChiefJustice"},
		"usual":    {80, 24, []string{"NO_COLOR=", "COLORTERM=truecolor"}, " · ChiefJustice"},
		"wide":     {200, 60, nil, " · ChiefJustice"},
		"low":      {80, 8, nil, " RepoInvestigator "},
		"no UTF-8": {80, 24, []string{"LC_ALL=C"}, " .  ChiefJustice"},
	} {
		t.Run(name, func(t *testing.T) {
			s := d.sit(t, tc.width, tc.height, tc.env, "audit", "work", "--pdf", "none", "--out", "live-"+strings.ReplaceAll(name, " ", "-"))
			s.until(t, tc.shown)
			if code := s.end(t); code != 0 {
				t.Errorf("exit %d", code)
			}
			seen := s.seen()
			if left := s.remains(); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
			for _, want := range []string{"  src/evil", "os.system", "\n  why     automaton explain"} {
				if strings.Count(seen, want) == 0 {
					t.Errorf("%q is not there", want)
				}
			}
			if strings.Contains(string(s.bytes), hostileName) || strings.Contains(string(s.bytes), "\x1b]0;") {
				t.Error("the name arrived as it is")
			}
			if t.Failed() {
				t.Log(seen)
			}
		})
	}
}

// hostileName would set the title of the terminal and go up three lines.
const hostileName = "evil\x1b]0;owned\x07\x1b[3A.py"

// addHostile commits a file with that name, with a shell in it.
func (d *desk) addHostile(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, "work", "src", hostileName), []byte("import os\n\n\ndef run(url: str) -> None:\n    os.system(f\"git clone {url}\")\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", "more"}} {
		c := exec.Command("git", args...)
		c.Dir, c.Env = filepath.Join(d.dir, "work"), d.env
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

// However a run is ended, the terminal can be used afterwards.
func TestLiveViewIsStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program several times")
	}
	t.Parallel()
	d := newDesk(t)
	for name, tc := range map[string]struct {
		end  func(s *sitting)
		code int
		said string
	}{
		"Ctrl-C":  {func(s *sitting) { _, _ = s.master.WriteString("\x03") }, 130, "stopping; what is known is kept"},
		"SIGTERM": {func(s *sitting) { _ = s.cmd.Process.Signal(syscall.SIGTERM) }, 130, "stopping; what is known is kept"},
		"SIGKILL": {func(s *sitting) { _ = s.cmd.Process.Kill() }, -1, ""},
		"time":    {func(*sitting) {}, 3, "the time limit of this audit is reached"},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"audit", "work", "--pdf", "none", "--out", "stop-" + name}
			if name == "time" {
				args = append(args, "--timeout", "1ms")
			}
			s := d.sit(t, 80, 24, nil, args...)
			s.until(t, " · ChiefJustice")
			tc.end(s)
			if code := s.end(t); code != tc.code {
				t.Errorf("exit %d", code)
			}
			if left := s.remains(); tc.code >= 0 && len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
			if !strings.Contains(s.seen(), tc.said) {
				t.Errorf("%q was not said", tc.said)
			}
			if t.Failed() {
				t.Log(s.seen())
			}
		})
	}
}

// --open shows the page of the case in the browser that the environment names, and only where somebody sits at a
// terminal; what is asked of a record that has no page says what to do.
func TestOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program several times")
	}
	t.Parallel()
	d := newDesk(t)
	browser, asked := filepath.Join(d.dir, "browser"), filepath.Join(d.dir, "asked")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\nprintf '%s' \"$*\" >'"+asked+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"BROWSER=" + browser}
	page, err := filepath.EvalSymlinks(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	opened := func(name, want string) {
		t.Helper()
		got, _ := os.ReadFile(asked) // not there: nothing was opened
		if ok, err := filepath.Match(want, string(got)); err != nil || !ok {
			t.Errorf("%s opened %q, want %q", name, got, want)
		}
		_ = os.Remove(asked)
	}
	folder := filepath.Join(page, "automaton-out", "work-*", "report.html")
	for _, run := range []struct {
		args, want, said string
		code             int
	}{
		{"audit work --pdf none --open", folder, "automaton explain -c", 0},
		{"report --open", folder, "of 5", 0},
		{"report CASE/report.html --open -q", folder, "of 5", 0},
		{"report --open -o more/page.html", filepath.Join(page, "more", "page.html"), "of 5", 0},
		{"report more/page.html --open -f csv", filepath.Join(page, "more", "page.html"), "", 0},
		{"report more/only.json --open", "", "hint: -o report.html --open writes a page and opens it", 2},
	} {
		cases, err := filepath.Glob(filepath.Join(d.dir, "automaton-out", "work-*"))
		if err != nil || len(cases) > 1 {
			t.Fatal(cases, err)
		}
		if strings.Contains(run.args, "only.json") {
			if err := os.Link(filepath.Join(cases[0], "record.json"), filepath.Join(d.dir, "more", "only.json")); err != nil {
				t.Fatal(err)
			}
		}
		s := d.sit(t, 100, 24, env, strings.Fields(strings.ReplaceAll(run.args, "CASE", strings.Join(cases, "")))...)
		if code := s.end(t); code != run.code || !strings.Contains(s.seen(), run.said) {
			t.Errorf("%s: exit %d\n%s", run.args, code, s.seen())
		}
		opened(run.args, run.want)
	}
	c := exec.Command("automaton", "report", "--open")
	c.Dir, c.Env = d.dir, append(d.env[:len(d.env):len(d.env)], env...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	opened("a pipe", "")
	s := d.sit(t, 100, 24, []string{"BROWSER=" + filepath.Join(d.dir, "none")}, "report", "--open")
	if code := s.end(t); code != 0 || !strings.Contains(s.seen(), "automaton: warning: opening ") {
		t.Errorf("a browser that is not there: exit %d\n%s", code, s.seen())
	}
}
