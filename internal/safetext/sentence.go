package safetext

import (
	"strings"
	"unicode/utf8"
)

// Sentence makes a sentence of a reason: with a capital, unless it begins with a name that
// has other letters than a word, and with a full stop.
func Sentence(why string) string {
	why = strings.TrimSpace(why)
	if why == "" {
		return ""
	}
	word, _, _ := strings.Cut(why, " ")
	if !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
		why = strings.ToUpper(why[:1]) + why[1:]
	}
	if last, _ := utf8.DecodeLastRuneInString(why); strings.ContainsRune(".!?…", last) {
		return why
	}
	return why + "."
}
