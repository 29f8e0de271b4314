//go:build unix

package cli

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// columns asks a terminal how wide it is; 0: it is none, or does not know.
func columns(w io.Writer) int {
	size := window(w)
	if size == nil {
		return 0
	}
	return int(size.Col)
}

// isTerminal tells whether a stream is a terminal.
func isTerminal(w io.Writer) bool { return window(w) != nil }

// window is the size of a terminal; nil: it is none.
func window(w io.Writer) *unix.Winsize {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return nil
	}
	return size
}
