package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lines makes a text of several lines fit to be read by a model: what nobody
// sees is taken out, tag characters, zero-width and filling runes among it,
// since a model would read what a person cannot. What reorders text or controls
// a terminal is written out as Text does, invalid bytes too. Newlines and tabs
// stay, other separators of lines become newlines; a carriage return before one
// goes. It is idempotent.
func Lines(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
		case r == 0x2028, r == 0x2029:
			b.WriteByte('\n')
		case hidden(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Bidi_Control, r):
		default:
			b.WriteString(visible(r, size, s[i]))
		}
		i += size
	}
	return b.String()
}
