package verdict

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Answered are the shares with what people said: the value that somebody gave
// counts instead of the ruling, and a criterion that only people judge joins. A
// cap in force limits a person's score, too. A level that excludes takes its
// criterion out of the total. What nobody answered stays as it was: a criterion
// for people is then in no total.
func Answered(shares []Share, r court.Rubric, only []string, answers []court.Answer) []Share {
	if len(answers) == 0 {
		return shares
	}
	out := slices.Clone(shares)
	for _, a := range answers {
		i := slices.IndexFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == a.Criterion })
		if i < 0 || len(only) > 0 && !slices.Contains(only, a.Criterion) {
			continue
		}
		top := 5 * court.One
		if at := slices.IndexFunc(out, func(s Share) bool { return s.Criterion == a.Criterion }); at >= 0 {
			top = out[at].Top
			out = slices.Delete(out, at, at+1)
		}
		if !a.Excluded {
			e := min(a.Score, top)
			out = append(out, Share{Criterion: a.Criterion, Weight: r.Criteria[i].Weight, Exact: e, Low: e, High: e, Coverage: court.One, Top: top})
		}
	}
	return out
}
