package rubric

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// The phrases that lead to probes. They stand here
// and not with the probes, because one phrase leads to several probes with
// arguments, and which one depends on the words around it.
//
//go:embed plan/topics.json
var topicsJSON []byte

// topic is one row: a phrase and the checks that it leads to. The first match
// counts.
type topic struct {
	Phrase string           `json:"phrase"`
	Near   string           `json:"near"`   // must stand in the same sentence
	About  string           `json:"about"`  // must stand somewhere in the criterion
	Unless string           `json:"unless"` // must not stand anywhere in the criterion
	Not    string           `json:"not"`    // must not match from the phrase on
	Role   string           `json:"role"`   // detectives or judges: whose words stand before the phrase
	For    []court.Artifact `json:"for"`    // artifacts of the criterion; empty: any
	Checks []struct {
		Asks []court.Ask `json:"asks"`
		Text string      `json:"text"`
	} `json:"checks"`

	phrase, near, about, unless, not *regexp.Regexp
}

// topics are the rows in file order.
var topics = sync.OnceValue(func() []topic {
	var rows []topic
	if err := json.Unmarshal(topicsJSON, &rows); err != nil {
		panic("rubric: topics.json: " + err.Error()) // embedded; a test reads it
	}
	compile := func(s string) *regexp.Regexp {
		if s == "" {
			return nil
		}
		return regexp.MustCompile(s)
	}
	for i := range rows {
		r := &rows[i]
		r.phrase, r.near, r.about, r.unless, r.not = compile(r.Phrase), compile(r.Near), compile(r.About), compile(r.Unless), compile(r.Not)
		for _, c := range r.Checks {
			for _, a := range c.Asks {
				for name, v := range a.Args {
					if list, ok := v.([]any); ok {
						a.Args[name] = asTexts(list)
					}
				}
			}
		}
	}
	return rows
})

func asTexts(list []any) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// find looks for the phrase in the texts. Every match is marked as covered;
// the first one that fits makes the checks.
func (t topic) find(d *draft, texts []passage, covered [][][2]int) []want {
	if len(t.For) > 0 && !slices.ContainsFunc(d.Artifacts, func(a court.Artifact) bool { return slices.Contains(t.For, a) }) {
		return nil
	}
	says := func(re *regexp.Regexp) bool {
		return slices.ContainsFunc(texts, func(p passage) bool { return re.MatchString(p.low) })
	}
	if t.about != nil && !says(t.about) || t.unless != nil && says(t.unless) {
		return nil
	}
	var out []want
	for i, p := range texts {
		for _, part := range p.parts {
			words := p.low[part.from:part.to]
			for n, m := range t.phrase.FindAllStringIndex(words, -1) {
				at := part.from + m[0]
				covered[i] = append(covered[i], [2]int{at, part.from + m[1]})
				if out == nil && n < maxTries && t.fits(part, words, m) && !p.inExample(part, at) {
					out = t.wants(i, at, part.at(at, p.fault).polarity())
					numbered(out, texts)
				}
			}
		}
	}
	return out
}

// maxTries bounds how many matches of one sentence are held against the words
// around them.
const maxTries = 20

// fits holds a match against the words around it.
func (t topic) fits(part sentence, words string, m []int) bool {
	return (t.near == nil || t.near.MatchString(words)) &&
		(t.not == nil || !t.not.MatchString(words[m[0]:])) &&
		(t.Role == "" || t.Role == part.roleAt(part.from+m[0]))
}

// wants are the checks of a match. Named probes know what is good, and their
// texts say so; what a generic probe looks for is good only where it is wanted.
func (t topic) wants(passage, at int, polarity court.Polarity) []want {
	var out []want
	for _, c := range t.Checks {
		id := []string{c.Asks[0].Probe}
		for _, name := range slices.Sorted(maps.Keys(c.Asks[0].Args)) {
			if v, ok := c.Asks[0].Args[name].(string); ok && len(c.Asks) == 1 {
				id = append(id, v)
			}
		}
		if polarity == court.Avoid && strings.HasPrefix(c.Asks[0].Probe, "code.") && len(c.Asks[0].Args) > 0 {
			continue
		}
		out = append(out, want{passage: passage, at: at, known: true, Check: court.Check{ID: idFrom(id...), Weight: 3,
			Facet: court.Design, Polarity: court.Want, Asks: copied(c.Asks), Text: c.Text, Scope: "production"}})
	}
	return out
}

// copied are asks that share nothing with the rows, which serve every rubric.
func copied(asks []court.Ask) []court.Ask {
	out := slices.Clone(asks)
	for i := range out {
		out[i].Args = maps.Clone(out[i].Args)
	}
	return out
}

// roleWord is a word that names a layer of an auditor.
type roleWord struct {
	at   int
	role string // judges, detectives
}

var rolePattern = regexp.MustCompile(`\b(?:(judges?|judicial|prosecutor|defen[sc]e|tech ?lead)|detectives?|\w*investigators?|\w*analysts?|\w*inspectors?)\b`)

func roleWords(low string, from, to int) []roleWord {
	var out []roleWord
	for _, m := range rolePattern.FindAllStringSubmatchIndex(low[from:to], -1) {
		w := roleWord{from + m[0], "detectives"}
		if m[2] >= 0 {
			w.role = "judges"
		}
		out = append(out, w)
	}
	return out
}

// roleAt tells whose layer a phrase speaks of: that of the last role word
// before it in the sentence, else of the first one behind it; without any,
// detectives.
func (s sentence) roleAt(place int) string {
	i, _ := slices.BinarySearchFunc(s.roles, place, func(w roleWord, at int) int { return cmp.Compare(w.at, at) })
	switch {
	case i > 0:
		return s.roles[i-1].role
	case len(s.roles) > 0:
		return s.roles[0].role
	default:
		return "detectives"
	}
}

// mentions tells whether s holds one of the words, as a word.
func mentions(words []string, s string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, s) })
}
