package safetext

import (
	"strings"
	"unicode"
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
		why = Capital(why)
	}
	if last, _ := utf8.DecodeLastRuneInString(why); strings.ContainsRune(".!?…", last) {
		return why
	}
	return why + "."
}

// Capital writes the first letter of our own words large, as a sentence begins.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// List joins words as a sentence does: "a, b and c".
func List(words []string) string { return joined(words, " and ") }

// Either joins words as a sentence does that denies each of them: "a, b or c".
func Either(words []string) string { return joined(words, " or ") }

func joined(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + last + words[n]
}
