package court

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Clean makes foreign text fit for one line of whatever is shown to people, at
// most limit runes long; see safetext.Text.
func Clean(s string, limit int) string { return safetext.Text(s, limit) }

// Count is a number with its noun: "1 place", "3 places".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

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
