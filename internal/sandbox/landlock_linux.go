package sandbox

import "golang.org/x/sys/unix"

const (
	readAccess = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fileAccess = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV // what can be granted on a file
)

// landlock is the ABI of the kernel, or why there is none.
func landlock() (abi int, why string) {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, "landlock_create_ruleset: " + errno.Error()
	}
	if v == 0 {
		return 0, "no landlock ABI"
	}
	return int(v), ""
}

// restrict has the child take on all that the ABI can restrict, best effort. Its first stage has one thread: the
// all-threads way of libraries looks for threads in /proc/PID/task and hangs in a cgo binary inside a PID namespace.
func (o *order) restrict(abi, port int) {
	o.Ruleset, o.Files = rulesetSize(abi), handled(abi)
	o.ReadAccess, o.WriteAccess, o.FileAccess = readAccess&o.Files, o.Files, fileAccess
	if abi >= 4 {
		o.Net = unix.LANDLOCK_ACCESS_NET_CONNECT_TCP | unix.LANDLOCK_ACCESS_NET_BIND_TCP
		if port != 0 {
			o.Connect = unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		}
	}
	if abi >= 6 {
		o.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
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

// rulesetSize is the size of the ruleset attribute that a kernel of the ABI knows: older ones refuse a longer one.
func rulesetSize(abi int) uint64 {
	switch {
	case abi >= 6:
		return 24
	case abi >= 4:
		return 16
	}
	return 8
}
