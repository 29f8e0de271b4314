package sandbox

import (
	"cmp"
	"time"

	"golang.org/x/sys/unix"
)

// or fills what is zero in l from d.
func (l Limits) or(d Limits) Limits {
	return Limits{
		Wall: cmp.Or(l.Wall, d.Wall), CPU: cmp.Or(l.CPU, d.CPU),
		Memory: cmp.Or(l.Memory, d.Memory), FileSize: cmp.Or(l.FileSize, d.FileSize),
		Disk: cmp.Or(l.Disk, d.Disk), Files: cmp.Or(l.Files, d.Files),
		Stdout: cmp.Or(l.Stdout, d.Stdout), Stderr: cmp.Or(l.Stderr, d.Stderr), Download: cmp.Or(l.Download, d.Download),
	}
}

// defaultLimits fit an ordinary submission several times over; a design choice.
func defaultLimits() Limits {
	return Limits{
		Wall: 8 * time.Minute, CPU: 4 * time.Minute,
		Memory: 2 << 30, FileSize: 512 << 20, Disk: 768 << 20, Files: 20_000,
		Stdout: 64 << 20, Stderr: 64 << 10, Download: 512 << 20,
	}
}

const (
	maxProcesses = 64  // RLIMIT_NPROC, where it counts the child's processes alone
	maxOpenFiles = 256 // RLIMIT_NOFILE
	// workerStack is RLIMIT_STACK, which glibc also takes as the size of every thread's stack. All of it counts against
	// RLIMIT_DATA, so it must be small against a worker's memory.
	workerStack = 8 << 20
)

// lower sets a limit, but never above the inherited one.
func lower(which int, soft, hard uint64) error {
	var have unix.Rlimit
	if err := unix.Getrlimit(which, &have); err != nil {
		return err
	}
	hard = min(hard, have.Max)
	return unix.Setrlimit(which, &unix.Rlimit{Cur: min(soft, hard), Max: hard})
}
