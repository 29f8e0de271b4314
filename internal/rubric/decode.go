package rubric

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// decode turns the bytes of a rubric file into a document: UTF-8, with or
// without a byte order mark, or UTF-16 with one.
func decode(file string, raw []byte) (*document, error) {
	refuse := func(at int, msg string) error {
		valid := bytes.ToValidUTF8(raw[:at], nil)
		return Errors{newDocument(file, valid).fail(len(valid), "encoding", msg)}
	}
	start := court.Pos{Line: 1, Col: 1}
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(raw, []byte("\x00\x00\xfe\xff")):
		return nil, refuse(0, "the file is UTF-32; save it as UTF-8")
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("\xfe\xff")):
		text, at := decode16(raw)
		if at >= 0 {
			return nil, refuse(0, fmt.Sprintf("invalid UTF-16 at byte %d", at))
		}
		d := newDocument(file, text)
		d.notes = append(d.notes, court.Note{Code: "utf16", Pos: start, Text: "the file is UTF-16; read as such"})
		return d, nil
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		raw = raw[3:]
		if at := invalid(raw); at >= 0 {
			return nil, refuse(at, fmt.Sprintf("invalid UTF-8 at byte %d", at+3))
		}
		d := newDocument(file, raw)
		d.notes = append(d.notes, court.Note{Code: "bom", Pos: start, Text: "the file begins with a byte order mark; dropped"})
		return d, nil
	case len(raw) > 1 && (raw[0] == 0 || raw[1] == 0):
		return nil, refuse(0, "the file looks like UTF-16 without a byte order mark; save it as UTF-8")
	}
	if at := invalid(raw); at >= 0 {
		return nil, refuse(at, fmt.Sprintf("invalid UTF-8 at byte %d", at))
	}
	return newDocument(file, raw), nil
}

// invalid is the offset of the first byte that is not UTF-8, -1 for none.
func invalid(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// decode16 decodes UTF-16 with a mark; at is the byte that is wrong, or -1.
func decode16(raw []byte) (out []byte, at int) {
	var order binary.ByteOrder = binary.LittleEndian
	if raw[0] == 0xfe {
		order = binary.BigEndian
	}
	if len(raw)%2 == 1 {
		return nil, len(raw) - 1
	}
	for i := 2; i < len(raw); i += 2 {
		r := rune(order.Uint16(raw[i:]))
		if utf16.IsSurrogate(r) {
			if i+2 >= len(raw) {
				return nil, i
			}
			if r = utf16.DecodeRune(r, rune(order.Uint16(raw[i+2:]))); r == utf8.RuneError {
				return nil, i
			}
			i += 2
		}
		out = utf8.AppendRune(out, r)
	}
	return out, -1
}
