package verdict

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// headline is a word for the overall as printed, and what has to be known with
// it first.
func headline(v court.Verdict, flaw, incomplete bool) string {
	if len(v.Rulings) == 0 {
		return "No verdict"
	}
	open := slices.ContainsFunc(v.Rulings, func(r court.Ruling) bool { return r.Status == court.Insufficient })
	word := word(v.Overall)
	switch {
	case flaw:
		return word + ", with a confirmed security flaw"
	case incomplete:
		return word + ", incomplete"
	case open:
		return word + ", with open questions"
	default:
		return word
	}
}

// word judges the overall score. Of a case that was examined by less than half
// it judges nothing: the score then stands for what nobody looked at.
func word(o court.Overall) string {
	switch half, exact := court.One/2, o.Exact; {
	case o.Coverage < half, o.Unscored:
		return "Undecided"
	case exact >= 9*half:
		return "Excellent"
	case exact >= 7*half:
		return "Good"
	case exact >= 5*half:
		return "Adequate"
	case exact >= 3*half:
		return "Weak"
	default:
		return "Failing"
	}
}
