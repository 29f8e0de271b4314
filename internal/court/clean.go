package court

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes a string of foreign origin safe to show on one line: what could
// move a cursor, hide or reorder text is written out. At most limit runes come
// out, the last of them an ellipsis when something was cut; limit ≤ 0 is none.
// It is idempotent.
func Clean(s string, limit int) string {
	var b strings.Builder
	n := 0
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		piece := cleanRune(r, s[i:i+size])
		if width := utf8.RuneCountInString(piece); limit > 0 && n+width > limit {
			return cutRunes(b.String(), limit-1) + "…"
		} else {
			n += width
		}
		b.WriteString(piece)
	}
	return b.String()
}

func cleanRune(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02X`, raw[0])
	case r == '\n':
		return `\n`
	case r == '\t':
		return " "
	case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector):
		return fmt.Sprintf(`\u{%x}`, r)
	default:
		return raw
	}
}

func cutRunes(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}
