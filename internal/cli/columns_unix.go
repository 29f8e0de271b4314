//go:build unix

package cli

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// columns asks a terminal how wide it is; 0: it is none, or does not know.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
