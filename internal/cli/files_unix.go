//go:build unix

package cli

import "golang.org/x/sys/unix"

// openFiles is how many files this process may have open at once.
func openFiles() (n uint64, known bool) {
	var have unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &have); err != nil {
		return 0, false
	}
	return have.Cur, true
}
