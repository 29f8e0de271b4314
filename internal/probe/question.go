package probe

import (
	"context"
	"errors"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// question is one run of one probe, and the checks that want its answer.
type question struct {
	probe Probe
	known bool
	ask   court.Ask
	args  Args
	by    []asker
}

type asker struct {
	criterion string
	check     court.Check
	ask       string
}

type answer struct {
	findings []Finding
	faults   []court.Fault
}

// questions collects what a detective has to ask, each once, in rubric order.
func questions(b Assignment, known map[string]Probe) []*question {
	var all []*question
	index := map[string]*question{}
	for _, c := range b.Criteria {
		for _, ch := range c.Checks {
			if b.Only != nil && !b.Only(c.ID, ch.ID) {
				continue
			}
			for _, a := range ch.Asks {
				p, ok := known[a.Probe]
				if detective(c, p, ok) != b.Detective {
					continue
				}
				avoid := p.Generic && ch.Polarity == court.Avoid
				key := fmt.Sprintf("%s|%s|%t", a.Key(), ch.Scope, avoid)
				q := index[key]
				if q == nil {
					q = &question{probe: p, known: ok, ask: a, args: Args{Values: a.Args, Scope: orElse(ch.Scope, "production"), Depth: max(b.Round, 1), Avoid: avoid}}
					index[key] = q
					all = append(all, q)
				}
				q.by = append(q.by, asker{c.ID, ch, a.Key()})
			}
		}
	}
	return all
}

// detective is who answers a check: the one of the criterion's artifact; where
// the criterion has several, the one of the probe's.
func detective(c court.Criterion, p Probe, known bool) court.Detective {
	if len(c.Artifacts) == 1 && c.Artifacts[0] != court.AllOfIt {
		return c.Artifacts[0].Detective()
	}
	if !known {
		return court.RepoInvestigator
	}
	return p.Target.Detective()
}

// run asks the probe. Whatever happens in it, there is an answer.
func (q *question) run(ctx context.Context, s *Scene) answer {
	if !q.known {
		return answer{findings: []Finding{Cannot(court.NoDetector, nil, "There is no probe %q.", q.ask.Probe)}}
	}
	var found []Finding
	err := s.inStep(ctx, func(ctx context.Context, s *Scene) func() error {
		f, err := q.look(ctx, s)
		return func() error {
			found = f
			return err
		}
	})
	return q.settle(found, err)
}

// settle makes an answer of what a probe returned.
func (q *question) settle(found []Finding, err error) (a answer) {
	a.findings = found
	if u, ok := errors.AsType[*Unable](err); ok {
		a.findings = append(a.findings, u.finding())
	} else if err != nil {
		reason, why := court.Limit, "The probe failed."
		if stopped(err) {
			reason, why, err = court.TimedOut, "The probe took too long.", errTooLong
		}
		a.findings = append(a.findings, Cannot(reason, nil, "%s", why))
		a.faults = append(a.faults, court.Fault{Stage: "probe", Subject: q.ask.Key(), Reason: court.Clean(Mask(err.Error()), 500)})
	}
	if len(a.findings) == 0 {
		a.findings = []Finding{Cannot(court.NoDetector, nil, "The probe had no answer.")}
		a.faults = append(a.faults, court.Fault{Stage: "probe", Subject: q.ask.Key(), Reason: "the probe returned nothing"})
	}
	return a
}
