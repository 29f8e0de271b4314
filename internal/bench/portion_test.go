package bench

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// How much is met is told in the finding's own numbers where these are the share.
func TestPortion(t *testing.T) {
	for finding, want := range map[string]string{
		"3 of 4 subjects say what changed. 12 of 13 are short.": "3 of 4",
		"1 of 4 functions is too long.":                         "3 of 4",
		"5 of 9 files, 1 of the 4 functions.":                   "3 of 4",
		"one of four things is missing":                         "75 %",
		"0 of 4 are left":                                       "75 %",
	} {
		if got := portion(finding, 3*court.One/4); got != want {
			t.Errorf("%q: %s, want %s", finding, got, want)
		}
	}
}

// Every reason has a meaning that is said where no finding is.
func TestReasonsHaveMeanings(t *testing.T) {
	for _, r := range court.Reasons() {
		if said := (point{item: item{Exhibit: court.Exhibit{Evidence: court.Evidence{Reason: r}}}}).unknown(); said == "" || strings.Contains(said, "_") {
			t.Errorf("%s: %q", r, said)
		}
	}
}
