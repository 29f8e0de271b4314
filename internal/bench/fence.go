package bench

import (
	"regexp"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/plain"
)

// fence keeps foreign text apart from ours: it stands between two lines that
// hold a marker, and the marker never stands in it. The marker follows from the
// case and the seat: runs repeat, and no file of a case can hold its own, as
// the case's digest covers the file.
type fence struct {
	marker string
	found  *regexp.Regexp
}

func newFence(digest string, j court.Persona) fence {
	marker := court.Digest([]string{"fence", digest, string(j)})[:8]
	return fence{marker, regexp.MustCompile("(?i)" + marker)}
}

// clean is foreign text as it may stand in a block: without what nobody sees,
// and without the marker, also where taking it out would make it anew.
func (f fence) clean(s string) string {
	s = strings.TrimRight(plain.Lines(s), " \t\n")
	for f.found.MatchString(s) {
		s = f.found.ReplaceAllLiteralString(s, "")
	}
	return s
}

// block is a cleaned text between two lines of ours; of no text it is nothing.
func (f fence) block(name, text string) string {
	if text == "" {
		return ""
	}
	return "<<<" + f.marker + " " + name + ">>>\n" + text + "\n<<<end " + f.marker + ">>>\n"
}
