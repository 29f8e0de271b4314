package sandbox

import (
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// applyLayers takes network, no_new_privs and Landlock on and builds the seccomp filter. What is not available is said
// in rep; what is there but fails is an error.
func applyLayers(s spec, rep *reply) (become func(), err error) {
	if s.NS {
		if err := bringUpLoopback(); err != nil {
			return nil, fmt.Errorf("bringing up lo: %w", err)
		}
	}
	// a change of credentials cleared what the parent asked for
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return nil, fmt.Errorf("asking for the death signal: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("setting no_new_privs: %w", err)
	}
	if s.Landlock {
		rep.Landlock, rep.LandlockWhy = tryLandlock(s)
	}
	var filter *unix.SockFprog
	if s.Seccomp {
		if rep.SeccompWhy = seccompMissing(); rep.SeccompWhy == "" {
			rep.Seccomp = true
			if filter, err = seccompFilter(s.Port != 0, s.Worker); err != nil {
				return nil, fmt.Errorf("building filter: %w", err)
			}
		}
	}
	if s.Program == "" {
		return prepareWorker(s)
	}
	return prepareProgram(s, filter)
}

func bringUpLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }() // only asked by ioctl
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req)
}

// prepareProgram allocates all that exec needs. RLIMIT_AS stops the Go runtime from growing, and the filter stops
// whatever it may do next, so between them and execve there are only raw system calls.
func prepareProgram(s spec, filter *unix.SockFprog) (become func(), err error) {
	path, argv, env, err := execArgs(s.Program, s.Argv, s.Env)
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(selfFD)
	space := unix.Rlimit{Cur: s.Memory, Max: s.Memory}
	debug.SetGCPercent(-1)
	return func() {
		if s.Memory != 0 {
			_, _, errno := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, uintptr(unsafe.Pointer(&space)), 0, 0, 0)
			exitOn(errno)
		}
		if filter != nil {
			_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(filter)))
			exitOn(errno)
		}
		_, _, errno := unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&env[0])))
		exitOn(errno)
	}, nil
}

// prepareWorker executes this binary again by its open fd: a path fails for a dropped uid when the binary lies in a
// closed directory. All threads of the new image inherit the Landlock domain; seccomp and RLIMIT_DATA follow there,
// when the worker is warm.
func prepareWorker(s spec) (become func(), err error) {
	empty, argv, env, err := execArgs("", s.Argv, s.Env)
	if err != nil {
		return nil, err
	}
	unix.CloseOnExec(selfFD)
	return func() {
		_, _, errno := unix.RawSyscall6(unix.SYS_EXECVEAT, selfFD, uintptr(unsafe.Pointer(empty)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&env[0])), unix.AT_EMPTY_PATH, 0)
		exitOn(errno)
	}, nil
}

func execArgs(program string, args, environ []string) (path *byte, argv, env []*byte, err error) {
	if path, err = syscall.BytePtrFromString(program); err != nil {
		return nil, nil, nil, err
	}
	if argv, err = syscall.SlicePtrFromStrings(args); err != nil {
		return nil, nil, nil, err
	}
	env, err = syscall.SlicePtrFromStrings(environ)
	return path, argv, env, err
}

// exitOn ends the child by a raw call when a step failed: nothing of Go may run any more.
func exitOn(errno syscall.Errno) {
	if errno != 0 {
		_, _, _ = unix.RawSyscall(unix.SYS_EXIT_GROUP, exitExec, 0, 0)
	}
}

// openSelf opens this binary for prepareWorker: only to execute it, which it may allow without being readable.
func openSelf() (*os.File, error) {
	fd, err := unix.Open("/proc/self/exe", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "self"), nil
}
