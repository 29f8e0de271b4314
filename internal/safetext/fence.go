package safetext

import (
	"regexp"
	"strings"
)

// Fence keeps foreign text apart from ours in what a model reads: it stands
// between two lines that hold a marker, and the marker never stands in it. A
// marker that follows from the digest of a case lets runs repeat, and no file of
// the case can hold it, as the digest covers the file.
type Fence struct {
	Marker string
	found  *regexp.Regexp
}

// NewFence makes a fence of a marker: letters and digits.
func NewFence(marker string) Fence {
	return Fence{marker, regexp.MustCompile("(?i)" + regexp.QuoteMeta(marker))}
}

// Clean is foreign text as it may stand in a block: without what nobody sees,
// and without the marker, also where taking it out would make it anew.
func (f Fence) Clean(s string) string {
	s = strings.TrimRight(Lines(s), " \t\n")
	for f.found.MatchString(s) {
		s = f.found.ReplaceAllLiteralString(s, "")
	}
	return s
}

// Block is a cleaned text between two lines of ours.
func (f Fence) Block(name, text string) string {
	return "<<<" + f.Marker + " " + name + ">>>\n" + text + "\n<<<end " + f.Marker + ">>>\n"
}
