package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Brief is one detective's work: the criteria that are his, and how far to look.
type Brief struct {
	Detective court.Detective
	Criteria  []court.Criterion
	Round     int // 1; 2 looks further for the checks in Only
	Only      func(criterion, check string) bool
	Jobs      int // probes at work at once; 0 means 4
	Saw       func(e court.Evidence)
}

// Investigate answers every check of the brief with at least one piece of
// evidence. A probe that does not exist, fails, panics or takes too long
// answers unknown and leaves a fault. Each probe runs once for each distinct
// question, however many checks ask it.
func Investigate(ctx context.Context, s *Scene, probes []Probe, b Brief) (map[string][]court.Evidence, []court.Fault) {
	known := map[string]Probe{}
	for _, p := range probes {
		known[p.ID] = p
	}
	asked := questions(b, known)
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
			answers[i] = asked[i].run(ctx, s)
		})
	}
	wg.Wait()
	out := map[string][]court.Evidence{}
	var faults []court.Fault
	for i, q := range asked {
		faults = append(faults, answers[i].faults...)
		for _, by := range q.by {
			for _, f := range answers[i].findings {
				e, fault := s.evidence(ctx, b, q, by, f)
				if fault != nil {
					faults = append(faults, *fault)
				}
				out[e.Criterion] = append(out[e.Criterion], e)
				if b.Saw != nil {
					b.Saw(e)
				}
			}
		}
	}
	for k := range out {
		slices.SortFunc(out[k], court.Evidence.Compare)
		out[k] = slices.CompactFunc(out[k], func(a, b court.Evidence) bool { return a.ID == b.ID })
	}
	return out, faults
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
				key := fmt.Sprintf("%s|%s", a.Key(), ch.Scope)
				q := index[key]
				if q == nil {
					q = &question{probe: p, known: ok, ask: a, args: Args{Values: a.Args, Scope: orElse(ch.Scope, "production"), Depth: max(b.Round, 1)}}
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

const defaultLimit = 10 * time.Second

// run asks the probe. Whatever happens in it, there is an answer.
func (q *question) run(ctx context.Context, s *Scene) answer {
	if !q.known {
		return answer{findings: []Finding{Cannot(court.NoDetector, nil, "there is no probe %q", q.ask.Probe)}}
	}
	limit := q.probe.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	var found []Finding
	err := s.inTurn(ctx, limit*time.Duration(max(q.args.Depth, 1)), func(ctx context.Context, s *Scene) func() error {
		f, err := q.probe.Run(ctx, s, q.args)
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
		if stopped(err) { // which of the two contexts ended first is a matter of load
			reason, why, err = court.TimedOut, "the probe took too long", context.DeadlineExceeded
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

// evidence ties a finding to a check. A place that cannot be read makes it
// unknown: nothing is claimed that cannot be shown.
func (s *Scene) evidence(ctx context.Context, b Brief, q *question, by asker, f Finding) (court.Evidence, *court.Fault) {
	if f.Outcome == court.NotApplicable { // only a static rule of the rubric may take a check away
		f.Outcome, f.Reason, f.Source = court.Unknown, court.NoArtifact, court.Mention
	}
	var fault *court.Fault
	places, more := s.places(f.Places)
	f.Places = places
	content, err := s.quote(ctx, f)
	if err != nil {
		fault = &court.Fault{Stage: "probe", Subject: q.ask.Key(), Reason: court.Clean("quoting: "+err.Error(), 500)}
		f = Cannot(court.Unverified, nil, "%s; but its place could not be read again", f.Rationale)
		content, more = "", 0
	}
	f = turned(f, q.probe, by.check.Polarity)
	e := court.Evidence{Criterion: by.criterion, Check: by.check.ID, Ask: by.ask, Probe: q.ask.Probe, Detective: b.Detective,
		Goal: by.check.Text, Outcome: f.Outcome, Reason: f.Reason, Content: content, At: f.Places, More: more,
		Rationale: Mask(f.Rationale), Confidence: f.confidence(q.probe.recall()), Source: f.Source, Share: f.Share, Coverage: f.Coverage,
		Remedy: f.Remedy, Effort: f.Effort, Round: max(b.Round, 1)}
	if q.known {
		e.Probe = q.probe.Name()
		if e.Remedy == "" {
			e.Remedy, e.Effort = q.probe.Remedy, q.probe.Effort
		}
	}
	if f.Security != nil {
		flaw := *f.Security
		e.Security = &flaw
	}
	if f.Data != nil {
		if raw, err := json.Marshal(f.Data); err == nil {
			e.Data = json.RawMessage(Mask(string(raw)))
		}
	}
	return e.Sealed(), fault
}

// turned gives the finding of a probe without direction the direction of its
// check.
func turned(f Finding, p Probe, polarity court.Polarity) Finding {
	if !p.Generic || polarity != court.Avoid {
		return f
	}
	switch f.Outcome {
	case court.Present, court.Partial:
		f.Outcome, f.Share = court.Violation, 0
	case court.Absent:
		f.Outcome, f.searched = court.Present, true
	default: // what is unknown stays so, and a violation has a direction already
	}
	return f
}

// places completes places with their blobs and keeps the first fifty.
func (s *Scene) places(in []court.Place) (out []court.Place, more int) {
	for _, p := range in {
		if e, ok := s.entries[p.Path]; ok && p.Path != "" {
			p.Blob = e.OID
			if p.Line > 0 && p.EndLine < p.Line {
				p.EndLine = p.Line
			}
			if e.Kind == repo.Submodule {
				p.Line, p.EndLine = 0, 0
			}
		}
		out = append(out, p)
	}
	if len(out) > maxPlaces {
		more, out = len(out)-maxPlaces, out[:maxPlaces]
	}
	return out, more
}
