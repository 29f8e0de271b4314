package document

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// shingle is how many words in a row are taken for somebody else's, and
// borrowedShare the share of them from which a sentence is: a design choice.
const (
	shingle                   = 8
	borrowedShare court.Fixed = 2000
)

// base is the text of the assignment as rows of words.
type base struct {
	rows map[string]bool
}

// maxBase bounds the rows of a huge rubric.
const maxBase = 200_000

// assigned is the base of the scene's assignment, made once.
func assigned(s *probe.Scene) (base, error) {
	return probe.Shared(s, "document.assignment", func() (base, error) { return baseOf(s.Assignment()), nil })
}

func baseOf(texts []string) base {
	b := base{rows: map[string]bool{}}
	for _, t := range texts {
		w := tokens(t)
		for i := 0; i+shingle <= len(w) && len(b.rows) < maxBase; i++ {
			b.rows[strings.Join(w[i:i+shingle], " ")] = true
		}
	}
	return b
}

var word = regexp.MustCompile(`[\p{L}\p{N}_]+`)

func tokens(text string) []string { return word.FindAllString(strings.ToLower(text), -1) }

// share is how many words of a text stand in rows of the assignment, and how
// many there are.
func (b base) share(text string) (in, of int) {
	w := tokens(text)
	covered := 0 // words before this index are counted already
	for i := 0; i+shingle <= len(w) && len(b.rows) > 0; i++ {
		if b.rows[strings.Join(w[i:i+shingle], " ")] {
			in += i + shingle - max(covered, i)
			covered = i + shingle
		}
	}
	return in, len(w)
}

// borrowed tells whether a sentence is the assignment's.
func (b base) borrowed(sentence string) bool {
	in, of := b.share(sentence)
	return of > 0 && court.Fixed(in)*court.One > borrowedShare*court.Fixed(of)
}

// joints are the words that hold a sentence together; a list of terms has none.
var joints = regexp.MustCompile(`(?i)\b(?:the|a|an|to|of|by|is|are|was|were|in|on|with|that|which|for|from|into|as|when|while|and|or|if|it|its|this|each|not|be|at|than|then|so|because|their|they|we|our|after|before|between|only|all)\b`)

var parting = regexp.MustCompile(`[,;|•·]`)

// enumerated tells a list of terms from a sentence.
func enumerated(sentence string) bool {
	n := words(sentence)
	return n > 8 && len(parting.FindAllString(sentence, 4)) > 2 && 10*len(joints.FindAllString(sentence, -1)) < n
}

// told is what a stretch says in words of its authors, each sentence once and
// lists of terms left out: what counts for an explanation.
func (s *stretch) told(from base) string {
	var out []string
	seen := map[string]bool{}
	for line := range strings.SplitSeq(s.text, "\n") {
		for _, one := range passage.Sentences(line) {
			key := strings.ToLower(passage.Squeeze(one))
			if seen[key] || enumerated(one) || from.borrowed(one) {
				continue
			}
			seen[key] = true
			out = append(out, unquoted(one))
		}
	}
	return strings.Join(out, "\n")
}

// unquoted is a sentence without what it quotes: the words of others explain nothing. A
// term of a few words that is set off by marks is the author's.
func unquoted(sentence string) string {
	return quotation.ReplaceAllStringFunc(sentence, func(q string) string {
		if words(q) > quotedTerm {
			return ""
		}
		return q
	})
}

// quotedTerm is how many words a term between marks may have.
const quotedTerm = 4

// A term that makes up more than one in so many words, and is there at least so
// often, is said and not explained. Both are choices of ours.
const (
	sparse = 8
	often  = 4
)

// stuffed tells whether a text repeats a term without saying much between.
func stuffed(text string, term *regexp.Regexp) bool {
	n := len(term.FindAllString(text, -1))
	return n >= often && n*sparse > words(text)
}
