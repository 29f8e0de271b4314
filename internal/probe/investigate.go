package probe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Brief is one detective's work: the criteria that are his, and how far to look.
type Brief struct {
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
func (b Brief) Questions(probes []Probe) int { return len(questions(b, byID(probes))) }

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
func Investigate(ctx context.Context, s *Scene, probes []Probe, b Brief) (map[string][]court.Evidence, []court.Fault) {
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
				e, wrong := s.evidence(ctx, b, q, by, s.wired(ctx, q, by, s.doubted(ctx, q.args, f)))
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

// asking tells whoever wants to know of a question.
func (b Brief) asking(q *question) (answered func(found int)) {
	if b.Asking == nil {
		return func(int) {}
	}
	var by []string
	for _, a := range q.by {
		by = append(by, a.criterion+"/"+a.check.ID)
	}
	return b.Asking(q.ask.Probe, by)
}

// tally counts the answers for whoever watches.
type tally struct {
	tell func(done, of int, now string) // nil: nobody

	mu       sync.Mutex
	done, of int
	now      string
}

func (t *tally) took(title string) { t.change(0, title) }

func (t *tally) answered() { t.change(1, "") }

func (t *tally) change(more int, title string) {
	if t.tell == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += more
	t.now = orElse(title, t.now)
	t.tell(t.done, t.of, t.now)
}

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
func questions(b Brief, known map[string]Probe) []*question {
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
		return answer{findings: []Finding{Cannot(court.NoDetector, nil, "there is no probe %q", q.ask.Probe)}}
	}
	var found []Finding
	err := s.inTurn(ctx, func(ctx context.Context, s *Scene) func() error {
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
		a.findings = append(a.findings, Cannot(u.Reason, nil, "%s", u.Why))
	} else if err != nil {
		reason, why := court.Limit, "the probe failed"
		if stopped(err) {
			reason, why, err = court.TimedOut, "the probe took too long", errTooLong
		}
		a.findings = append(a.findings, Cannot(reason, nil, "%s", why))
		a.faults = append(a.faults, court.Fault{Stage: "probe", Subject: q.ask.Key(), Reason: court.Clean(Mask(err.Error()), 500)})
	}
	if len(a.findings) == 0 {
		a.findings = []Finding{Cannot(court.NoDetector, nil, "the probe had no answer")}
		a.faults = append(a.faults, court.Fault{Stage: "probe", Subject: q.ask.Key(), Reason: "the probe returned nothing"})
	}
	return a
}
