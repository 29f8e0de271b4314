package cli

import (
	"io"
	"runtime"
	"strconv"
	"strings"
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

// mostRead is how long a line of running text may be.
const mostRead = 100

// colored tells whether what is written to a stream has colours.
func (a *app) colored(w io.Writer) bool {
	switch a.config.Text("color") {
	case "always":
		return true
	case "auto":
		return a.getenv("FORCE_COLOR") != "" || a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && isTerminal(w)
	}
	return false
}

// speaksUTF8 tells whether the terminal shows more than ASCII.
func (a *app) speaksUTF8() bool {
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(a.getenv(key)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return runtime.GOOS == "windows" // which has no such variables
}
