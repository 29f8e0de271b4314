package sandbox

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	readAccess = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fileAccess = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV // what can be granted on a file
)

// tryLandlock restricts the calling thread, best effort by the kernel's ABI, and returns the ABI or why there is none.
// Raw calls on one thread: the all-threads way of libraries looks for its threads in /proc/PID/task and hangs in a cgo
// binary inside a PID namespace.
func tryLandlock(s spec) (abi int, why string) {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, "landlock_create_ruleset: " + errno.Error()
	}
	if v == 0 {
		return 0, "no landlock ABI"
	}
	if err := restrict(s, int(v)); err != nil {
		return 0, err.Error()
	}
	return int(v), ""
}

// handled is all of the file system that the ABI can restrict.
func handled(abi int) uint64 {
	all := uint64(unix.LANDLOCK_ACCESS_FS_MAKE_SYM)<<1 - 1 // ABI 1: the first 13
	if abi >= 2 {
		all |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		all |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		all |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return all
}

func restrict(s spec, abi int) error {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled(abi)}
	if abi >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_CONNECT_TCP | unix.LANDLOCK_ACCESS_NET_BIND_TCP
	}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), rulesetSize(abi), 0)
	if errno != 0 {
		return fmt.Errorf("landlock_create_ruleset: %w", errno)
	}
	defer func() { _ = unix.Close(int(fd)) }() // the thread holds the rules by then
	if err := allowPaths(int(fd), s, attr.Handled_access_fs); err != nil {
		return err
	}
	if abi >= 4 && s.Port != 0 {
		rule := netPortAttr{access: unix.LANDLOCK_ACCESS_NET_CONNECT_TCP, port: uint64(s.Port)}
		if err := addRule(int(fd), ruleNetPort, unsafe.Pointer(&rule)); err != nil {
			return err
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("landlock_restrict_self: %w", errno)
	}
	return nil
}

// ruleNetPort is LANDLOCK_RULE_NET_PORT.
const ruleNetPort = 2

// netPortAttr is struct landlock_net_port_attr.
type netPortAttr struct{ access, port uint64 }

// rulesetSize is the size of the ruleset attribute that a kernel of the ABI knows: older ones refuse a longer one.
func rulesetSize(abi int) uintptr {
	switch {
	case abi >= 6:
		return 24
	case abi >= 4:
		return 16
	}
	return 8
}

func allowPaths(ruleset int, s spec, all uint64) error {
	for _, p := range append([]string{"/dev/urandom", "/dev/zero"}, s.Read...) {
		if err := allowPath(ruleset, p, readAccess&all); err != nil {
			return err
		}
	}
	for _, p := range append([]string{"/dev/null"}, s.Write...) {
		if err := allowPath(ruleset, p, all); err != nil {
			return err
		}
	}
	if s.Program == "" {
		return allowFD(ruleset, selfFD, readAccess&all)
	}
	return nil
}

func allowPath(ruleset int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOTDIR) {
		return nil // what cannot be reached needs no rule
	}
	if err != nil {
		return fmt.Errorf("opening %q: %w", path, err)
	}
	defer func() { _ = unix.Close(fd) }() // only a place
	return allowFD(ruleset, fd, access)
}

func allowFD(ruleset, fd int, access uint64) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= fileAccess
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	return addRule(ruleset, unix.LANDLOCK_RULE_PATH_BENEATH, unsafe.Pointer(&rule))
}

func addRule(ruleset, kind int, rule unsafe.Pointer) error {
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), uintptr(kind), uintptr(rule), 0, 0, 0); errno != 0 {
		return fmt.Errorf("landlock_add_rule: %w", errno)
	}
	return nil
}
