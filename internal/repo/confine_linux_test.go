package repo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// confine takes layers away from this process and all that it starts, as the profile of a container would: by a filter
// of system calls. It also makes orphans of what we start our own children, so that they can be seen.
func confine() {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	without := withoutLayers()
	if len(without) == 0 {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	prog := profile(without)
	raw, err := bpf.Assemble(prog)
	if err != nil {
		panic(err)
	}
	filter := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filter[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	f := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&f))); errno != 0 {
		fmt.Fprintf(os.Stderr, "%s: seccomp: %v\n", cannotConfine, errno)
		os.Exit(cannotCode)
	}
}

// profile refuses the system calls that layers need.
func profile(without []string) []bpf.Instruction {
	const allow, errno = 0x7fff0000, 0x00050000
	refuse := func(call uint32, with syscall.Errno) []bpf.Instruction {
		return []bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: call, SkipTrue: 1}, bpf.RetConstant{Val: errno | uint32(with)}}
	}
	prog := []bpf.Instruction{bpf.LoadAbsolute{Off: 0, Size: 4}}
	for _, layer := range without {
		switch layer {
		case "landlock":
			prog = append(prog, refuse(unix.SYS_LANDLOCK_CREATE_RULESET, unix.ENOSYS)...)
		case "seccomp":
			prog = append(prog, refuse(unix.SYS_SECCOMP, unix.ENOSYS)...)
		case "ns":
			prog = append(prog, refuse(unix.SYS_UNSHARE, unix.EPERM)...)
			prog = append(prog, refuse(unix.SYS_CLONE3, unix.ENOSYS)...)
			prog = append(prog,
				bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.SYS_CLONE, SkipTrue: 4},
				bpf.LoadAbsolute{Off: 16, Size: 4}, // the flags
				bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWNS, SkipTrue: 1},
				bpf.RetConstant{Val: errno | uint32(unix.EPERM)},
				bpf.RetConstant{Val: allow},
			)
		}
	}
	return append(prog, bpf.RetConstant{Val: allow})
}

// noChildren fails the test when anything that was started for it is still running. What was killed may take a moment to
// be gone.
func noChildren(t *testing.T) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range stats {
		raw, err := os.ReadFile(p)
		if err != nil {
			continue // it has ended meanwhile
		}
		f := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		if len(f) > 1 && f[1] == strconv.Itoa(os.Getpid()) && f[0] != "Z" {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(p), "cmdline")) // or gone
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(p)))
			ended := make(chan error, 1)
			go func() { _, err := unix.Wait4(pid, nil, 0, nil); ended <- err }()
			select {
			case <-ended:
			case <-time.After(3 * time.Minute):
				t.Errorf("still running: process %d, %q", pid, command)
			}
		}
	}
}
