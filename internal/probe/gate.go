package probe

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
)

// elseUnknown marks the ask of a check that others rest on: where there is
// nothing to ask about, they are not answered by finding nothing.
const elseUnknown = "unknown"

// barred names the checks, as CRITERION/CHECK, that found nothing which the
// checks that require them could be about, and why. It is asked anew in each
// round, so that a round can stand alone.
func (b Assignment) barred(ctx context.Context, s *Scene, known map[string]Probe) map[string]Finding {
	out := map[string]Finding{}
	why := map[string]Finding{}
	for _, c := range b.Criteria {
		for _, ch := range c.Checks {
			for _, a := range ch.Asks {
				p, ok := known[a.Probe]
				if mode, _ := a.Args["else"].(string); !ok || mode != elseUnknown {
					continue
				}
				if _, asked := why[a.Key()]; !asked {
					q := &question{probe: p, known: true, ask: a, args: Args{Values: a.Args, Scope: orElse(ch.Scope, "production"), Depth: 1}}
					why[a.Key()] = bar(q.run(ctx, s))
				}
				if why[a.Key()].Reason != "" {
					out[c.ID+"/"+ch.ID] = why[a.Key()]
				}
			}
		}
	}
	return out
}

// bar is why nothing can rest on an answer; none when something can.
func bar(a answer) Finding {
	for _, f := range a.findings {
		if f.Outcome != court.Unknown || !f.Reason.Nothing() {
			return Finding{}
		}
	}
	return a.findings[0]
}

// past is the finding on a check, unless the check rests on one that is barred.
func (by asker) past(barred map[string]Finding, f Finding) Finding {
	for _, r := range by.check.Requires {
		if why, ok := barred[by.criterion+"/"+r]; ok {
			return Cannot(why.Reason, nil, "There is nothing to examine. %s", why.Rationale)
		}
	}
	return f
}
