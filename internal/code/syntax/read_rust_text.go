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
	return unescaped(inside(s), rustEscape)
}

// rustEscape writes what follows a backslash. What is not an escape stays as written.
func rustEscape(b *strings.Builder, s string) int {
	switch c := s[0]; c {
	case 'n', 'r', 't', '0', '\\', '\'', '"':
		b.WriteByte("\n\r\t\x00\\'\""[strings.IndexByte(`nrt0\'"`, c)])
		return 1
	case '\n', '\r': // the line goes on where its text begins
		return len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	case 'x', 'u':
		return rustCode(b, s)
	}
	b.WriteByte('\\')
	return 0
}

// rustCode writes the character of x41 or u{41}, and tells how long that is.
func rustCode(b *strings.Builder, s string) int {
	hex, size := "", 0
	if s[0] == 'x' && len(s) >= 3 {
		hex, size = s[1:3], 3
	} else if end := strings.IndexByte(s, '}'); strings.HasPrefix(s, "u{") && end > 0 {
		hex, size = strings.ReplaceAll(s[2:end], "_", ""), end+1
	}
	n, err := strconv.ParseUint(hex, 16, 21)
	switch {
	case err != nil:
		b.WriteByte('\\')
		return 0
	case s[0] == 'x' && n > 0x7f: // a byte, no character: it stays as it is written
		b.WriteString(`\` + s[:size])
	default:
		b.WriteRune(rune(n))
	}
	return size
}
