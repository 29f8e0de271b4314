package rubric

import (
	"slices"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Limits of what a plan says that it does not ask.
const (
	maxUnasked    = 6  // checks of one criterion
	unaskedWeight = 3  // as a known phrase: one thing that the author wants; of a single word 1
	maxPart       = 80 // characters of a quoted part
)

// unaskedProbe answers, of every text, that no detective can look for it.
const unaskedProbe = "text.unasked"

// Unasked tells whether a check stands for words that nothing looks for. Its
// answer is always unknown.
func Unasked(c court.Check) bool { return len(c.Asks) == 1 && c.Asks[0].Probe == unaskedProbe }

// open are the checks for what the words of a planned criterion want and no
// check asks. They keep a plan honest: what nobody looked for is in doubt, it
// does not hold because the rest does.
func open(d *draft) []court.Check {
	var out []want
	for _, part := range notAsked(d) {
		if len(out) == maxUnasked {
			break
		}
		ask := court.Ask{Probe: unaskedProbe, Args: map[string]any{"words": part}}
		if msg, _ := d.known.refuse(ask); d.known != nil && msg != "" {
			return nil // a build that cannot say so
		}
		weight := unaskedWeight
		if len(substance.FindAllString(part, 2)) < 2 {
			weight = 1
		}
		out = append(out, want{Check: court.Check{ID: "not-asked", Weight: weight, Facet: court.Design, Polarity: court.Want,
			Asks: []court.Ask{ask}, Text: "It is as the rubric says: " + part, Scope: "production"}})
	}
	return named(out, d.Checks)
}

var (
	// substance is a word that may ask for something.
	substance = regexp.MustCompile(`[\p{L}_]{4,}`)
	// orders are the words by which instructions are given and what they are
	// about in general; they ask for nothing.
	orders = regexp.MustCompile(`(?i)^(?:verif|check|ensur|evaluat|assess|inspect|requir|validat|examin|identif|review|look|confirm|determin|measur|scan|trace|focus|find|search|criteri|rubric|whether|must|should|shall|does|have|been|were|that|this|there|these|their|them|then|with|from|into|using|uses?$|used$|code$|codebase|repositor|project|program|system|implement|present$|properly|correct|clear|where|which|when|what|each|every|other|such|also|only|least|more|than|well$|very|good$|include|contain|provid|support|produc|equivalent|similar|etc$)`)
	// opening are the words by which a part hangs on the one before.
	opening = regexp.MustCompile(`(?i)^(?:and|or|but|then|with|that)\s+`)
	// joints are where a clause names one thing more.
	joints = regexp.MustCompile(`\s(?:and|or|plus|&|\+)\s`)
	// isExample is how an example begins that stands in brackets.
	isExample = regexp.MustCompile(`^\(\s*(?:e\.?\s?g\.?|such as|for example|for instance|like)\b`)
)

// notAsked are the parts of a criterion's wanted texts from which no check was
// made, in order. Parts without a word that says anything ask for nothing.
func notAsked(d *draft) []string {
	texts := passages(d)
	asked := make([][][2]int, len(texts))
	for _, t := range topics() {
		covered := make([][][2]int, len(texts))
		if len(t.find(d, texts, covered)) > 0 {
			for i := range covered {
				asked[i] = append(asked[i], covered[i]...)
			}
		}
	}
	var out []string
	for i, p := range texts {
		if !p.wanted {
			continue
		}
		for _, w := range identifiers(d, p, nil) {
			asked[i] = append(asked[i], [2]int{w.at, w.at + 1})
		}
		for _, part := range p.parts {
			for _, span := range p.things(part) {
				words := p.text[span[0]:span[1]]
				met := slices.ContainsFunc(asked[i], func(s [2]int) bool { return s[0] < span[1] && span[0] < s[1] })
				if !met && says(words) && !p.inExample(part, span[0]+strings.IndexFunc(words, unicode.IsLetter)) {
					if words = tidied(words); !slices.Contains(out, words) && !isFile.MatchString(strings.Trim(words, "'`\"")) {
						out = append(out, words)
					}
				}
			}
		}
	}
	return out
}

// things are the spans of a sentence that may each ask for one thing: clauses,
// cut where they name another one. Both sides of a cut say something.
func (p passage) things(part sentence) [][2]int {
	var out [][2]int
	for _, c := range part.clauses {
		from := c.from
		for _, m := range joints.FindAllStringIndex(p.text[c.from:c.to], -1) {
			if says(p.text[from:c.from+m[0]]) && says(p.text[c.from+m[1]:c.to]) {
				out = append(out, [2]int{from, c.from + m[0]})
				from = c.from + m[1]
			}
		}
		out = append(out, [2]int{from, c.to})
	}
	return out
}

// says tells whether words may ask for something.
func says(words string) bool {
	return slices.ContainsFunc(substance.FindAllString(words, -1), func(w string) bool { return !orders.MatchString(w) })
}

// inExample tells whether a place stands in brackets that give examples: they
// show what is meant, and ask for none of it.
func (p passage) inExample(part sentence, at int) bool {
	before := p.low[part.from:at]
	opens := strings.LastIndexByte(before, '(')
	return opens > strings.LastIndexByte(before, ')') && isExample.MatchString(p.low[part.from+opens:])
}

// tidied is a part as it is quoted.
func tidied(words string) string {
	words = opening.ReplaceAllString(strings.Trim(words, " ,;:.?!()—–-\n\t"), "")
	return court.Clean(words, maxPart)
}
