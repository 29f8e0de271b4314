package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// terms are the words of a text for ranking: stems in lower case, and of identifiers and paths also their parts, so
// that "chief justice" finds ChiefJustice and "repo tools" finds src/tools/repo_tools.py.
func terms(text string, stem func(string) string) []string {
	var found []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	}) {
		parts := identifierParts(word)
		for _, part := range parts {
			found = append(found, stem(part))
		}
		if len(parts) > 1 {
			found = append(found, strings.ToLower(strings.Trim(word, "_")))
		}
	}
	return found
}

// wordBytes is the longest word that is stemmed; longer ones are data.
const wordBytes = 64

func stem(word string) string {
	word = strings.ToLower(word)
	if len(word) > wordBytes {
		return word
	}
	return english.Stem(word, true)
}

// identifierParts splits snake_case, camelCase and HTTPServer; digits stay with the letters before them.
func identifierParts(word string) []string {
	var parts []string
	for piece := range strings.SplitSeq(word, "_") {
		parts = append(parts, camelParts(piece)...)
	}
	return parts
}

func camelParts(piece string) []string {
	var parts []string
	runes := []rune(piece)
	start := 0
	for i := 1; i < len(runes); i++ {
		up := unicode.IsUpper(runes[i])
		afterLower := up && !unicode.IsUpper(runes[i-1])
		beforeLower := up && i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if afterLower || beforeLower {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	if start < len(runes) {
		parts = append(parts, string(runes[start:]))
	}
	return parts
}

// trigrams are the overlapping triples of characters of each word, with its edges marked: they forgive inflection,
// broken words and typing errors.
func trigrams(text string) []string {
	var found []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if len(word) > wordBytes {
			continue
		}
		padded := " " + word + " "
		for i := range padded {
			end := i
			for range 3 {
				_, n := utf8.DecodeRuneInString(padded[end:])
				end += n
			}
			if utf8.RuneCountInString(padded[i:end]) < 3 {
				break
			}
			found = append(found, padded[i:end])
		}
	}
	return found
}
