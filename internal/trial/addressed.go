package trial

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// attempt is the probe that finds text addressed to a grader or a model.
const attempt = "injection.attempt"

// addressed lists the files of the submission that speak to the one who judges it,
// and the notices of it. Where no criterion asks for it there is no check that
// it could be evidence for, and nothing may follow from it: a notice stands
// beside the faults, and blocks nothing.
func (c *nodes) addressed(ctx context.Context, criteria []court.Criterion, answered map[string][]court.Evidence) (files []string, notices []court.Fault) {
	if !c.scene.HasRepo() {
		return nil, nil
	}
	asks := func(a court.Ask) bool { return a.Probe == attempt }
	for _, cr := range criteria {
		for _, ch := range cr.Checks {
			if slices.ContainsFunc(ch.Asks, asks) {
				return addresses(slices.DeleteFunc(slices.Clone(answered[cr.ID]), func(e court.Evidence) bool { return e.Check != ch.ID })), nil
			}
		}
	}
	asked := court.Criterion{ID: attempt, Artifacts: []court.Artifact{court.GithubRepo}, Checks: []court.Check{{
		ID: attempt, Weight: 1, Polarity: court.Want, Asks: []court.Ask{{Probe: attempt}}}}}
	found, _ := probe.Investigate(ctx, c.scene, c.probes, probe.Assignment{Detective: court.RepoInvestigator, Criteria: []court.Criterion{asked}, Jobs: c.jobs})
	for _, e := range found[attempt] {
		if e.Outcome == court.Violation && len(e.At) > 0 {
			notices = append(notices, court.Fault{Stage: string(court.RepoInvestigator), Subject: court.Clean(e.At[0].String(), 200),
				Reason: court.Clean(e.Rationale, 600) + " It moves no score."})
		}
	}
	return addresses(found[attempt]), notices
}

// addresses are the files of violations.
func addresses(list []court.Evidence) []string {
	var files []string
	for _, e := range list {
		if e.Outcome != court.Violation {
			continue
		}
		for _, p := range e.At {
			if p.Path != "" && !slices.Contains(files, p.File()) {
				files = append(files, p.File())
			}
		}
	}
	slices.Sort(files)
	return files
}
