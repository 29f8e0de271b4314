package cli

import (
	"github.com/automaton-auditor/automaton/internal/court"
)

// plan prints which checks would answer which criterion, and who looks.
func (a *app) plan(r *court.Rubric) error {
	return a.through(func(w *lines) error {
		w.f("%s %s, rubric %s, bench embedded/1, no model calls\n", shown(r.Name), shown(r.Version), r.Digest[:12])
		for _, c := range r.Criteria {
			if c.ForPeople() {
				w.f("\n%s  needs a human\n", shown(c.ID))
				continue
			}
			w.f("\n%s  %s, %s\n", shown(c.ID), shown(c.Binding), count(len(c.Checks), "check"))
			for _, ch := range c.Checks {
				for _, ask := range ch.Asks {
					w.f("  %-28s %s\n", shown(ch.ID), shown(ask.Key()))
				}
			}
		}
		return nil
	})
}
