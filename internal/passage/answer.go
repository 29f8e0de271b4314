package passage

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// Answers returns at most n passages that bear on a question, best first. A passage bears on it when it holds two
// words of the question that tell it from most others of the document, or one when the document knows no second, and
// when these words tell at least half as much as those of the passage that holds the most. Headings and tables of
// contents name things and say nothing of them, so they are left out.
func (x *Index) Answers(question string, n int) []Hit {
	words := x.telling(question)
	need := min(2, len(words))
	if need == 0 {
		return nil
	}
	var hits []Hit
	best := 0.0
	told := map[string]float64{}
	for doc, score := range x.search(question) {
		h := Hit{Passage: x.passages[doc], Score: score}
		if h.Passage.Kind == Heading || h.Passage.Kind == Contents {
			continue
		}
		var weight float64
		h.Words, weight = x.shared(words, doc)
		if len(h.Words) >= need {
			hits = append(hits, h)
			best, told[h.Passage.ID] = max(best, weight), weight
		}
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return 2*told[h.Passage.ID] < best })
	return hits[:min(max(n, 0), len(hits))]
}

// word is one of a question, as it stands there and as it is compared, with how much it tells: its inverse frequency.
type word struct {
	said, stem string
	weight     float64
}

// telling lists the words of a question, and the parts of its identifiers, that at most a quarter of the passages hold
// and at least one does. In a short document a word may occur in three.
func (x *Index) telling(question string) []word {
	const few, share = 3, 4
	var out []word
	note := func(said, stem string) {
		holders := len(x.words.postings[stem])
		switch {
		case len(stem) < 3 || holders == 0 || holders > max(few, len(x.passages)/share):
		case english.IsStopWord(stem) || slices.Contains(orders(), stem):
		case slices.ContainsFunc(out, func(w word) bool { return w.stem == stem }):
		default:
			out = append(out, word{said, stem, math.Log(1 + float64(len(x.passages))/float64(holders))})
		}
	}
	for said := range strings.FieldsFuncSeq(question, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	}) {
		parts := identifierParts(said)
		if len(parts) > 1 {
			note(said, strings.ToLower(strings.Trim(said, "_")))
		}
		for _, part := range parts {
			note(part, stem(part))
		}
	}
	return out
}

// orders are the stems by which instructions say what to do, and the words that any document about a program holds:
// they do not say what is looked for.
func orders() []string {
	return []string{"verifi", "check", "confirm", "ensur", "look", "find", "search", "scan", "inspect", "examin", "identifi", "determin",
		"whether", "exist", "contain", "use", "must", "flag", "evid", "criterion", "score", "code", "file", "document", "report", "project",
		"work", "result", "see", "doe", "everi", "present", "befor", "keep", "say", "show"}
}

// shared lists the words that a passage or a heading above it holds, and how much they tell together.
func (x *Index) shared(words []word, doc int) (said []string, weight float64) {
	for _, w := range words {
		if x.words.holds(w.stem, doc) && !slices.Contains(said, w.said) {
			said = append(said, w.said)
			weight += w.weight
		}
	}
	return said, weight
}
