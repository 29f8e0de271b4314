package cli

import (
	"io"
	"os"
	"strconv"
)

// width is the terminal's, 80 when unknown.
func (a *app) width() int {
	if n, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n := columns(a.Stdout); n > 0 {
		return n
	}
	return 80
}

// isTerminal tells whether a stream is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
