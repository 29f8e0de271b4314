package cli

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
)

// plan prints which checks would answer which criterion, who looks, who judges,
// and what models would be sent.
func (a *app) plan(r *court.Rubric, o auditFlags) error {
	only, err := a.onlyThese(r, o.only)
	if err != nil {
		return err
	}
	o.models.noCache = true // nothing is written
	models, err := a.seat(o.models, true)
	if err != nil {
		return err
	}
	defer a.closed(models)
	seats := models.bench(a)
	return a.through(func(w *lines) error {
		w.f("%s %s, rubric %s, %s%s\n", shown(r.Name), shown(r.Version), r.Digest[:12], shown(judges(seats.Seated())), models.calls())
		for _, line := range models.forecast(a.Now(), r, only) {
			w.f("%s\n", shown(line))
		}
		heard := map[string]bool{}
		for _, c := range r.Heard(only) {
			heard[c.ID] = true
		}
		for _, c := range r.Criteria {
			switch {
			case c.ForPeople():
				w.f("\n%s  a person marks it\n", shown(c.ID))
				continue
			case !heard[c.ID]:
				continue
			}
			w.f("\n%s  %s\n", shown(c.ID), shown(bound(c)))
			for _, ch := range c.Checks {
				for _, ask := range ch.Asks {
					w.f("  %-28s %s\n", shown(ch.ID), shown(ask.Key()))
				}
			}
			if seats := models.asked(c); seats != "" {
				w.f("  %-28s %s\n", "asks", shown(seats))
			}
		}
		return nil
	})
}

// judges names who judges.
func judges(seated string) string {
	if seated == bench.Speaker {
		return "built-in judges, version " + strings.TrimPrefix(seated, embeddedBench+"/")
	}
	return "judges " + seated
}

// calls says whether models would be called.
func (s *seated) calls() string {
	switch {
	case len(s.chairs) == 0:
		return ", no model calls"
	case s.run.Replays():
		return ", answered by the cassette " + shown(s.tape)
	}
	return ""
}

// asked are the models that would be asked about a criterion, by seat.
func (s *seated) asked(c court.Criterion) string {
	if len(c.Checks) == 0 {
		return ""
	}
	var out []string
	for _, j := range judgeSeats {
		if ch, ok := s.chairs[j]; ok {
			out = append(out, j+" "+ch.source())
		}
	}
	return strings.Join(out, ", ")
}
