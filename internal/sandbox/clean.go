package sandbox

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes foreign text safe for one line of a terminal, log, report or error (security.md 5.1): invalid bytes become
// \xNN, a newline \n, a tab a blank; control, format, private-use and separator runes, variation selectors and tag
// characters become \u{hex}. At most max runes come out, then "…"; escapes are never cut in half. It is idempotent.
func Clean(s string, max int) string {
	var b strings.Builder
	n := 0
	for i := 0; i < len(s); {
		r, w := utf8.DecodeRuneInString(s[i:])
		piece := visible(r, w, s[i])
		k := utf8.RuneCountInString(piece)
		if n+k > max {
			return cut(b.String())
		}
		b.WriteString(piece)
		n += k
		i += w
	}
	return b.String()
}

// cut marks text as cut, once: text that was cut before and fits keeps its mark.
func cut(s string) string { return strings.TrimSuffix(s, "…") + "…" }

func visible(r rune, width int, first byte) string {
	switch {
	case r == utf8.RuneError && width == 1:
		return fmt.Sprintf(`\x%02x`, first)
	case r == '\n':
		return `\n`
	case r == '\t':
		return " "
	case hidden(r):
		return fmt.Sprintf(`\u{%x}`, r)
	}
	return string(r)
}

// hidden tells whether a rune acts on a terminal or a reader without being seen.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
		return true
	case r == 0x2028, r == 0x2029, 0xfe00 <= r && r <= 0xfe0f, 0xe0000 <= r && r <= 0xe01ef:
		return true
	}
	return false
}
