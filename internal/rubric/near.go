package rubric

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// didYouMean is the hint that offers the nearest known word, or lists them when
// there are few.
func didYouMean(word string, known []string) string {
	if near := safetext.Nearest(word, known, max(2, len(word)/3)); near != "" {
		return "did you mean " + near
	}
	if len(known) > 0 && len(known) <= 12 {
		return "known are " + strings.Join(known, ", ")
	}
	return ""
}
