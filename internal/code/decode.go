package code

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// cookie is PEP 263's pattern of an encoding declaration.
var cookie = regexp.MustCompile(`^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`)

// Text returns the file as text with "\n" as the only line end, so that line
// numbers are those of the file. It understands UTF-8 with and without a byte
// order mark, UTF-16 with one, and the encoding cookie of PEP 263; everything
// else is read as Latin-1. The note names what was found when it is not plain
// UTF-8, and is "" otherwise.
func (f File) Text() (text, note string) {
	text, note = decode(f.Bytes)
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text, note
}

func decode(b []byte) (text, note string) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) && utf8.Valid(b):
		return string(b[3:]), "UTF-8 with byte order mark"
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return utf16Text(b[2:], 0, 1), "UTF-16 little endian"
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return utf16Text(b[2:], 1, 0), "UTF-16 big endian"
	case utf8.Valid(b):
		return shared(b), ""
	}
	if name, enc := declared(b); enc != nil {
		if out, err := enc.NewDecoder().Bytes(b); err == nil {
			return string(out), "encoding " + name
		}
	}
	out, err := charmap.ISO8859_1.NewDecoder().Bytes(b)
	if err != nil { // Latin-1 gives every byte a meaning
		return strings.ToValidUTF8(string(b), "\uFFFD"), "invalid UTF-8"
	}
	return string(out), "not UTF-8, read as Latin-1"
}

// shared is b as a text that lies where b does: what was read of a commit is
// never written again, and a large repository is held once instead of twice.
func shared(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b)) //nolint:gosec // see above
}

// utf16Text decodes pairs of bytes; low and high say which byte of a pair is which.
func utf16Text(b []byte, low, high int) string {
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i+low])|uint16(b[i+high])<<8)
	}
	return string(utf16.Decode(units))
}

// declared finds the encoding named in one of the first two lines.
func declared(b []byte) (string, encoding.Encoding) {
	lines := bytes.SplitN(b[:min(len(b), 1024)], []byte("\n"), 3)
	for _, line := range lines[:min(len(lines), 2)] {
		m := cookie.FindSubmatch(line)
		if m == nil {
			continue
		}
		name := strings.ReplaceAll(strings.ToLower(string(m[1])), "_", "-")
		if name == "utf-8" || name == "utf8" {
			return "", nil
		}
		if enc, err := htmlindex.Get(name); err == nil {
			return name, enc
		}
	}
	return "", nil
}

// Lines counts the lines of the file as an editor does: "\n", "\r\n" and a
// lone "\r" end a line, and a last line without an end counts.
func (f File) Lines() int {
	b := f.Bytes
	if len(b) == 0 {
		return 0
	}
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		text, _ := f.Text()
		return countLines(text)
	}
	n := bytes.Count(b, []byte("\n")) + bytes.Count(b, []byte("\r")) - bytes.Count(b, []byte("\r\n"))
	if last := b[len(b)-1]; last != '\n' && last != '\r' {
		n++
	}
	return n
}

// countLines counts the lines of text whose line ends are "\n".
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
