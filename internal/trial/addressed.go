package trial

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// attempt is the probe that finds text addressed to a grader or a model.
const attempt = "injection.attempt"

// addressed is the notice that the submission speaks to whoever reads it. Where
// no criterion asks for it there is no check that it could be evidence for, and
// nothing may follow from it: it stands beside the faults, and blocks nothing.
func (c *chambers) addressed(ctx context.Context, criteria []court.Criterion) []court.Fault {
	asks := func(a court.Ask) bool { return a.Probe == attempt }
	for _, cr := range criteria {
		if slices.ContainsFunc(cr.Checks, func(ch court.Check) bool { return slices.ContainsFunc(ch.Asks, asks) }) {
			return nil
		}
	}
	if !c.scene.HasRepo() {
		return nil
	}
	asked := court.Criterion{ID: attempt, Artifacts: []court.Artifact{court.GithubRepo}, Checks: []court.Check{{
		ID: attempt, Weight: 1, Polarity: court.Want, Asks: []court.Ask{{Probe: attempt}}}}}
	found, _ := probe.Investigate(ctx, c.scene, c.probes, probe.Brief{Detective: court.RepoInvestigator, Criteria: []court.Criterion{asked}, Jobs: c.jobs})
	var out []court.Fault
	for _, e := range found[attempt] {
		if e.Outcome == court.Violation && len(e.At) > 0 {
			out = append(out, court.Fault{Stage: string(court.RepoInvestigator), Subject: court.Clean(e.At[0].String(), 200),
				Reason: court.Clean(e.Rationale, 600) + " It moves no score."})
		}
	}
	return out
}
