package passage

import "strings"

// Squeeze drops white space and hyphens, which differ between a text and its
// print: what is quoted is compared without them.
func Squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\n', '\r', '\f', '\v', '-', '\u00ad', '\u00a0', '\u2010', '\u2011', 0x02:
			return -1
		}
		return r
	}, s)
}
