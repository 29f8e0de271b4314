package trial

import (
	"cmp"
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
)

// aggregate is the EvidenceAggregator: it reads every quote again at its place,
// strikes what does not stand, gives labels and strength, and opens the
// hearings of the round.
func (c *nodes) aggregate(ctx context.Context, s court.State) (court.State, error) {
	a := &aggregation{state: s, seals: map[string]court.Seal{}, given: numberingOf(s.Seals),
		patch: court.State{Evidences: map[string][]court.Evidence{}}}
	for _, seal := range s.Seals {
		a.seals[seal.ID] = seal
	}
	for _, cr := range heard(s) {
		for _, e := range inOrder(cr, s.Evidences[cr.ID]) {
			if err := ctx.Err(); err != nil {
				return court.State{}, err
			}
			a.seal(ctx, c.scene, e)
		}
		a.supersede(cr.ID)
		h := bench.Assess(cr, a.exhibits(cr.ID), s.Round())
		a.patch.Hearings = append(a.patch.Hearings, h)
	}
	a.silent()
	a.claims(ctx, c.scene)
	if err := ctx.Err(); err != nil {
		return court.State{}, err
	}
	for _, seal := range a.seals {
		a.patch.Seals = append(a.patch.Seals, seal)
	}
	slices.SortFunc(a.patch.Seals, func(x, y court.Seal) int { return cmp.Compare(x.ID, y.ID) })
	return a.patch, nil
}

// aggregation is the work of one round.
type aggregation struct {
	state court.State
	seals map[string]court.Seal
	given numbering
	patch court.State
}
