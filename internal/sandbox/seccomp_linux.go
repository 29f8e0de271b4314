package sandbox

import (
	"runtime"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets into struct seccomp_data; arguments are 64 bits wide, little endian on both architectures.
const (
	offCall = 0
	offArch = 4
	offArg0 = 16
	offArg1 = 24
	offArg2 = 32
)

const (
	retAllow = 0x7fff0000
	retErrno = 0x00050000
	retKill  = 0x80000000

	x32Bit         = 0x40000000
	socketTypeMask = 0xf // without SOCK_CLOEXEC and SOCK_NONBLOCK
)

// denied are the calls that neither git nor a parser needs.
var denied = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_MOUNT, unix.SYS_UMOUNT2,
	unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN,
	unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME,
	unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FSOPEN, unix.SYS_FSMOUNT,
	unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_MEMFD_SECRET,
	unix.SYS_QUOTACTL, unix.SYS_PIDFD_GETFD, unix.SYS_SETSID, unix.SYS_SETPGID,
}

const newNamespace = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// seccompMissing tells why filters cannot be used, or "".
func seccompMissing() string {
	action := uint32(retErrno)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	if errno != 0 {
		return "seccomp: " + errno.Error()
	}
	return ""
}

// seccompFilter is the deny-list as a classic BPF program. network: TCP sockets may be made. worker: no program, no
// process, no internet socket.
func seccompFilter(network, worker bool) (*unix.SockFprog, error) {
	arch := uint32(unix.AUDIT_ARCH_X86_64)
	if runtime.GOARCH == "arm64" {
		arch = unix.AUDIT_ARCH_AARCH64
	}
	prog := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		bpf.RetConstant{Val: retKill},
		bpf.LoadAbsolute{Off: offCall, Size: 4},
	}
	if arch == unix.AUDIT_ARCH_X86_64 {
		prog = append(prog, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: x32Bit, SkipTrue: 1}, bpf.RetConstant{Val: retKill})
	}
	calls := denied
	if worker {
		calls = append([]uint32{unix.SYS_EXECVE, unix.SYS_EXECVEAT}, denied...)
	}
	for _, n := range calls {
		prog = append(prog, onCall(n, deny(unix.EPERM))...)
	}
	// clone3 hides its flags behind a pointer; ENOSYS makes the C library use clone
	prog = append(prog, onCall(unix.SYS_CLONE3, deny(unix.ENOSYS))...)
	prog = append(prog, onCall(unix.SYS_CLONE, cloneRule(worker)...)...)
	prog = append(prog, onCall(unix.SYS_SOCKET, socketRule(network && !worker)...)...)
	prog = append(prog, bpf.RetConstant{Val: retAllow})
	return assemble(prog)
}

func deny(errno unix.Errno) bpf.Instruction { return bpf.RetConstant{Val: retErrno | uint32(errno)} }

// onCall runs the rule when the loaded number is the call's; every path through the rule must return.
func onCall(number uint32, rule ...bpf.Instruction) []bpf.Instruction {
	return append([]bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: number, SkipTrue: uint8(len(rule))}}, rule...)
}

// cloneRule: no namespaces; for a worker threads only.
func cloneRule(worker bool) []bpf.Instruction {
	rule := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offArg0, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsNotSet, Val: newNamespace, SkipTrue: 1},
		deny(unix.EPERM),
	}
	if worker {
		rule = append(rule, bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.CLONE_THREAD, SkipTrue: 1}, deny(unix.EPERM))
	}
	return append(rule, bpf.RetConstant{Val: retAllow})
}

// socketRule: AF_UNIX always; with network also plain TCP. MPTCP passes Landlock's TCP rules, so the protocol counts.
func socketRule(network bool) []bpf.Instruction {
	rule := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offArg0, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: unix.AF_UNIX, SkipTrue: 1},
		bpf.RetConstant{Val: retAllow},
	}
	if !network {
		return append(rule, deny(unix.EACCES))
	}
	return append(rule,
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_INET, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_INET6, SkipTrue: 1},
		deny(unix.EACCES),
		bpf.LoadAbsolute{Off: offArg1, Size: 4},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: socketTypeMask},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_STREAM, SkipTrue: 1},
		deny(unix.EACCES),
		bpf.LoadAbsolute{Off: offArg2, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.IPPROTO_TCP, SkipTrue: 1},
		deny(unix.EACCES),
		bpf.RetConstant{Val: retAllow},
	)
}

func assemble(prog []bpf.Instruction) (*unix.SockFprog, error) {
	raw, err := bpf.Assemble(prog)
	if err != nil {
		return nil, err
	}
	filter := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filter[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	return &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}, nil
}
