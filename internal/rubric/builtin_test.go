package rubric

import (
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestBuiltinsAreComplete(t *testing.T) {
	const least = 8 // checks of a criterion, beside the one that asks for code
	for _, name := range Builtins() {
		t.Run(name, func(t *testing.T) {
			r, err := Builtin(name, catalogue(t))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Notes) > 0 {
				t.Errorf("notes: %v", r.Notes)
			}
			if r.Version != "1.1.0" || r.Source.From != "builtin" || r.Source.Name != name {
				t.Errorf("version %q, source %+v", r.Version, r.Source)
			}
			for _, c := range r.Criteria {
				if c.Binding != name+":"+c.ID {
					t.Errorf("%s: binding %q", c.ID, c.Binding)
				}
				if n := beside(c.Checks); n < least {
					t.Errorf("%s: %d checks, want at least %d", c.ID, n, least)
				}
				if !slices.ContainsFunc(c.Checks, func(ch court.Check) bool { return ch.Facet == court.Core }) {
					t.Errorf("%s: no core check", c.ID)
				}
				asked := map[string]string{}
				for _, ch := range c.Checks {
					var asks []string
					for _, a := range ch.Asks {
						asks = append(asks, a.Key())
					}
					key := strings.Join(asks, "\n")
					if other := asked[key+ch.Scope]; other != "" {
						t.Errorf("%s: %s asks the same as %s", c.ID, ch.ID, other)
					}
					asked[key+ch.Scope] = ch.ID
					if ch.Text == "" {
						t.Errorf("%s: check %s has no text", c.ID, ch.ID)
					}
				}
			}
		})
	}
}

// beside counts the checks of a criterion without the gate before them.
func beside(checks []court.Check) int {
	n := 0
	for _, ch := range checks {
		if ch.Asks[0].Args["else"] == nil {
			n++
		}
	}
	return n
}
