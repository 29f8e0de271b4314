package web

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// query is what the find box asks for: every part has to hold.
type query []func(entry) bool

// comparisons of a score, the longer first.
var comparisons = []struct {
	sign string
	ok   func(a, b court.Fixed) bool
}{
	{"<=", func(a, b court.Fixed) bool { return a <= b }},
	{">=", func(a, b court.Fixed) bool { return a >= b }},
	{"<", func(a, b court.Fixed) bool { return a < b }},
	{">", func(a, b court.Fixed) bool { return a > b }},
	{"=", func(a, b court.Fixed) bool { return a.Cut() == b }},
}

// parseQuery reads words, status:WORD, flag:WORD and score<3. A word is part of the id, the name or the repository; a flag
// is part of the reasons for which a person should look; score is the total, and the id or name of a criterion is its score.
func parseQuery(text string) (q query) {
	for _, w := range strings.Fields(strings.ToLower(text)) {
		q = append(q, part(w))
	}
	return q
}

func part(w string) func(entry) bool {
	if want, ok := strings.CutPrefix(w, "status:"); ok {
		return func(e entry) bool {
			return strings.HasPrefix(e.Word, want) || e.Standing() != "" && strings.HasPrefix(e.Standing(), want) || want == "decided" && e.Human > 0
		}
	}
	if want, ok := strings.CutPrefix(w, "flag:"); ok {
		return func(e entry) bool {
			return e.Appeals > 0 && strings.HasPrefix("appeal waiting", want) || slices.ContainsFunc(e.Needs, func(n string) bool { return strings.Contains(strings.ToLower(n), want) })
		}
	}
	for _, c := range comparisons {
		what, number, ok := strings.Cut(w, c.sign)
		if !ok || what == "" {
			continue
		}
		if bar, err := court.ParseFixed(number); err == nil {
			return func(e entry) bool {
				f := e.score(what)
				return f != nil && c.ok(*f, bar)
			}
		}
	}
	return func(e entry) bool {
		return strings.Contains(strings.ToLower(e.ID+"\n"+e.Name+"\n"+e.Repo), w)
	}
}

// score is the total, or the score of a criterion by a part of its name.
func (e entry) score(what string) *court.Fixed {
	if what == "score" {
		return e.Overall
	}
	for _, c := range e.Cells {
		if strings.Contains(strings.ToLower(strings.ReplaceAll(c.Name, " ", "_")), what) {
			return c.Exact
		}
	}
	return nil
}

func (q query) holds(e entry) bool {
	return !slices.ContainsFunc(q, func(p func(entry) bool) bool { return !p(e) })
}
