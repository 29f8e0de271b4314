//go:build !linux

package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
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

// processorTime is not told of other processes here.
func processorTime(int) (time.Duration, error) { return 0, errors.ErrUnsupported }

// awaitEnd returns when the process has ended, and leaves it to be waited for; false: that could not be seen.
func awaitEnd(pid int) bool {
	queue, err := unix.Kqueue()
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(queue) }() // only waited on
	end := unix.Kevent_t{Ident: uint64(pid), Filter: unix.EVFILT_PROC, Flags: unix.EV_ADD | unix.EV_ONESHOT, Fflags: unix.NOTE_EXIT}
	for {
		_, err := unix.Kevent(queue, []unix.Kevent_t{end}, make([]unix.Kevent_t, 1), nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil || errors.Is(err, unix.ESRCH) // ended before it could be watched
		}
	}
}
