package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Sentences splits running text into sentences, trimmed and never empty, by Unicode's rule (UAX 29). That rule ends a
// sentence after every "e.g. The"; pieces are put together again after known abbreviations, initials and numbers, and
// before a lower-case letter or a closing mark. A list that a converter ran together ("Tools: - Git reads. - Clones
// go.") is taken apart at its dashes.
func Sentences(text string) []string {
	var found []string
	tokens := sentences.FromString(text)
	for tokens.Next() {
		piece := tokens.Value()
		if n := len(found); n > 0 && goesOn(found[n-1], piece) {
			found[n-1] += piece
			continue
		}
		found = append(found, piece)
	}
	var kept []string
	for _, s := range found {
		if strings.Contains(s, " - ") || strings.Contains(s, " – ") { // few have one, and the pattern is slow
			s = runIn.ReplaceAllString(s, "$1\x00")
		}
		for item := range strings.SplitSeq(s, "\x00") {
			if item = strings.TrimSpace(item); item != "" && item != "-" {
				kept = append(kept, item)
			}
		}
	}
	return kept
}

// runIn is the dash of a list item within a line.
var runIn = regexp.MustCompile(`([:.;!?]) +[-–] +`)

// goesOn says whether the next piece belongs to the sentence before.
func goesOn(before, next string) bool {
	trimmed := strings.TrimRight(before, " \t")
	if trimmed == "" || strings.HasSuffix(trimmed, "\n") {
		return false
	}
	next = strings.TrimLeft(next, " \t\n")
	begin, _ := utf8.DecodeRuneInString(next)
	if unicode.IsLower(begin) || strings.ContainsRune(")]}”’»,;:", begin) {
		return true
	}
	return strings.HasSuffix(trimmed, ".") && abbreviated(lastWord(trimmed))
}

// abbreviated knows words whose full stop does not end a sentence.
func abbreviated(word string) bool {
	word = strings.ToLower(strings.TrimLeft(strings.TrimSuffix(word, "."), "([{\"'“‘"))
	switch word {
	case "e.g", "i.e", "eg", "ie", "cf", "vs", "fig", "figs", "eq", "sec", "ch", "no", "nos", "vol", "pp", "p",
		"approx", "resp", "incl", "excl", "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "al", "viz", "ca",
		"dept", "est", "ref", "refs", "app", "max", "min", "avg", "ver", "v":
		return true
	}
	// An initial as in "J. Smith". Numbers are not abbreviations: "in version 2. The next" has two sentences.
	r, n := utf8.DecodeRuneInString(word)
	return n > 0 && n == len(word) && unicode.IsLetter(r) && r != 'i'
}
