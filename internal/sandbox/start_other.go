//go:build !linux

package sandbox

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

const notHere = "not on " + runtime.GOOS

// rungs has one step: environment, flags, limits, process group.
func rungs(bool) []rung { return []rung{{}} }

// absent are the layers that this system never has.
func absent() []Missing {
	return []Missing{
		{Layer: "landlock", Reason: notHere}, {Layer: "ns", Reason: notHere}, {Layer: "seccomp", Reason: notHere},
		{Layer: "uid", Reason: notHere},
	}
}

func selfCommand(args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(self, args...), nil
}

// attributes says how the child is to be forked: in a session, and so a process group, of its own.
func attributes(rung, int) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// processLimit is none: it would count everything that our user runs.
func processLimit(rung, int) uint64 { return 0 }
