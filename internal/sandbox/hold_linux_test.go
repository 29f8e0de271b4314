package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// holdArg makes the test binary a parent that starts a child and waits to be killed.
const holdArg = "hold"

func hold() {
	b, err := Open(Options{TempDir: os.Args[2]})
	if err != nil {
		panic(err)
	}
	a := attempt{spec: func(r rung, port int) spec {
		return b.programSpec(script("sleep 600"), b.limits, "bash", r, port, nil)
	}}
	p, err := b.start(context.Background(), a, program)
	if err != nil {
		panic(err)
	}
	fmt.Println(p.cmd.Process.Pid)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// When this process is killed, its children die, and its directory goes at the next start.
func TestKilledParentLeavesNoChild(t *testing.T) {
	base := t.TempDir()
	if err := os.Chmod(base, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], holdArg, base)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(strings.TrimSpace(line), &pid); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	if n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 10_000); n != 1 {
		t.Errorf("the child lives on: %d, %v", n, err)
	}
	next, err := Open(Options{TempDir: base})
	if err != nil {
		t.Fatal(err)
	}
	if err := next.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(base); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
