package report

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// said is a piece of an argument: a claim with the label of its evidence, or what
// the judge says beside the claims.
type said struct {
	text   string
	claim  *court.Citation // nil: it is no claim
	shared bool            // every judge of the criterion makes this claim, in the same words
}

// spoken cuts the arguments of the judges of one criterion into pieces and marks
// the claims that all of them make: these need to be shown once only, and what is
// left of an opinion is particular to its judge. The lists are in the order of
// the opinions. An opinion that stands alone shares nothing.
func spoken(opinions []*court.Opinion, label func(id string) string) [][]said {
	out := make([][]said, len(opinions))
	for i, o := range opinions {
		out[i] = pieces(o, label)
		for k, s := range out[i] {
			out[i][k].shared = s.claim != nil && len(opinions) > 1 &&
				!slices.ContainsFunc(opinions, func(p *court.Opinion) bool { return !claims(p, *s.claim) })
		}
	}
	return out
}

// claims tells whether an opinion makes a claim in the same words.
func claims(o *court.Opinion, c court.Citation) bool {
	return slices.ContainsFunc(o.Citations, func(d court.Citation) bool {
		return c.ID == d.ID && c.Check == d.Check && c.Stance == d.Stance && c.Text == d.Text
	})
}

// pieces cuts an argument at its claims. A claim that does not stand in it, as it
// was written by another program, is not a piece of its own.
func pieces(o *court.Opinion, label func(id string) string) (out []said) {
	rest := strings.TrimSpace(o.Argument)
	for i, c := range o.Citations {
		sentence := c.Sentence(label(c.ID))
		before, after, found := strings.Cut(rest, sentence)
		if !found {
			continue
		}
		if before = strings.TrimSpace(before); before != "" {
			out = append(out, said{text: before})
		}
		out = append(out, said{text: sentence, claim: &o.Citations[i]})
		rest = strings.TrimSpace(after)
	}
	if rest != "" {
		out = append(out, said{text: rest})
	}
	return out
}
