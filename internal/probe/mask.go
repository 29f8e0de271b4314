package probe

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// Secret is a key-shaped text in some source.
type Secret struct {
	Kind        string
	Line        int  // 1-based
	Placeholder bool // dummy, example or template: no real key
	from, to    int
	name        string // what it is given to; "" where the form alone tells
}

type secretRule struct {
	kind  string
	hints []string       // in lower case; where none of them stands the rule does not fit
	re    *regexp.Regexp // its last submatch is the secret; one before it the name that it is given to
}

// edge is where a key may begin: at a word's edge, after an underscore, which
// counts as a letter of the word, or after an escape of a quoted text, whose last
// letter would hide it.
const edge = `(?:\b|_|\\(?:[abefnrtv0]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|%[0-9a-fA-F]{2})`

// secretRules are the shapes of keys that are known by how they begin, and
// after them what only stands where a secret stands. Order decides where two
// fit. Private keys come before all of them: see keyBlocks.
var secretRules = sync.OnceValue(func() (out []secretRule) {
	for _, r := range tables.Of(tables.Key) {
		var hints []string
		for _, name := range r.Names {
			hints = append(hints, strings.ToLower(name))
		}
		out = append(out, secretRule{r.Role, hints, regexp.MustCompile(edge + "(" + r.Form + ")")})
	}
	stems := tables.Stems()
	return append(out,
		secretRule{"url_password", []string{"://"}, regexp.MustCompile(`(?:\b|_)[a-z][a-z0-9+.-]{1,15}://[^\s/:@'"<>{}$]{1,64}:([^\s/@'"<>{}$]{3,128})@`)},
		secretRule{assignment, stems, regexp.MustCompile(`(?i)(\b[a-z0-9_.-]{0,40}(?:` + strings.Join(stems, "|") +
			`)[a-z0-9_]{0,20})(?:\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?|["']\]\s{0,4}=\s{0,4}["'])([A-Za-z0-9+/_=.~-]{16,256})`)})
})

// assignment is a random text that is given to the name of a secret.
const assignment = "assignment"

// secretsIn lists the key-shaped texts, without their values, in order.
func secretsIn(text string) []Secret {
	out := keyBlocks(text)
	var taken []bool // by byte; made when there is something to take
	take := func(s Secret) bool {
		if taken == nil {
			taken = make([]bool, len(text))
		}
		if slices.Contains(taken[s.from:s.to], true) {
			return false
		}
		for i := s.from; i < s.to; i++ {
			taken[i] = true
		}
		return true
	}
	for _, s := range out {
		take(s)
	}
	low := strings.ToLower(text)
	for _, r := range secretRules() {
		if !slices.ContainsFunc(r.hints, func(h string) bool { return strings.Contains(low, h) }) {
			continue
		}
		for _, m := range r.re.FindAllStringSubmatchIndex(text, -1) {
			s := Secret{Kind: r.kind, from: m[len(m)-2], to: m[len(m)-1]}
			value := text[s.from:s.to]
			if r.kind == assignment {
				s.name = text[m[2]:m[3]]
				if !randomLooking(value) {
					continue
				}
				for s.to < len(text) && valueRune(rune(text[s.to])) { // all of a long one
					s.to++
				}
			}
			s.Placeholder = placeholder(value)
			if take(s) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b Secret) int { return cmp.Compare(a.from, b.from) })
	line, at := 1, 0
	for i := range out {
		line += strings.Count(text[at:out[i].from], "\n")
		at = out[i].from
		out[i].Line = line
	}
	return out
}

func valueRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("+/_=.~-", c)
}

// Mask replaces every key-shaped text that is not a placeholder by its kind. Line
// breaks stay, so that places stay true. Masking again changes nothing. Of a
// part of a file it sees less than of the whole: quotes are masked in place.
func Mask(text string) string { return redact(text, 0, len(text), secretsIn(text)) }

// redact is text[from:to] without the secrets, which are given in order and do
// not overlap.
func redact(text string, from, to int, secrets []Secret) string {
	var parts []string
	inParts(text, from, to, secrets, func(part string, _, _ int) { parts = append(parts, part) })
	return strings.Join(parts, "")
}

// inParts hands out text[from:to] in order: what stays as it stands, and what
// stands instead of a secret, each with the bytes it is of.
func inParts(text string, from, to int, secrets []Secret, part func(shown string, from, to int)) {
	at := from
	for _, s := range secrets {
		if s.Placeholder || s.to <= at || s.from >= to {
			continue
		}
		begin, end := max(s.from, at), min(s.to, to)
		if begin > at {
			part(text[at:begin], at, begin)
		}
		part("[redacted:"+s.Kind+"]"+strings.Repeat("\n", strings.Count(text[begin:end], "\n")), begin, end)
		at = end
	}
	if at < to {
		part(text[at:to], at, to)
	}
}

var placeholderWords = regexp.MustCompile(`(?i)your|xxx|change.?me|example|dummy|test|fake|sample|placeholder|insert|replace|redacted|\.\.\.|<|\$\{|environ|getenv`)

// placeholder tells a dummy from a key: a telling word, or fewer than eight
// different characters.
func placeholder(value string) bool {
	seen := map[rune]bool{}
	for _, r := range value {
		seen[r] = true
	}
	return len(seen) < 8 || placeholderWords.MatchString(value)
}

// randomLooking asks for at least 3.5 bits a character, a digit and a letter:
// a name or a sentence has less.
func randomLooking(value string) bool {
	counts := map[rune]float64{}
	digit, letter := false, false
	for _, r := range value {
		counts[r]++
		digit = digit || r >= '0' && r <= '9'
		letter = letter || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	bits, n := 0.0, float64(len(value))
	for _, c := range counts {
		bits -= c / n * math.Log2(c/n)
	}
	return digit && letter && bits >= 3.5
}
