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
	word := word(v.Overall.Exact)
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

func word(exact court.Fixed) string {
	switch half := court.One / 2; {
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
