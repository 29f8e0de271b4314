package court

import (
	"fmt"
	"strings"

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
	return fmt.Sprintf("%d %s", n, many(noun))
}

// many is the plural of a noun of ours.
func many(noun string) string {
	switch {
	case strings.HasSuffix(noun, "criterion"):
		return strings.TrimSuffix(noun, "on") + "a"
	case strings.HasSuffix(noun, "ss"):
		return noun + "es"
	default:
		return noun + "s"
	}
}

// Of is a number of things out of all: "none of the 3 files", "2 of 3 files", "all 3
// files", and of a single one "no file" or "the only file".
func Of(n, all int, noun string) string {
	switch {
	case all == 2 && n == 0:
		return "neither " + noun
	case all > 1 && n == 0:
		return fmt.Sprintf("none of the %d %s", all, many(noun))
	case all == 2 && n == all:
		return "both " + many(noun)
	case all > 1 && n == all:
		return fmt.Sprintf("all %d %s", all, many(noun))
	case all > 1:
		return fmt.Sprintf("%d of %d %s", n, all, many(noun))
	case n == 0:
		return "no " + noun
	default:
		return "the only " + noun
	}
}

// Agree is the verb behind what Of gives: as of one thing, or as of many.
func Agree(n, all int, one, many string) string {
	if n == 1 || all == 1 || n == 0 && all == 2 {
		return one
	}
	return many
}
