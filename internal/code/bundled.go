package code

import (
	"bytes"
	"path"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// What tells a script that a tool wrote from one that somebody did. Design
// choices: what people write has lines of thirty to sixty bytes on average,
// tables of pictures and translations among it a few hundred at most.
const (
	minifiedSize = 4 << 10 // bytes; a smaller file may be one line
	minifiedLine = 500     // bytes of an average line
	bannerHead   = 1 << 10 // bytes in which a tool says that it wrote the file
	mapTail      = 300     // bytes at the end in which a compiler names its source map
)

var (
	bundledName   = regexp.MustCompile(`[.-]min\.[cm]?js$|\.bundle\.[cm]?js$|-[0-9]+\.[0-9]+\.[0-9]+\.[cm]?js$`)
	bundledHead   = regexp.MustCompile(`(?is)@generated\b|\bgenerated\b.{0,200}\bdo not (?:edit|modify|change)`)
	bundledBanner = regexp.MustCompile(`(?s)^/\*!.{0,200}?\bv?[0-9]+\.[0-9]+\.[0-9]+`)
	sourceMap     = regexp.MustCompile(`(?m)^//[#@] sourceMappingURL=\S+\s*\z`)
)

// bundled tells a script that is minified, compiled, or another project's
// release: it is listed and not examined.
func (f File) bundled() bool {
	if l := f.Language(); l != "javascript" && l != "typescript" {
		return false
	}
	if bundledName.MatchString(path.Base(f.Path)) {
		return true
	}
	size := len(f.Bytes)
	if size > minifiedSize && size/(bytes.Count(f.Bytes, []byte("\n"))+1) > minifiedLine {
		return true
	}
	head, tail := leadingComments(f.Bytes[:min(size, bannerHead)]), f.Bytes[max(0, size-mapTail):]
	return bundledHead.Match(head) || bundledBanner.Match(head) || bytes.HasPrefix(head, webpacked) || sourceMap.Match(tail)
}

// webpacked is how a file begins that webpack put together.
var webpacked = []byte("/******/")

// leadingComments is what stands before the first code of a script.
func leadingComments(head []byte) []byte {
	head = bytes.TrimSpace(head)
	at := 0
	for {
		rest := bytes.TrimLeft(head[at:], " \t\r\n")
		var end int
		switch {
		case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("#!")):
			end = bytes.IndexByte(rest, '\n')
		case bytes.HasPrefix(rest, []byte("/*")):
			if end = bytes.Index(rest, []byte("*/")); end >= 0 {
				end += len("*/")
			}
		default:
			return head[:at]
		}
		if end < 0 {
			return head
		}
		at = len(head) - len(rest) + end
	}
}
