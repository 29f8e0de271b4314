package probe

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Evidence is lost to no collision of ids: both stay, and it is said.
func TestUnited(t *testing.T) {
	item := func(content string, round int) court.Evidence {
		return court.Evidence{Criterion: "k", Check: "c", Probe: "x.y/1", Outcome: court.Present, Source: court.AST, Rationale: "seen",
			Content: content, At: []court.Place{{Path: "a.py", Line: 1}}, Round: round}.Sealed()
	}
	a, again, b, other := item("a", 1), item("a", 2), item("b", 1), item("c", 1)
	b.ID, other.ID = a.ID, a.ID // as a search for collisions would have it
	tests := map[string]struct {
		list   []court.Evidence
		want   string
		faults int
	}{
		"different":        {[]court.Evidence{a, item("d", 1)}, "a d", 0},
		"the same":         {[]court.Evidence{a, a}, "a", 0},
		"the latest look":  {[]court.Evidence{a, again}, "a", 0},
		"a collision":      {[]court.Evidence{a, b}, "a b", 1},
		"two collisions":   {[]court.Evidence{a, b, other}, "a b c", 2},
		"the same, twice":  {[]court.Evidence{a, b, b}, "a b", 2},
		"in another order": {[]court.Evidence{b, a, a}, "a b", 2},
	}
	for name, tc := range tests {
		got, faults := united(tc.list)
		seen := map[string]bool{}
		var contents []string
		for _, want := range []string{"a", "b", "c", "d"} {
			for _, e := range got {
				if e.Content == want {
					contents = append(contents, want)
				}
			}
		}
		for _, e := range got {
			if seen[e.ID] {
				t.Errorf("%s: %s is there twice", name, e.ID)
			}
			seen[e.ID] = true
		}
		if strings.Join(contents, " ") != tc.want || len(faults) != tc.faults {
			t.Errorf("%s: got%s, %d faults; want %s, %d", name, contents, len(faults), tc.want, tc.faults)
		}
	}
	got, _ := united([]court.Evidence{a, again})
	if got[0].Round != 2 {
		t.Error("the latest look does not stand")
	}
}
