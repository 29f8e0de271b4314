package main

import (
	"strings"
	"syscall"
	"testing"
)

// Waiting for another run ends with the time for the case: that is not a mistake
// of the one who called.
func TestWaitingEndsWithTheTime(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.start(t, "shared")
	first.next() // it has the folder now
	first.signal(syscall.SIGSTOP)
	second := d.start(t, "shared", "--wait", "--timeout", "3s")
	if code := second.end(); code != 3 || second.stdout.Len() > 0 || !strings.Contains(strings.Join(second.said, "\n"), "the time limit of this audit is reached") {
		t.Errorf("%v", second)
	}
	first.signal(syscall.SIGCONT)
	if first.end() != 0 {
		t.Error(first)
	}
}
