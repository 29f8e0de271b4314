package probe

import (
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Armour of private keys: PEM (RFC 7468), OpenPGP (RFC 9580, 6.2) and SSH2.
var (
	keyHead = regexp.MustCompile(`-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}`)
	keyTail = regexp.MustCompile(`-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}`)
)

// keyBlocks lists the private keys of a text in order, with their armour. Of a
// key whose other end is missing it is what looks like its body; a head alone,
// as programs that look for keys have it, is a block too.
func keyBlocks(text string) []Secret {
	if !strings.Contains(text, "PRIVATE KEY") {
		return nil
	}
	var out []Secret
	add := func(from, to int) { out = append(out, Secret{Kind: "private_key", from: from, to: to}) }
	heads, tails := keyHead.FindAllStringIndex(text, -1), keyTail.FindAllStringIndex(text, -1)
	at := 0          // end of the last block, or of the last end that has no beginning
	var run armoured // what the last head stands in
	for len(heads) > 0 || len(tails) > 0 {
		switch {
		case len(heads) > 0 && heads[0][0] < at:
			heads = heads[1:]
		case len(tails) > 0 && tails[0][0] < at:
			tails = tails[1:]
		case len(heads) == 0 || len(tails) > 0 && tails[0][0] < heads[0][0]: // an end without a beginning
			if first := bodyBefore(text, at, tails[0][0]); first >= 0 {
				add(first, tails[0][1])
			}
			at, tails = tails[0][1], tails[1:]
		default:
			head := heads[0]
			if run.to < head[1] {
				run = armour(text, head[1])
			}
			to := head[1]
			if len(tails) > 0 && tails[0][0] <= run.to {
				to = tails[0][1]
			} else if run.body > head[1] {
				to = run.rest(text)
			}
			add(head[0], to)
			at, heads = to, heads[1:]
		}
	}
	return out
}

// armoured is a stretch of text in which only such characters stand as do
// between the ends of a key, in a file or in the strings of a program.
type armoured struct {
	to   int // its end
	body int // the end of its last long random part; 0: it has none
}

func armour(text string, from int) armoured {
	a := armoured{to: len(text)}
	if i := strings.IndexFunc(text[from:], func(c rune) bool { return !armourRune(c) }); i >= 0 {
		a.to = from + i
	}
	for _, m := range keyBody.FindAllStringIndex(text[from:a.to], -1) {
		if randomLooking(text[from+m[0] : from+m[1]]) {
			a.body = from + m[1]
		}
	}
	return a
}

// rest is the end of the line after the last long part, which may be short.
func (a armoured) rest(text string) int {
	to := a.body
	for range 2 {
		i := strings.IndexByte(text[to:a.to], '\n')
		if i < 0 {
			return a.to
		}
		to += i + 1
	}
	return to - 1
}

// bodyBefore is where the body begins that ends at a tail; -1: there is none.
func bodyBefore(text string, at, tail int) int {
	from := at + 1 + strings.LastIndexFunc(text[at:tail], func(c rune) bool { return !armourRune(c) })
	for _, m := range keyBody.FindAllStringIndex(text[from:tail], -1) {
		if randomLooking(text[from+m[0] : from+m[1]]) {
			return from + m[0]
		}
	}
	return -1
}

func armourRune(c rune) bool {
	return valueRune(c) || strings.ContainsRune(" \t\n\r\f\v:,\\\"'#*>|;", c)
}

var keyBody = regexp.MustCompile(`[A-Za-z0-9+/=]{48,}`)

// wholeKey asks for the body of a private key: the bare head occurs in programs
// that look for keys.
func wholeKey(text string) bool {
	return strings.Contains(text, "-----END") && slices.ContainsFunc(keyBody.FindAllString(text, -1), randomLooking)
}
