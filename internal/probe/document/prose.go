package document

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/passage"
)

// Running English has three small words in ten, terse notes one in ten, and no
// sentence of two hundred words has under one in six. What is far from that is
// a list of words: terms in a row explain nothing.
const (
	heapWords    = 40   // shorter ones may be terse
	heapShare    = 0.05 // of small words, at most
	longSentence = 200
	longShare    = 0.15
)

// explains tells whether a passage is running text that may explain something.
func explains(p *passage.Passage) bool { return prose(p) && !wordList(p.Text) }

func wordList(text string) bool {
	all, small := smallWords(text)
	if all < heapWords {
		return false
	}
	if float64(small) < heapShare*float64(all) {
		return true
	}
	for _, s := range passage.Sentences(text) {
		if n, of := smallWords(s); n >= longSentence && float64(of) < longShare*float64(n) {
			return true
		}
	}
	return false
}

func smallWords(text string) (all, small int) {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		all++
		if smallWord(strings.Trim(w, ".,;:!?()\"'")) {
			small++
		}
	}
	return all, small
}

func smallWord(w string) bool {
	switch w {
	case "a", "an", "the", "and", "or", "but", "nor", "so", "if", "of", "to", "in", "on", "at", "by", "for", "from", "with", "as", "into",
		"over", "than", "then", "that", "this", "these", "those", "which", "who", "when", "where", "while", "before", "after", "until",
		"it", "its", "they", "their", "them", "we", "our", "us", "you", "your", "he", "she", "i", "is", "are", "was", "were", "be", "been",
		"being", "has", "have", "had", "do", "does", "did", "not", "no", "can", "could", "may", "must", "will", "would", "should", "each",
		"every", "all", "any", "some", "one", "via", "per", "between", "through", "because", "since", "also", "only", "both", "same", "there":
		return true
	}
	return false
}
