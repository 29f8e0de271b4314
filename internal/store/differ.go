package store

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Differences says in words how a verdict that was heard again differs from
// the one on record: a line per ruling, with the first rule where the two
// traces part, then the overall score and the words. None: they are the same. The
// words count where the same program said them: another puts the same in others.
func Differences(was, now *court.Verdict, words bool) []string {
	switch {
	case was == nil && now == nil:
		return nil
	case was == nil:
		return []string{"the record has no verdict"}
	case now == nil:
		return []string{"there is no verdict now"}
	}
	if !words {
		was, now = wordless(*was), wordless(*now)
	}
	var lines []string
	later := map[string]court.Ruling{}
	for _, r := range now.Rulings {
		later[r.Criterion] = r
	}
	seen := map[string]bool{}
	for _, a := range was.Rulings {
		b, ok := later[a.Criterion]
		seen[a.Criterion] = true
		if !ok {
			lines = append(lines, court.Clean(a.Criterion, 100)+": not ruled on now")
		} else if s := rulingDiffers(a, b); s != "" {
			lines = append(lines, court.Clean(a.Criterion+" "+s, 200))
		}
	}
	for _, b := range now.Rulings {
		if !seen[b.Criterion] {
			lines = append(lines, court.Clean(b.Criterion, 100)+": not in the record")
		}
	}
	if court.Digest(was.Overall) != court.Digest(now.Overall) {
		lines = append(lines, fmt.Sprintf("overall %s, now %s", was.Overall.Shown(), now.Overall.Shown()))
	}
	if len(lines) == 0 && court.Digest(was) != court.Digest(now) {
		lines = append(lines, "the words of the verdict or the order of its rulings differ")
	}
	return lines
}

// wordless is a verdict without what is said in it.
func wordless(v court.Verdict) *court.Verdict {
	v.Headline, v.Summary, v.Rulings = "", "", slices.Clone(v.Rulings)
	for i := range v.Rulings {
		r := &v.Rulings[i]
		r.Disagreement, r.Holdings = "", slices.Clone(r.Holdings)
		for k := range r.Holdings {
			r.Holdings[k].Text = ""
		}
	}
	return &v
}

// rulingDiffers compares two rulings on one criterion; empty: they are equal.
func rulingDiffers(a, b court.Ruling) string {
	if court.Digest(a) == court.Digest(b) {
		return ""
	}
	s := fmt.Sprintf("%s, now %s", a.Exact.Shown(), b.Exact.Shown())
	for i := range max(len(a.Holdings), len(b.Holdings)) {
		switch {
		case i >= len(a.Holdings):
			return s + "; traces part at " + b.Holdings[i].Rule
		case i >= len(b.Holdings) || court.Digest(a.Holdings[i]) != court.Digest(b.Holdings[i]):
			return s + "; traces part at " + a.Holdings[i].Rule
		}
	}
	return s + "; same trace"
}
