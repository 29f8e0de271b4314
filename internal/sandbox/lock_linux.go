package sandbox

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// lockWorker closes the last locks, for all threads: memory, then system calls. Landlock was inherited over exec.
func lockWorker(order workerOrder) error {
	if order.Memory != 0 {
		if err := lower(unix.RLIMIT_DATA, order.Memory, order.Memory); err != nil {
			return fmt.Errorf("setting limit data: %w", err)
		}
	}
	if !order.Seccomp || seccompMissing() != "" {
		return nil // said by the first image
	}
	filter, err := seccompFilter(false, true)
	if err != nil {
		return fmt.Errorf("building filter: %w", err)
	}
	thread, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(filter)))
	if errno != 0 {
		return fmt.Errorf("setting filter: %w", errno)
	}
	if thread != 0 {
		return errors.New("setting filter: a thread has another one")
	}
	return nil
}
