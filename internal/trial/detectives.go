package trial

import (
	"context"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// detectiveNode is a detective's node: it answers the checks that are his, in
// the second round only those that the dispute turns on.
func (c *nodes) detectiveNode(d court.Detective) func(context.Context, court.State) (court.State, error) {
	return func(ctx context.Context, s court.State) (court.State, error) {
		b := probe.Assignment{Detective: d, Criteria: heard(s), Round: s.Round(), Only: reopened(s), Jobs: c.jobs, Saw: c.saw, Asking: c.watch.asking(d)}
		m := c.meter(d, &b)
		leftOut, err := c.secure(ctx, m)
		if err != nil {
			return court.State{}, err
		}
		found, faults := probe.Investigate(ctx, c.scene, c.probes, b)
		if err := ctx.Err(); err != nil && !graph.Overtime(ctx) { // what was found in time counts
			return court.State{}, err
		}
		c.watch.gathered(d, found)
		for i := range faults { // a probe that failed left its check unknown
			faults[i].Blocks = true
		}
		patch := court.State{Evidences: found, Faults: faults}
		if s.Round() > 1 {
			return patch, nil
		}
		inquired, lapses := c.scene.Inquire(ctx, c.probes, b, found)
		if err := ctx.Err(); err != nil && !graph.Overtime(ctx) {
			return court.State{}, err
		}
		if len(inquired) > 0 {
			c.watch.gathered(d, inquired)
		}
		switch d {
		case court.RepoInvestigator:
			portrait, unpainted := portray(ctx, c.scene, heard(s), namedBy(found))
			patch.Portrait = portrait
			files, notices := c.addressed(ctx, heard(s), found)
			if len(c.panel.Seats) > 0 {
				patch.Addressed = files
			}
			patch.Faults = slices.Concat(c.faults, leftOut, c.unasked(), patch.Faults, c.unread(ctx), notices, unpainted, c.parser.faults(d), c.syntax.faults(d), c.queries.faults(d))
		case court.DocAnalyst:
			patch.Evidences = c.testimony(ctx, heard(s), patch.Evidences)
			var faults []court.Fault
			patch.Document, patch.Further, faults = c.documents(ctx, s.Case)
			patch.Faults = append(patch.Faults, faults...)
		case court.VisionInspector: // what it could not see is in its evidence
			patch.Faults = append(patch.Faults, c.reader.faults(d)...)
		}
		if len(inquired)+len(lapses) > 0 && d != court.RepoInvestigator {
			patch.Faults = append(patch.Faults, c.firstOnly(d)...)
		}
		for id, list := range inquired {
			patch.Evidences[id] = append(patch.Evidences[id], list...)
		}
		patch.Faults = append(patch.Faults, lapses...) // no check rests on it: nothing blocks
		return patch, nil
	}
}

// secure reads and parses what this run asks for before any probe starts. All probes
// share what comes of it, so it must not be cut short by the time limit of the
// probe that happens to ask first. What goes wrong is told to each that asks;
// what was cut, missing or ignored on the way is told once, and before any probe
// can add to it, so that it does not depend on who was faster.
func (c *nodes) secure(ctx context.Context, m *meter) ([]court.Fault, error) {
	var all sync.WaitGroup
	if c.scene.HasRepo() {
		all.Go(func() {
			if c.scene.Reads().Has(probe.Code) {
				_, _ = c.scene.Graphs(ctx)
			}
			m.secured(theCode)
		})
		all.Go(func() { _, _ = c.scene.History(ctx) })
	}
	if c.scene.HasPDF() {
		all.Go(func() {
			for _, d := range c.scene.Documents() {
				_, _ = d.Passages(ctx)
				_, _ = d.Figures(ctx)
			}
			m.secured(theDocument)
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return probe.Shared(c.scene, "trial.left_out", func() ([]court.Fault, error) { return c.leftOut(), nil })
}
