package main

import (
	"bufio"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The first signal is answered at once, the second one kills. The audit waits
// here for a rubric on standard input that never comes.
func TestSecondSignalKills(t *testing.T) {
	d := newDesk(t)
	c := exec.Command("automaton", "audit", "work", "--pdf", "none", "-r", "-", "--jobs", "1", "-d")
	c.Dir, c.Env = d.dir, d.env
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill() // it is gone already unless the test failed
	said := bufio.NewScanner(stderr)
	waitFor := func(line string) {
		t.Helper()
		for said.Scan() {
			if strings.Contains(said.Text(), line) {
				return
			}
		}
		t.Fatalf("%q was not said", line)
	}
	waitFor("automaton: setting jobs is")
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	waitFor("stopping; what is known is kept")
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	late := time.After(patience)
	for { // the one that comes while the first is still being answered is taken for the first
		_ = c.Process.Signal(syscall.SIGTERM) // it may be gone
		select {
		case <-ended:
			if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || !s.Signaled() || s.Signal() != syscall.SIGTERM {
				t.Errorf("it ended with %v", c.ProcessState)
			}
			return
		case <-late:
			t.Fatal("the second signal was swallowed")
		case <-time.After(20 * time.Millisecond):
		}
	}
}
