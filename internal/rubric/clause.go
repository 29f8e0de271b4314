package rubric

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Limits of what a plan reads of a criterion: more words ask nothing new, and
// looking for every phrase in them takes its time.
const (
	maxPassage  = 8 << 10  // bytes of one text
	maxWords    = 32 << 10 // bytes of all texts
	maxPassages = 24
)

// passage is one text of a criterion, cut into sentences.
type passage struct {
	text   string
	low    string // text with its ASCII letters in lower case, byte for byte as long
	fault  bool   // it describes what is wrong
	wanted bool   // all of it is asked for: the instruction, and what earns the most
	loose  bool   // words for judges: too loose to take single identifiers from
	parts  []sentence
}

// sentence is a sentence of a passage with its clauses, all by offset.
type sentence struct {
	from, to int
	clauses  []clause
	roles    []roleWord
}

// newPassage cuts a text.
func newPassage(text string, fault, loose bool) passage {
	p := passage{text: strings.ToValidUTF8(text[:min(len(text), maxPassage)], ""), fault: fault, loose: loose}
	p.low = lower(p.text)
	for _, s := range sentences(p.text) {
		p.parts = append(p.parts, sentence{from: s[0], to: s[1], clauses: p.clauses(s[0], s[1]), roles: roleWords(p.low, s[0], s[1])})
	}
	return p
}

// lower changes ASCII letters only, so that offsets stay.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// at is the clause in which a place lies.
func (s sentence) at(place int, fault bool) clause {
	for _, c := range s.clauses {
		if place >= c.from && place < c.to {
			return c
		}
	}
	return clause{from: s.from, to: s.to, fault: fault}
}

// clause is a part of a sentence that says one thing, wanted or not.
type clause struct {
	from, to int  // offsets in its passage
	fault    bool // it describes what is wrong
	negated  bool // it begins with a word that turns its sense
	cut      bool // another clause that turns the sense follows without a pause
}

// polarity is what a word of the clause is asked for: a fault that is there is
// to be avoided, one whose opposite is missing is wanted.
func (c clause) polarity() court.Polarity {
	if c.fault != c.negated {
		return court.Avoid
	}
	return court.Want
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?]+(?:['"”’)\]]*)(?:\s+|$)|\n+`)
	pause       = regexp.MustCompile(`[;,:—–]\s|\s[—–-]\s|\s\(|\)(?:[\s.,;:]|$)|\s(?:but|while|whereas)\s`)
	turns       = regexp.MustCompile(`(?i)\b(?:no|not|never|nothing|none|nobody|nowhere|neither|nor|free of|without|cannot|isn't|aren't|doesn't|don't|instead of|rather than)\b`)
	notTurns    = regexp.MustCompile(`(?i)^not (?:only|just|limited)\b|^no (?:more|fewer|less) than\b`)
	blames      = regexp.MustCompile(`(?i)\b(?:avoid\w*|raw|forbid\w*|forbidden|violat\w*|flag (?:if|any|when)|fail if|penali[sz]e\w*|charge\w*|downgrade\w*|score (?:of )?[12]\b)`)
	lacks       = regexp.MustCompile(`(?i)\b(?:missing|lack(?:s|ing)?|absent|absence of)\b`)
)

// sentences are the sentences of s as pairs of offsets.
func sentences(s string) [][2]int {
	var out [][2]int
	from := 0
	for _, m := range sentenceEnd.FindAllStringIndex(s, -1) {
		if strings.TrimSpace(s[from:m[0]]) != "" && !abbreviated(s[from:m[0]]) {
			out = append(out, [2]int{from, m[1]})
			from = m[1]
		}
	}
	if strings.TrimSpace(s[from:]) != "" {
		out = append(out, [2]int{from, len(s)})
	}
	return out
}

// abbreviated tells whether the stop after s ends no sentence.
func abbreviated(s string) bool {
	for _, a := range []string{"e.g", "i.e", "etc", "vs", "cf", "incl"} {
		if strings.HasSuffix(s, a) {
			return true
		}
	}
	return false
}

// clauses cuts one sentence at its pauses, but not inside quotes.
func (p passage) clauses(from, to int) []clause {
	s := p.text[from:to]
	inside := quotes.FindAllStringIndex(s, -1)
	quoted := func(at int) bool {
		return slices.ContainsFunc(inside, func(q []int) bool { return q[0] < at && at < q[1]-1 })
	}
	var out []clause
	at := 0
	add := func(end int) {
		if end > at {
			out = append(out, p.turned(from+at, from+end, func(i int) bool { return quoted(i + at) })...)
		}
		at = end
	}
	for _, m := range pause.FindAllStringIndex(s, -1) {
		if !quoted(m[0]) {
			add(m[0])
		}
	}
	add(len(s))
	return out
}

// turned cuts a part before each word that turns the sense.
func (p passage) turned(from, to int, quoted func(int) bool) []clause {
	s := p.text[from:to]
	fault := p.fault || blames.MatchString(s)
	if lacks.MatchString(s) {
		// What is missing is wanted, wherever that is said.
		return []clause{{from: from, to: to, fault: fault, negated: fault}}
	}
	var out []clause
	at, negated := 0, false
	for _, m := range turns.FindAllStringIndex(s, -1) {
		if notTurns.MatchString(s[m[0]:]) || quoted(m[0]) || negated && strings.EqualFold(s[m[0]:m[1]], "nor") {
			continue
		}
		if m[0] > at {
			out = append(out, clause{from: from + at, to: from + m[0], fault: fault, negated: negated, cut: true})
		}
		at, negated = m[0], true
	}
	return append(out, clause{from: from + at, to: to, fault: fault, negated: negated})
}
