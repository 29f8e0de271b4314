package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// likeness is how the three prompts compare.
type likeness struct {
	personas int         // judges with words of their own
	known    bool        // all three have a text
	most     court.Fixed // largest similarity of the three pairs
	a, b     persona     // the pair that is most alike
	whole    bool        // whole prompts were compared: the own parts are too short
}

var (
	holes     = regexp.MustCompile(`\{[^{}]*\}`)
	sentences = regexp.MustCompile(`[.!?;:]\s+|\n+`)
	roleNames = map[string]bool{"prosecutor": true, "prosecution": true, "defense": true, "defence": true, "attorney": true, "tech": true, "lead": true, "techlead": true, "judge": true}
)

// minOwn is the fewest words of a persona's own text that are compared by
// themselves (the labelled repositories' distinct personas have more).
const minOwn = 10

// minPersona is the fewest own words that make a persona.
const minPersona = 2

// compare measures the three prompts. Each judge's whole prompt is its own
// text and what that is put into.
func compare(pr *prompts) likeness {
	var whole, own [3]map[string]bool
	l := likeness{known: true}
	for i := range pr.own {
		if len(pr.own[i].parts) == 0 {
			l.known = false
		}
		whole[i] = wordSet(pr.own[i].text() + "\n" + pr.frame.text())
	}
	short := false
	for i := range own {
		text := personaText(pr, persona(i))
		own[i] = wordSet(text)
		short = short || len(strings.Fields(text)) < minOwn
	}
	l.personas = countPersonas(pr)
	if !l.known {
		return l
	}
	compared := own
	if l.whole = short; short {
		compared = whole
	}
	for i := range 3 {
		for j := i + 1; j < 3; j++ {
			if s := jaccard(compared[i], compared[j]); s >= l.most {
				l.most, l.a, l.b = s, persona(i), persona(j)
			}
		}
	}
	return l
}

// personaText are a judge's sentences that not all three have.
func personaText(pr *prompts, judge persona) string {
	var sets [3]map[string]bool
	for i := range sets {
		sets[i] = pieces(pr.own[i].text())
	}
	var kept []string
	for s := range sets[judge] {
		if !(sets[0][s] && sets[1][s] && sets[2][s]) {
			kept = append(kept, s)
		}
	}
	slices.Sort(kept)
	return strings.Join(kept, "\n")
}

// countPersonas counts the judges with at least two words beyond the role name
// that neither other prompt has.
func countPersonas(pr *prompts) int {
	n := 0
	var sets [3]map[string]bool
	for i := range pr.own {
		sets[i] = wordSet(pr.own[i].text())
	}
	for i := range sets {
		own := 0
		for w := range sets[i] {
			if !sets[(i+1)%3][w] && !sets[(i+2)%3][w] {
				own++
			}
		}
		if own >= minPersona {
			n++
		}
	}
	return n
}

// pieces are the sentences of a text without template holes and role names.
func pieces(text string) map[string]bool {
	out := map[string]bool{}
	for _, s := range sentences.Split(holes.ReplaceAllString(text, " "), -1) {
		var kept []string
		for _, w := range split(strings.ToLower(s)) {
			if !roleNames[w] {
				kept = append(kept, w)
			}
		}
		if len(kept) > 0 {
			out[strings.Join(kept, " ")] = true
		}
	}
	return out
}

// wordSet are the words of a text without template holes and role names.
func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range split(strings.ToLower(holes.ReplaceAllString(text, " "))) {
		if !roleNames[w] {
			out[w] = true
		}
	}
	return out
}

// jaccard is words in common over words in either.
func jaccard(a, b map[string]bool) court.Fixed {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	either := len(a) + len(b) - both
	if either == 0 {
		return court.One
	}
	return court.Fixed(int64(both) * int64(court.One) / int64(either))
}
