package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// counsel is a judge that says what the test says, of the first exhibit.
type counsel struct {
	seat  court.Persona
	score func(b bench.Brief) (int, error)

	mu    sync.Mutex
	heard []string // criterion, round, answers wanted, with prose or without
}

const fakeSource = "fake/model"

func (c *counsel) Opine(_ context.Context, b bench.Brief) (court.Opinion, error) {
	c.mu.Lock()
	c.heard = append(c.heard, fmt.Sprintf("%s/%d x%d bared %v", b.Criterion.ID, b.Round, max(b.Samples, 1), b.Bared != nil))
	c.mu.Unlock()
	score, err := c.score(b)
	if err != nil {
		return court.Opinion{}, err
	}
	o := court.Opinion{Judge: c.seat, Criterion: b.Criterion.ID, Round: b.Round, Score: score, Exact: court.Fixed(score) * court.One,
		Source: fakeSource, Cited: []string{}, Citations: []court.Citation{}}
	if b.Samples > 1 {
		o.Samples = slices.Repeat([]int{score}, b.Samples)
	}
	for _, x := range b.Exhibits {
		stance := map[court.Outcome]string{court.Present: bench.For, court.Violation: bench.Against, court.Absent: bench.Against, court.Unknown: bench.Open, court.Partial: bench.For}[x.Outcome]
		if x.Outcome == court.Partial && score < 3 {
			stance = bench.Against
		}
		text := x.Rationale
		if x.Outcome.Found() && strings.TrimSpace(x.Content) != "" {
			text = x.Content
		}
		o.Citations = append(o.Citations, court.Citation{ID: x.ID, Quote: text, Verified: true, Stance: stance, Check: x.Check, Text: "this is what the exhibit shows, read once and then once more"})
		o.Cited = append(o.Cited, x.ID)
	}
	o.Argument = o.Composed(func(id string) string {
		return b.Exhibits[slices.IndexFunc(b.Exhibits, func(x court.Exhibit) bool { return x.ID == id })].Label
	})
	return o, nil
}

// seated fills seats with judges of which each gives one score for all.
func seated(h *Setup, scores map[court.Persona]func(bench.Brief) (int, error)) map[court.Persona]*counsel {
	out := map[court.Persona]*counsel{}
	h.Panel = Panel{Seats: map[court.Persona]Seat{}, Prompts: "prompts"}
	for j, score := range scores {
		out[j] = &counsel{seat: j, score: score}
		h.Panel.Seats[j] = Seat{Source: fakeSource, Sit: func(In) bench.Judge { return out[j] }}
	}
	return out
}

// always gives one score on what is disputed; what is clear is 5.
func always(n int) func(bench.Brief) (int, error) {
	return func(b bench.Brief) (int, error) {
		if b.Criterion.ID == "clear" {
			return 5, nil
		}
		return n, nil
	}
}

func lost(why string) func(bench.Brief) (int, error) {
	return func(bench.Brief) (int, error) { return 0, errors.New(why) }
}

// proven stages two criteria: of the hazy one a half of the lesser check is met,
// of the clear one everything.
func proven(t *testing.T) Setup {
	t.Helper()
	half := found(3)
	half[0].Outcome, half[0].Share = court.Partial, court.One/2
	return stage(t, func(probe.Args) ([]probe.Finding, error) { return found(2), nil },
		func(probe.Args) ([]probe.Finding, error) { return half, nil })
}

// Whatever models say, a ruling stays where the evidence holds it, the record
// says what the embedded bench alone would have ruled, and it replays.
func TestModelsStayInTheBound(t *testing.T) {
	alone := try(t, proven(t))
	for name, seats := range map[string]map[court.Persona]func(bench.Brief) (int, error){
		"bribed":   {court.Prosecutor: always(5), court.Defense: always(5), court.TechLead: always(5)},
		"hostile":  {court.Prosecutor: always(1), court.Defense: always(1), court.TechLead: always(1)},
		"mixed":    {court.Defense: always(1)},
		"apart":    {court.Prosecutor: always(1), court.Defense: always(5), court.TechLead: always(3)},
		"all lost": {court.Prosecutor: lost("no answer"), court.Defense: lost("no answer"), court.TechLead: lost("no answer")},
	} {
		t.Run(name, func(t *testing.T) {
			h := proven(t)
			seated(&h, seats)
			rec := try(t, h)
			for i, r := range rec.Verdict.Rulings {
				last := rec.Hearings[slices.IndexFunc(rec.Hearings, func(x court.Hearing) bool { return x.Criterion == r.Criterion })]
				low, high := last.Bound()
				if r.Exact < low || r.Exact > high {
					t.Errorf("%s: %s is outside %s to %s", r.Criterion, r.Exact, low, high)
				}
				if name != "all lost" && (r.Embedded == nil || *r.Embedded != alone.Verdict.Rulings[i].Exact) {
					t.Errorf("%s: the embedded bench alone says %v, not %v", r.Criterion, r.Embedded, alone.Verdict.Rulings[i].Exact)
				}
			}
			if want := name == "all lost"; want != (rec.Status == court.Partway) || want != (rec.Verdict.Overall.Embedded == nil) {
				t.Errorf("status %s, beside it %v", rec.Status, rec.Verdict.Overall.Embedded)
			}
		})
	}
}

