package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const namespaces = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS |
	syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS

// rungs is the fall-back order. For root there is one more: namespaces with our own uid, which is
// all that the root of a rootless container can have.
func rungs(root bool) []rung {
	if root {
		return []rung{
			{ns: true, uid: true, landlock: true, seccomp: true},
			{ns: true, landlock: true, seccomp: true},
			{uid: true, landlock: true, seccomp: true},
			{landlock: true, seccomp: true},
			{seccomp: true},
			{},
		}
	}
	return []rung{{ns: true, landlock: true, seccomp: true}, {landlock: true, seccomp: true}, {seccomp: true}, {}}
}

// absent are the layers that this system never has.
func absent() []Missing { return nil }

// selfCommand starts this binary as it is in memory, also when its file was replaced meanwhile.
func selfCommand(args ...string) (*exec.Cmd, error) {
	return exec.Command("/proc/self/exe", args...), nil //nolint:gosec // this binary with words of ours
}

// attributes says how the child is to be forked. A session of its own is a process group of its own and has no
// controlling terminal. uid is the throw-away uid, used if the rung wants it.
func attributes(r rung, uid int) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if !r.uid {
		uid = 0
	}
	if r.ns {
		hostUID, hostGID := os.Geteuid(), os.Getegid()
		if uid != 0 {
			hostUID, hostGID = uid, uid
			attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)} // and no other group
			attr.GidMappingsEnableSetgroups = true
		}
		attr.Cloneflags = namespaces
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: hostUID, HostID: hostUID, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: hostGID, HostID: hostGID, Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN} // to bring up lo
	} else if uid != 0 {
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	}
	return attr
}

// processLimit is RLIMIT_NPROC where it counts the child's own processes: for the throw-away uid, and in a user
// namespace since Linux 5.14. Elsewhere it would count everything that our user runs.
func processLimit(r rung, uid int) uint64 {
	if r.uid && uid != 0 || r.ns && kernelAtLeast(5, 14) {
		return maxProcesses
	}
	return 0
}

func kernelAtLeast(major, minor int) bool {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return false
	}
	parts := strings.SplitN(unix.ByteSliceToString(u.Release[:]), ".", 3)
	if len(parts) < 2 {
		return false
	}
	a, errA := strconv.Atoi(parts[0])
	b, errB := strconv.Atoi(strings.TrimRight(parts[1], "+-abcdefghijklmnopqrstuvwxyz"))
	return errA == nil && errB == nil && (a > major || a == major && b >= minor)
}

// processorTime is what all threads of a process have spent, by the clock that the kernel keeps for it.
func processorTime(pid int) (time.Duration, error) {
	const scheduled = 2 // CPUCLOCK_SCHED: user and system time together
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &t); err != nil {
		return 0, fmt.Errorf("reading processor time: %w", err)
	}
	return time.Duration(t.Nano()), nil
}

// awaitEnd returns when the process has ended, and leaves it to be waited for; false: that could not be seen.
func awaitEnd(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}
