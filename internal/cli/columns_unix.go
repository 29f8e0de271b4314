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

// size is how many columns and lines a terminal has; that of a usual one where
// there is none, or it does not know.
func size(w io.Writer) (width, height int, known bool) {
	if s := window(w); s != nil && s.Col > 0 && s.Row > 0 {
		return int(s.Col), int(s.Row), true
	}
	return 80, 24, false
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
