package safetext

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minName is the length, in characters, from which a name can be hidden:
// shorter ones would hit innocent words.
const minName = 3

// Aliases replaces the names of people and their addresses by person 1, person
// 2, … and puts them back. A name that is spelled in other letters, small or
// capital, has an alias of its own, so that nothing is lost. It holds no state
// but the names: the same text gives the same aliases, no matter who asks first. The
// nil Aliases hides nothing.
type Aliases struct {
	names [][]rune       // person 1 is the first
	by    map[rune][]int // positions in names by their first letter, folded; longest first
}

// NewAliases makes aliases for names and addresses, numbered in this order.
// Names under three characters are left out, and those that differ from an
// earlier one by capitals only; over none it is nil.
func NewAliases(names ...string) *Aliases {
	a := &Aliases{by: map[rune][]int{}}
	seen := map[string]bool{}
	for _, name := range names {
		name = strings.TrimSpace(name)
		folded := strings.Map(fold, name)
		if utf8.RuneCountInString(name) < minName || !utf8.ValidString(name) || seen[folded] {
			continue
		}
		seen[folded] = true
		first, _ := utf8.DecodeRuneInString(folded)
		a.by[first] = append(a.by[first], len(a.names))
		a.names = append(a.names, []rune(name))
	}
	if len(a.names) == 0 {
		return nil
	}
	for _, at := range a.by {
		slices.SortStableFunc(at, func(i, k int) int { return cmp.Compare(len(a.names[k]), len(a.names[i])) })
	}
	return a
}

// Hide is s with an alias in the place of each name that stands there as a word
// of its own, in any capitals; where several begin, the longest.
func (a *Aliases) Hide(s string) string {
	if a == nil {
		return s
	}
	var b strings.Builder
	before := ' '
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !word(before) {
			if alias, n := a.at(s[i:], fold(r)); n > 0 {
				b.WriteString(alias)
				i += n
				before, _ = utf8.DecodeLastRuneInString(s[:i])
				continue
			}
		}
		b.WriteString(s[i : i+size])
		before, i = r, i+size
	}
	return b.String()
}

// at is the alias of the longest name that s begins with, and that name's
// length in bytes.
func (a *Aliases) at(s string, first rune) (alias string, length int) {
	for _, k := range a.by[first] {
		n, turns := spelled(a.names[k], s)
		if after, _ := utf8.DecodeRuneInString(s[n:]); n == 0 || n < len(s) && word(after) {
			continue
		}
		alias = fmt.Sprintf("person %d", k+1)
		if turns != "" {
			alias += "x" + turns
		}
		return alias, n
	}
	return "", 0
}

// spelled is how many bytes of s spell the name, 0 for none, and how: for each
// letter how many steps of case folding lead from the name's to that of s.
func spelled(name []rune, s string) (n int, turns string) {
	steps := make([]byte, 0, len(name))
	for _, want := range name {
		r, size := utf8.DecodeRuneInString(s[n:])
		if size == 0 || r == utf8.RuneError && size == 1 {
			return 0, ""
		}
		step := byte('0')
		for f := want; f != r; step++ {
			if f = unicode.SimpleFold(f); f == want {
				return 0, ""
			}
		}
		steps = append(steps, step)
		n += size
	}
	return n, strings.TrimRight(string(steps), "0")
}

var alias = regexp.MustCompile(`person ([1-9][0-9]{0,8})(?:x([0-3]+))?`)

// Restore is s with each alias turned into the name that it stands for, as it
// was spelled.
func (a *Aliases) Restore(s string) string {
	if a == nil {
		return s
	}
	var b strings.Builder
	done := 0
	for _, m := range alias.FindAllStringSubmatchIndex(s, -1) {
		before, _ := utf8.DecodeLastRuneInString(s[:m[0]])
		after, _ := utf8.DecodeRuneInString(s[m[1]:])
		k, err := strconv.Atoi(s[m[2]:m[3]])
		if err != nil || k > len(a.names) || m[0] > 0 && word(before) || m[1] < len(s) && word(after) {
			continue
		}
		turns := ""
		if m[4] >= 0 {
			turns = s[m[4]:m[5]]
		}
		name, ok := turned(a.names[k-1], turns)
		if !ok {
			continue
		}
		b.WriteString(s[done:m[0]] + name)
		done = m[1]
	}
	return b.String() + s[done:]
}

// turned is the name in the spelling that the steps tell.
func turned(name []rune, turns string) (string, bool) {
	if len(turns) > len(name) {
		return "", false
	}
	out := slices.Clone(name)
	for i, step := range []byte(turns) {
		for range step - '0' {
			out[i] = unicode.SimpleFold(out[i])
		}
	}
	return string(out), true
}

// fold is the least of the runes that differ from r by case only.
func fold(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// word tells whether a rune belongs to a word, so that no name begins or ends
// beside it.
func word(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
