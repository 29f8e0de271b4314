package sandbox

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// A signal in between, of which the runtime sends many, is not something to read.
func TestReadableUnderSignals(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread, stop, ended := unix.Gettid(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
				_ = unix.Tgkill(os.Getpid(), thread, unix.SIGURG)
			}
		}
	}()
	for range 50_000 {
		if readable(r) {
			t.Error("an empty pipe is readable")
			break
		}
	}
	close(stop)
	<-ended
	if _, err := w.Write([]byte("x")); err != nil || !readable(r) {
		t.Error("what was written is not seen", err)
	}
}
