package document

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Claims is the ledger as the record holds it: what the document says of the
// submission, each thing once for each way in which it is said, in the order of
// the document; more is how many were left out. A document that cannot be read,
// and one without a repository to hold it against, says nothing. The error says
// what kept the ledger from being made.
func Claims(ctx context.Context, s *probe.Scene) (rows []court.Claim, more int, err error) {
	l, err := account(ctx, s)
	if _, ok := errors.AsType[*probe.Unable](err); ok {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	kept, more := bounded(l.rows())
	for _, c := range kept {
		if shown, err := s.Shown(ctx, c); err == nil { // what cannot be read again at its place is not in the ledger
			rows = append(rows, shown)
		}
	}
	return rows, more, ctx.Err()
}

// rows lists the claims in the document's order, without repetitions.
func (l *ledger) rows() []court.Claim {
	type key struct {
		kind     kind
		subject  string
		modality modality
		fate     fate
	}
	type spot struct{ passage, offset int }
	order := map[*passage.Passage]int{}
	for i := range l.passages {
		order[&l.passages[i]] = i
	}
	seen := map[key]bool{}
	var kept []claim
	at := map[int]spot{}
	for _, c := range l.claims {
		k := key{c.Kind, c.Subject, c.Modality, c.Fate}
		if seen[k] {
			continue
		}
		seen[k] = true
		at[len(kept)] = spot{order[c.passage], max(strings.Index(c.passage.Text, c.sentence), 0) + max(strings.Index(c.sentence, c.Subject), 0)}
		kept = append(kept, c)
	}
	index := make([]int, len(kept))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(i, j int) int {
		a, b := kept[i], kept[j]
		return cmp.Or(cmp.Compare(a.Page, b.Page), cmp.Compare(at[i].passage, at[j].passage), cmp.Compare(at[i].offset, at[j].offset),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject))
	})
	var out []court.Claim
	for _, i := range index {
		out = append(out, l.row(kept[i]))
	}
	return out
}

// row is a claim with its place and its words.
func (l *ledger) row(c claim) court.Claim {
	at, quote := l.cite(c.passage, c.sentence)
	why := reasonOf(c)
	switch {
	case c.Modality == others: // what is here says nothing of it
		c.Fate, c.proof, why = undecided, nil, "The sentence speaks of something else than this submission, or quotes somebody else."
	case c.Modality == denied && c.Kind == ofCapability: // what exactly is denied, nobody can tell
		c.Fate, why = undecided, "The sentence denies something, which may not be the feature."
	}
	return court.Claim{Kind: c.Kind, Subject: c.Subject, Modality: c.Modality, Fate: c.Fate, At: at, Quote: quote, Why: why, Proof: c.proof}
}

// reasonOf is why a claim has its fate, as a sentence; the place that stands beside it is left out.
func reasonOf(c claim) string {
	why := c.Why
	for _, at := range c.proof {
		if rest, ok := strings.CutPrefix(why, at.String()); ok {
			why = strings.TrimPrefix(rest, ": ")
			break
		}
	}
	if why == "" {
		return because(c)
	}
	if n, ok := strings.CutPrefix(why, "counted: "); ok {
		return "Counted: " + n + "."
	}
	if c.Kind != ofCapability { // it is one, and may begin with a name
		return why
	}
	return safetext.Sentence(why)
}

// because says in a sentence why a claim without one has its fate.
func because(c claim) string {
	name := map[kind]string{ofPath: "file", ofLine: "line", ofSymbol: "name", ofCommand: "command", ofCommit: "commit", ofNumber: "count", ofCapability: "feature"}[c.Kind]
	switch c.Fate {
	case holds:
		return "The " + name + " is in the repository."
	case inPart:
		return "The repository has a part of this."
	case renamed:
		return "An earlier commit had the " + name + "; the audited one does not."
	case untrue:
		return "The " + name + " is not in the repository."
	case never:
		return "No commit of the history has such a " + name + "."
	default:
		return "Nothing in the repository settles this."
	}
}

// maxRows is how many claims a record holds.
const maxRows = 500

// bounded keeps the first maxRows of a list, those that were found not to
// hold before others, in the list's order; more is how many were left out.
func bounded(all []court.Claim) (kept []court.Claim, more int) {
	if len(all) <= maxRows {
		return all, 0
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	rank := func(c court.Claim) int {
		switch {
		case c.Modality == court.Claims && c.Fate.Untrue():
			return 0
		case c.Modality == court.Claims:
			return 1
		default:
			return 2
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank(all[i]), rank(all[j])) })
	order = order[:maxRows]
	slices.Sort(order)
	for _, i := range order {
		kept = append(kept, all[i])
	}
	return kept, len(all) - maxRows
}
