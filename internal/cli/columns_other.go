//go:build !unix

package cli

import (
	"io"
	"os"
)

// columns asks a terminal how wide it is; 0: it is none, or does not know.
func columns(io.Writer) int { return 0 }

// size is that of a usual terminal, until the drawing library knows better.
func size(io.Writer) (width, height int, known bool) { return 80, 24, true }

// isTerminal tells whether a stream is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
