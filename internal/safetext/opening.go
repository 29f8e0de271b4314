package safetext

import (
	"slices"
	"strings"
)

// openers are words that our own sentences begin with. Any other first word may be a
// name of the submission's, whose letters stay as they are.
var openers = strings.Fields("a all an at between both by calls commits definitions each every files first identifiers imports in input it its more neither " +
	"no nobody none not nothing of on one only over own places public published some that the there these this tracked two uses what when where whether with")

// Ours tells whether a text begins with a word that is plainly ours.
func Ours(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	word = strings.TrimRight(word, ",:;")
	low := strings.ToLower(word)
	return slices.Contains(openers, low) && (word == low || word == Capital(low))
}

// Small writes the first letter small where the first word is plainly ours, so that the
// text can go on behind a colon or a dash.
func Small(s string) string {
	if !Ours(s) {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