// A seat that is lost is the embedded judge's: it says so, the fault says why,
// and no score comes from the failure.
func TestLostSeat(t *testing.T) {
	h := proven(t)
	seated(&h, map[court.Persona]func(bench.Brief) (int, error){court.Defense: lost("the server said \x1b[31mno"), court.TechLead: always(4)})
	rec := try(t, h)
	alone := try(t, proven(t))
	for _, o := range rec.Opinions {
		if o.Judge != court.Defense {
			continue
		}
		if o.Substituted == "" || !o.Embedded() || strings.Contains(o.Substituted, "\x1b") {
			t.Errorf("%s of %s: %q", o.Key(), o.Source, o.Substituted)
		}
		i := slices.IndexFunc(alone.Opinions, func(x court.Opinion) bool { return x.Key() == o.Key() })
		if alone.Opinions[i].Exact != o.Exact {
			t.Errorf("%s: %s, the embedded judge says %s", o.Key(), o.Exact, alone.Opinions[i].Exact)
		}
	}
	if rec.Status != court.Partway || !faultOf(rec, string(court.Defense)) {
		t.Errorf("status %s, faults %v", rec.Status, rec.Faults)
	}
	for _, r := range rec.Verdict.Rulings {
		if d := cmp.Diff([]court.Persona{court.Defense}, r.Substituted); d != "" {
			t.Error(d)
		}
	}
}

// With fewer than two judges who spoke, nothing passes unless that is allowed.
func TestTooFewSpoke(t *testing.T) {
	for name, tt := range map[string]struct {
		partial bool
		lost    []court.Persona
		want    string
	}{
		"one lost":           {false, []court.Persona{court.Defense}, verdict.Pass},
		"two lost":           {false, []court.Persona{court.Defense, court.Prosecutor}, verdict.Undecided},
		"two lost, accepted": {true, []court.Persona{court.Defense, court.Prosecutor}, verdict.Pass},
	} {
		t.Run(name, func(t *testing.T) {
			h := proven(t)
			scores := map[court.Persona]func(bench.Brief) (int, error){court.Prosecutor: always(5), court.Defense: always(5), court.TechLead: always(5)}
			for _, j := range tt.lost {
				scores[j] = lost("no answer")
			}
			seated(&h, scores)
			h.Partial, h.Bar = tt.partial, &verdict.Bar{Bars: map[string]court.Fixed{court.OverallID: 2 * court.One}}
			if rec := try(t, h); rec.Gate.Outcome != tt.want {
				t.Errorf("%s: %v", rec.Gate.Outcome, rec.Gate.Missed)
			}
		})
	}
}

// Judges who are more than a point apart are each asked for further answers,
// once, and only on that criterion; the second hearing wants five at once.
func TestAskedAgain(t *testing.T) {
	h := stage(t, atFirst(found(2)), atFirst(found(3)))
	by := func(hazy int) func(bench.Brief) (int, error) {
		return func(b bench.Brief) (int, error) {
			if b.Criterion.ID == "hazy" {
				return hazy, nil
			}
			return 5, nil
		}
	}
	judges := seated(&h, map[court.Persona]func(bench.Brief) (int, error){court.Prosecutor: by(1), court.Defense: by(4), court.TechLead: by(3)})
	rec := try(t, h)
	for j, c := range judges {
		slices.Sort(c.heard)
		want := []string{"clear/1 x1 bared false", "hazy/1 x1 bared false", "hazy/1 x3 bared false", "hazy/2 x5 bared true"}
		if d := cmp.Diff(want, c.heard); d != "" {
			t.Errorf("%s (-want +heard):\n%s", j, d)
		}
	}
	rounds := map[int]int{}
	for _, o := range rec.Opinions {
		if o.Criterion == "hazy" {
			rounds[o.Round]++
		}
	}
	if d := cmp.Diff(map[int]int{1: 3, 2: 3}, rounds); d != "" {
		t.Error(d)
	}
}

// A seat that has spoken keeps its word when further answers fail.
func TestFurtherAnswersFail(t *testing.T) {
	h := proven(t)
	once := func(n int) func(bench.Brief) (int, error) {
		return func(b bench.Brief) (int, error) {
			if b.Samples > 1 {
				return 0, errors.New("no credit left")
			}
			return n, nil
		}
	}
	seated(&h, map[court.Persona]func(bench.Brief) (int, error){court.Prosecutor: once(3), court.Defense: once(5), court.TechLead: once(5)})
	rec := try(t, h)
	for _, o := range rec.Opinions {
		if o.Substituted != "" || o.Source != fakeSource {
			t.Errorf("%s is of %s: %s", o.Key(), o.Source, o.Substituted)
		}
	}
	if rec.Status != court.Complete || !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool { return strings.Contains(f.Reason, "no credit left") }) {
		t.Errorf("status %s, faults %v", rec.Status, rec.Faults)
	}
}

// The same evidence before the embedded bench is the audit that never asked a
// model.
func TestWhatIfNoModelHadSat(t *testing.T) {
	h := proven(t)
	seated(&h, map[court.Persona]func(bench.Brief) (int, error){court.Prosecutor: always(1), court.Defense: always(5), court.TechLead: always(2)})
	rec := try(t, h)
	then, err := WhatIf(t.Context(), rec, Change{Embedded: true})
	if err != nil {
		t.Fatal(err)
	}
	alone := try(t, proven(t))
	if d := cmp.Diff(alone.Verdict, then.Verdict, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("(-audited +tried):\n%s", d)
	}
	if d := cmp.Diff(alone.Terms(), then.Terms()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(scores(alone)["overall"], *rec.Verdict.Overall.Embedded); d != "" {
		t.Error(d)
	}
}
