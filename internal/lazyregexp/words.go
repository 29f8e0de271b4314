package lazyregexp

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// words are texts of which every match of a pattern has one, whatever the case
// of its letters. Looking for them costs a fiftieth of what the pattern does,
// and most sentences and lines have none of them.
type words struct {
	group [256]uint8 // of a byte, the group of those that begin with it
	begin [][]string // by group, in small letters, ASCII; group 0 is empty

	foreign []rune // instead: ranges of signs beyond ASCII; each match has one of them
}

// Limits of words: a shorter one is everywhere, and more than so many take as
// long as the pattern.
const (
	shortest = 3
	most     = 64
)

// wordsOf are the words of a pattern; nil when there are none to look for.
func wordsOf(pattern string) *words {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	tree = tree.Simplify()
	if signs := foreign(tree); signs != nil {
		return &words{foreign: signs}
	}
	n := needOf(tree)
	all := better(n.one, n.whole)
	if all == nil {
		return nil
	}
	w := &words{begin: make([][]string, 1)}
	for _, s := range all {
		if w.group[s[0]] == 0 {
			w.begin = append(w.begin, nil)
			w.group[s[0]] = uint8(len(w.begin) - 1)
			w.group[strings.ToUpper(s)[0]] = w.group[s[0]]
		}
		w.begin[w.group[s[0]]] = append(w.begin[w.group[s[0]]], s)
	}
	return w
}

// within tells whether a text may have a match.
func within[T string | []byte](w *words, text T) bool {
	if w.foreign != nil {
		return beyond(text, w.foreign)
	}
	for i := range len(text) {
		for _, s := range w.begin[w.group[text[i]]] {
			if begins(text[i:], s) {
				return true
			}
		}
		if c := text[i]; c >= 0x80 && (begins(text[i:], longS) || begins(text[i:], kelvin)) {
			return true
		}
	}
	return false
}

// Two signs beyond ASCII are s and k to a pattern that takes no notice of case.
const (
	longS  = "\u017f"
	kelvin = "\u212a"
)

// begins tells whether a text begins with a word in small letters.
func begins[T string | []byte](text T, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// beyond tells whether a text has one of some signs beyond ASCII.
func beyond[T string | []byte](text T, signs []rune) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < utf8.RuneSelf {
			continue
		}
		r, _ := utf8.DecodeRuneInString(string(text[i:min(i+utf8.UTFMax, len(text))])) // within a sign it is none
		for k := 0; k < len(signs); k += 2 {
			if signs[k] <= r && r <= signs[k+1] {
				return true
			}
		}
	}
	return false
}

// foreign are ranges of signs beyond ASCII of which each match of a part of a pattern has one; nil when there are none.
func foreign(p *syntax.Regexp) []rune {
	switch p.Op {
	case syntax.OpLiteral:
		if i := slices.IndexFunc(p.Rune, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 && p.Flags&syntax.FoldCase == 0 {
			return []rune{p.Rune[i], p.Rune[i]}
		}
	case syntax.OpCharClass:
		if len(p.Rune) > 0 && p.Rune[0] >= utf8.RuneSelf {
			return p.Rune
		}
	case syntax.OpCapture, syntax.OpPlus:
		return foreign(p.Sub[0])
	case syntax.OpConcat:
		for _, s := range p.Sub {
			if signs := foreign(s); signs != nil {
				return signs
			}
		}
	case syntax.OpAlternate:
		var all []rune
		for _, s := range p.Sub {
			signs := foreign(s)
			if signs == nil {
				return nil
			}
			all = append(all, signs...)
		}
		return all
	default:
	}
	return nil
}

// need is what matches of a part of a pattern are like: whole are all texts
// that it matches, nil when they are too many; of one, each match has one.
type need struct{ whole, one []string }

func needOf(p *syntax.Regexp) need {
	switch p.Op {
	case syntax.OpLiteral:
		return need{whole: letters(p.Rune)}
	case syntax.OpCharClass:
		return need{whole: class(p.Rune)}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return need{whole: []string{""}}
	case syntax.OpCapture:
		return needOf(p.Sub[0])
	case syntax.OpPlus:
		n := needOf(p.Sub[0])
		return need{one: better(n.one, n.whole)}
	case syntax.OpQuest:
		if n := needOf(p.Sub[0]); n.whole != nil && len(n.whole) < most {
			return need{whole: unique(append([]string{""}, n.whole...))}
		}
	case syntax.OpConcat:
		return sequence(p.Sub)
	case syntax.OpAlternate:
		return choice(p.Sub)
	default: // anything may stand there
	}
	return need{}
}

// sequence multiplies what follows each other for as long as it stays few; of
// the stretches that it makes, the best is looked for.
func sequence(parts []*syntax.Regexp) need {
	out := need{whole: []string{""}}
	run := []string{""}
	for _, p := range parts {
		n := needOf(p)
		out.one = better(out.one, n.one)
		if n.whole != nil && len(run)*len(n.whole) <= most {
			run = product(run, n.whole)
			continue
		}
		out.whole = nil
		out.one = better(out.one, run)
		run = []string{""}
		if n.whole != nil {
			run = n.whole
		}
	}
	if out.whole != nil {
		return need{whole: run, one: out.one}
	}
	out.one = better(out.one, run)
	return out
}

func product(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return unique(out)
}

func choice(parts []*syntax.Regexp) need {
	out := need{whole: []string{}, one: []string{}}
	for _, p := range parts {
		n := needOf(p)
		if one := better(n.one, n.whole); out.one == nil || one == nil || len(out.one)+len(one) > most {
			out.one = nil
		} else {
			out.one = append(out.one, one...)
		}
		if out.whole == nil || n.whole == nil || len(out.whole)+len(n.whole) > most {
			out.whole = nil
		} else {
			out.whole = append(out.whole, n.whole...)
		}
	}
	return out
}

// better is which of two sets is the better one to look for: nil is none, and
// a set with a short word is worth nothing.
func better(a, b []string) []string {
	if worth(b) > worth(a) {
		return unique(b)
	}
	if worth(a) == 0 {
		return nil
	}
	return a
}

func worth(set []string) int {
	if len(set) == 0 {
		return 0
	}
	n := len(slices.MinFunc(set, func(a, b string) int { return len(a) - len(b) }))
	if n < shortest {
		return 0
	}
	return n
}

// letters are a literal in small letters, nil when a rune of it is not ASCII.
func letters(runes []rune) []string {
	if slices.ContainsFunc(runes, func(r rune) bool { return r >= 0x80 }) {
		return nil
	}
	return []string{strings.ToLower(string(runes))}
}

// class are the letters of a small class.
func class(ranges []rune) []string {
	var out []string
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] >= 8 || len(out) > 8 {
			return nil
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			one := letters([]rune{r})
			if one == nil && !strings.ContainsRune(longS+kelvin, r) {
				return nil
			}
			out = append(out, one...)
		}
	}
	return unique(out)
}

func unique(set []string) []string {
	set = slices.Clone(set)
	slices.Sort(set)
	return slices.Compact(set)
}
