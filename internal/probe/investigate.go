package probe

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Assignment is one detective's work: the criteria that are his, and how far to look.
type Assignment struct {
	Detective court.Detective
	Criteria  []court.Criterion
	Round     int // 1; 2 looks further for the checks in Only
	Only      func(criterion, check string) bool
	Jobs      int // probes at work at once; 0 means 4
	Saw       func(e court.Evidence)
	Step      func(done, of int, now string) // how many questions are answered, and which one is at work; from several goroutines

	// Asking is told of each question before it is asked: the probe, and the
	// CRITERION/CHECK it is asked for. What it gives is called with the number of
	// findings once there is an answer. From several goroutines.
	Asking func(probe string, by []string) (answered func(found int))
}

// Questions is how many questions the brief has for these probes.
func (b Assignment) Questions(probes []Probe) int { return len(questions(b, byID(probes))) }

func byID(probes []Probe) map[string]Probe {
	known := map[string]Probe{}
	for _, p := range probes {
		known[p.ID] = p
	}
	return known
}

// Investigate answers every check of the brief with at least one piece of
// evidence. A probe that does not exist, fails, panics or is cut short
// answers unknown and leaves a fault. Each probe runs once for each distinct
// question, however many checks ask it.
func Investigate(ctx context.Context, s *Scene, probes []Probe, b Assignment) (map[string][]court.Evidence, []court.Fault) {
	asked := questions(b, byID(probes))
	barred := b.barred(ctx, s, byID(probes))
	t := &tally{of: len(asked), tell: b.Step}
	answers := make([]answer, len(asked))
	gate := make(chan struct{}, max(b.Jobs, 1))
	if b.Jobs == 0 {
		gate = make(chan struct{}, 4)
	}
	var wg sync.WaitGroup
	for i := range asked {
		wg.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			t.took(asked[i].probe.Title)
			answered := b.asking(asked[i])
			answers[i] = asked[i].run(ctx, s)
			answered(len(answers[i].findings))
			t.answered()
		})
	}
	wg.Wait()
	out := map[string][]court.Evidence{}
	var faults []court.Fault
	for i, q := range asked {
		faults = append(faults, answers[i].faults...)
		for _, by := range q.by {
			for _, f := range answers[i].findings {
				f = by.past(barred, f)
				e, wrong := s.evidence(ctx, b, q, by, s.legible(ctx, s.wired(ctx, q, by, s.effective(ctx, q, by, s.doubted(ctx, q.args, f)))))
				for _, w := range wrong {
					faults = append(faults, court.Fault{Stage: "probe", Subject: q.ask.Key(), Reason: court.Clean(s.mask(w.Error()), 500)})
				}
				out[e.Criterion] = append(out[e.Criterion], e)
				if b.Saw != nil {
					b.Saw(e)
				}
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(out)) {
		list, clashes := united(out[k])
		out[k], faults = list, append(faults, clashes...)
	}
	for i := range faults {
		faults[i].Reason = s.o.Veil.Hide(faults[i].Reason)
	}
	return out, faults
}
