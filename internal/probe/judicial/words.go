package judicial

import (
	"slices"
	"strings"
	"unicode"
)

// split cuts an identifier or a text into lower-case words: at everything that
// is not a letter or digit, and where a small letter meets a capital one.
func split(s string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	rs := []rune(s)
	for i, r := range rs {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])) {
			flush()
		}
		b.WriteRune(r)
	}
	flush()
	return out
}

// starts reports whether a word begins with one of the stems.
func starts(words []string, stems ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(stems, func(s string) bool { return strings.HasPrefix(w, s) })
	})
}

// has reports whether one of the words is there.
func has(words []string, any ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
}

// persona is one of the three judges.
type persona int

const (
	prosecutor persona = iota
	defense
	techLead
	nobody persona = -1
)

// personas lists the judges by the names that the rubric's checks use.
var personas = [...]string{prosecutor: "prosecutor", defense: "defense", techLead: "tech_lead"}

// title is the judge's name for readers.
func (p persona) title() string { return [...]string{"prosecutor", "defense", "tech lead"}[p] }

// who reads a judge from the words of a name; nobody when it names none or
// several.
func who(words []string) persona {
	found := nobody
	add := func(p persona) {
		switch found {
		case nobody, p:
			found = p
		default:
			found = -2
		}
	}
	if starts(words, "prosecut") {
		add(prosecutor)
	}
	if starts(words, "defense", "defence", "defender", "advocate") {
		add(defense)
	}
	if has(words, "techlead", "technicallead") {
		add(techLead)
	}
	for i := 1; i < len(words); i++ {
		if words[i] == "lead" && (words[i-1] == "tech" || words[i-1] == "technical") {
			add(techLead)
		}
	}
	return max(found, nobody)
}
