package rubric

import (
	"slices"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestBuiltinsAreComplete(t *testing.T) {
	least := map[string]int{"courtroom": 8, "software": 6, "report": 4}
	for _, name := range Builtins() {
		t.Run(name, func(t *testing.T) {
			r, err := Builtin(name, catalogue(t))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Notes) > 0 {
				t.Errorf("notes: %v", r.Notes)
			}
			if r.Version != "1.0.0" || r.Source.From != "builtin" || r.Source.Name != name {
				t.Errorf("version %q, source %+v", r.Version, r.Source)
			}
			for _, c := range r.Criteria {
				if c.Binding != name+":"+c.ID {
					t.Errorf("%s: binding %q", c.ID, c.Binding)
				}
				if len(c.Checks) < least[name] {
					t.Errorf("%s: %d checks, want at least %d", c.ID, len(c.Checks), least[name])
				}
				if !slices.ContainsFunc(c.Checks, func(ch court.Check) bool { return ch.Facet == court.Core }) {
					t.Errorf("%s: no core check", c.ID)
				}
				for _, ch := range c.Checks {
					if ch.Text == "" {
						t.Errorf("%s: check %s has no text", c.ID, ch.ID)
					}
				}
			}
		})
	}
}
