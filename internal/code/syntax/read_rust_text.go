package syntax

import (
	"strconv"
	"strings"
)

func digits(n int) string { return strconv.Itoa(n) }

// rustString is the value of a string, byte string, raw string or character.
func rustString(s string) string {
	s = strings.TrimLeft(s, "bc")
	if raw, ok := strings.CutPrefix(s, "r"); ok {
		return inside(strings.Trim(raw, "#"))
	}
	return rustEscapes(inside(s))
}

// rustEscapes resolves the escapes of a string. What is none stays as written.
func rustEscapes(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		if s[0] != '\\' || len(s) == 1 {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		switch c := s[1]; c {
		case 'n', 'r', 't', '0', '\\', '\'', '"':
			b.WriteByte("\n\r\t\x00\\'\""[strings.IndexByte(`nrt0\'"`, c)])
			s = s[2:]
		case '\n', '\r': // the line goes on where its text begins
			s = strings.TrimLeft(s[1:], " \t\r\n")
		case 'x', 'u':
			n := rustCode(&b, s)
			s = s[n:]
		default:
			b.WriteByte('\\')
			s = s[1:]
		}
	}
	return b.String()
}

// rustCode writes the character of \x41 or \u{41}, and tells how long that is.
func rustCode(b *strings.Builder, s string) int {
	hex, size := "", 0
	if s[1] == 'x' && len(s) >= 4 {
		hex, size = s[2:4], 4
	} else if end := strings.IndexByte(s, '}'); strings.HasPrefix(s, `\u{`) && end > 0 {
		hex, size = strings.ReplaceAll(s[3:end], "_", ""), end+1
	}
	n, err := strconv.ParseUint(hex, 16, 21)
	if err != nil {
		b.WriteByte('\\')
		return 1
	}
	if s[1] == 'x' && n > 0x7f { // a byte, no character: it stays as it is written
		b.WriteString(s[:size])
	} else {
		b.WriteRune(rune(n))
	}
	return size
}
