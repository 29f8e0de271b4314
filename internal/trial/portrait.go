package trial

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/flow"
	"github.com/automaton-auditor/automaton/internal/probe/history"
	"github.com/automaton-auditor/automaton/internal/probe/judicial"
	"github.com/automaton-auditor/automaton/internal/store"
)

// portray shows the submission itself, from what the detectives have read
// already. A graph that is not there is told only where a criterion asks for
// one. What cannot be shown is a fault that blocks nothing.
func portray(ctx context.Context, s *probe.Scene, criteria []court.Criterion, named func(commit string) bool) (*court.Portrait, []court.Fault) {
	if !s.HasRepo() {
		return nil, nil
	}
	var faults []court.Fault
	failed := func(what string, err error) {
		if _, ok := errors.AsType[*probe.Unable](err); err != nil && !ok && ctx.Err() == nil {
			faults = append(faults, court.Fault{Stage: string(court.RepoInvestigator), Subject: "overview of the " + what, Reason: shown(err.Error(), 300)})
		}
	}
	p := &court.Portrait{}
	var err error
	if s.Reads().Has(probe.Code) {
		p.Graph, err = probe.Shared(s, "trial.portrait.graph", func() (*court.Wiring, error) { return flow.Portrait(ctx, s, false) })
		failed("graph", err)
	}
	if p.Graph != nil && p.Graph.Lacking != "" && !asks(criteria, "graph.") {
		p.Graph = nil
	}
	p.History, err = probe.Shared(s, "trial.portrait.history", func() (*court.Past, error) { return history.Portrait(ctx, s, named) })
	failed("history", err)
	if asks(criteria, "llm.", "cj.") {
		p.Chain, err = probe.Shared(s, "trial.portrait.chain", func() ([]court.Arrow, error) { return judicial.Portrait(ctx, s) })
		failed("chain", err)
	}
	if p.Graph == nil && p.History == nil && len(p.Chain) == 0 {
		return nil, faults
	}
	return p, faults
}

// asks tells whether some check is answered by a probe whose name begins so.
func asks(criteria []court.Criterion, groups ...string) bool {
	return slices.ContainsFunc(criteria, func(c court.Criterion) bool {
		return slices.ContainsFunc(c.Checks, func(ch court.Check) bool {
			return slices.ContainsFunc(ch.Asks, func(a court.Ask) bool {
				return slices.ContainsFunc(groups, func(g string) bool { return strings.HasPrefix(a.Probe, g) })
			})
		})
	})
}

// namedBy tells which commits evidence lies in.
func namedBy(found map[string][]court.Evidence) func(commit string) bool {
	named := map[string]bool{}
	for _, list := range found {
		for _, e := range list {
			for _, p := range e.At {
				named[p.Commit] = true
			}
		}
	}
	return func(commit string) bool { return named[commit] }
}

// Repainted makes the portrait of a record again from the submission itself.
func Repainted(ctx context.Context, o *Opened, rec *court.Record) store.Line {
	const check = "graph, history"
	if rec.Portrait == nil {
		return store.Line{Check: check, Result: store.Skipped, Text: "the record has none"}
	}
	if o.Case.Commit != rec.Case.Commit {
		return store.Line{Check: check, Result: store.Skipped, Text: "the repository is at another commit"}
	}
	listed := map[string]bool{}
	if rec.Portrait.History != nil {
		for _, c := range rec.Portrait.History.Commits {
			listed[c.ID] = true
		}
	}
	heard := rec.Rubric.Heard(rec.Case.Only)
	reads := probe.Assignment{Criteria: heard}.Reads(Probes())
	if reads != probe.Everything && rec.Portrait.Graph != nil { // a record of before has more than was asked for
		reads |= probe.Code
	}
	if reads != probe.Everything && rec.Portrait.History != nil {
		reads |= probe.Past
	}
	again, faults := portray(ctx, o.Scene.For(reads), heard, func(id string) bool { return listed[id[:min(12, len(id))]] })
	if len(rec.Portrait.Chain) == 0 && again != nil {
		again.Chain = nil // records of before have none
	}
	switch {
	case ctx.Err() != nil:
		return store.Line{Check: check, Result: store.Skipped, Text: "it was stopped"}
	case len(faults) > 0:
		return store.Line{Check: check, Result: store.Skipped, Text: faults[0].Reason}
	case veil(o.veil, again) != nil || court.Digest(again) != court.Digest(rec.Portrait):
		return store.Line{Check: check, Result: store.No, Text: "graph, history or chain differ from those of the repository"}
	}
	return store.Line{Check: check, Result: store.OK, Text: "graph, history and chain are the same in the repository"}
}
