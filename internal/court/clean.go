package court

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Clean makes foreign text fit for one line of whatever is shown to people, at
// most limit runes long; see safetext.Text.
func Clean(s string, limit int) string { return safetext.Text(s, limit) }

// Count is a number with its noun: "1 place", "3 places".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
