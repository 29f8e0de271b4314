package sandbox

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// diskInterval is how often the run directory is measured. A fast writer passes the cap by up to one file's limit.
const diskInterval = 250 * time.Millisecond

// watchDisk measures a directory until done and cancels when it is over its limits.
func watchDisk(ctx context.Context, done <-chan struct{}, dir string, limits Limits, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(diskInterval)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-tick.C:
			size, files := diskUse(dir, limits.Files)
			if size > limits.Disk {
				cancel(Refuse("limit_disk", "more than %d bytes on disk", limits.Disk))
			}
			if files > limits.Files {
				cancel(Refuse("limit_files", "more than %d files on disk", limits.Files))
			}
		}
	}
}

// diskUse adds up what a directory occupies, until there are more than maxFiles.
func diskUse(dir string, maxFiles int) (size int64, files int) {
	// errors: a child removes files while we look
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // gone, or closed to us: not counted
		}
		if files++; files > maxFiles+1 {
			return fs.SkipAll
		}
		if info, err := e.Info(); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				size += st.Blocks * 512
			}
		}
		return nil
	})
	return size, files
}

// endSignal is the signal that ended a process, or 0.
func endSignal(state *os.ProcessState) syscall.Signal {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ws.Signal()
	}
	return 0
}

// brokenLimit names the limit that ended a process or one of its own children, or "". As PID 1 of a namespace a process
// is not sent SIGXCPU and SIGXFSZ: it gets SIGKILL a second later, or an error from write. The kernel ends it by the ticks
// that it saw it run, and reports the time that it ran: when two processes take turns on one core, 6 s of ticks were
// 4.6 s of time. What is killed after half of its limit is killed by it. Of a helper that unpacks for git only
// its silence and the time that it took are known; without a namespace not even that.
func brokenLimit(used time.Duration, signal syscall.Signal, stderr []byte, limits Limits) string {
	said := strings.ToLower(string(stderr))
	says := func(phrases ...string) bool {
		return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(said, p) })
	}
	late := used >= limits.CPU/2
	switch {
	case signal == syscall.SIGXCPU, signal == syscall.SIGKILL && late, says("died of signal 24"), says(unpackFailed) && !says("error: ") && late:
		return "limit_cpu"
	case signal == syscall.SIGXFSZ, says("file too large", "file size limit exceeded", "died of signal 25"):
		return "limit_fsize"
	case says("out of memory", "cannot allocate"):
		return "limit_memory"
	}
	return ""
}
