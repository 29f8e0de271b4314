// Package safetext makes text of foreign origin safe to show.
//
// It stands below every other room, as instruments and reports alike quote what
// strangers wrote. It knows no format: escaping for HTML, Markdown or CSV is the
// business of the one who writes those.
package safetext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text makes a string fit for one line of a terminal, a log, a report or an
// error: what could move a cursor, hide or reorder text is written out. Invalid
// bytes become \xNN, a newline \n, a tab a blank; control, format, private-use
// and separator runes, variation selectors, tag characters and letters without
// a shape become \u{hex}.
// At most limit runes come out, the last of them an ellipsis when something was
// cut; escapes are never cut in half. A limit ≤ 0 is none. It is idempotent.
func Text(s string, limit int) string {
	var b strings.Builder
	ends := []int{0} // lengths of b at which a cut is clean
	n, runes := 0, []int{0}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		piece := visible(r, size, s[i])
		n += utf8.RuneCountInString(piece)
		if limit > 0 && n > limit {
			k := len(ends) - 1
			for runes[k] > limit-1 && k > 0 {
				k--
			}
			return b.String()[:ends[k]] + "…"
		}
		b.WriteString(piece)
		if limit > 0 {
			ends, runes = append(ends, b.Len()), append(runes, n)
		}
		i += size
	}
	return b.String()
}

func visible(r rune, size int, first byte) string {
	switch {
	case r == utf8.RuneError && size == 1:
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
	case r == 0x2028, r == 0x2029, unicode.Is(unicode.Variation_Selector, r), 0xe0000 <= r && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) // fillers and joiners of no width
}

// JSON makes a JSON text fit for a terminal, a log or a page: what Text would
// write out stands escaped in its strings. No value changes, so it is
// idempotent and reads back as it was.
func JSON(raw []byte) []byte {
	out, at := []byte(nil), 0
	for i := 0; i < len(raw); {
		r, size := rune(raw[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(raw[i:])
		}
		if r >= 0x7f && (hidden(r) || r == utf8.RuneError && size == 1) { // what is below stands between tokens only
			out = append(out, raw[at:i]...)
			if hi, lo := utf16.EncodeRune(r); r > 0xffff {
				out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
			at = i + size
		}
		i += size
	}
	if at == 0 {
		return raw
	}
	return append(out, raw[at:]...)
}
