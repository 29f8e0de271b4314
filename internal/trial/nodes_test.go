package trial

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// forger is a journal that says of one node's tasks something else than what
// came of them: whatever a node may bring, this brings it.
type forger struct {
	notes
	node    string
	outcome func(real json.RawMessage) json.RawMessage
	hits    atomic.Int32
}

func (f *forger) Append(ctx context.Context, r graph.Record) (graph.Record, error) {
	if parts := strings.Split(r.Task, "/"); len(parts) > 1 && parts[1] == f.node {
		f.hits.Add(1)
		r.Outcome = f.outcome(r.Outcome)
	}
	return f.notes.Append(ctx, r)
}

// faultOf tells whether a fault of a stage kept something from being examined.
func faultOf(rec *court.Record, stage string) bool {
	return slices.ContainsFunc(rec.Faults, func(f court.Fault) bool { return f.Stage == stage && f.Blocks })
}

// Every node of the audit graph may fail, be late, panic or bring nothing. What
// the others found is kept, the record says that it is partial and who failed,
// nothing that was not examined is called absent, and it verifies.
func TestD30EveryNode(t *testing.T) {
	failure := func(why string) func(json.RawMessage) json.RawMessage {
		return func(json.RawMessage) json.RawMessage {
			raw, _ := json.Marshal(map[string]string{"failure": why}) // of strings
			return raw
		}
	}
	ways := map[string]func(json.RawMessage) json.RawMessage{
		"error": failure("it broke"), "late": failure("no answer in 5m0s"), "panic": failure("panic: index out of range"),
		"nothing": func(json.RawMessage) json.RawMessage { return json.RawMessage(`{"patch":{}}`) },
	}
	judges := []string{string(court.Prosecutor), string(court.Defense), string(court.TechLead)}
	for _, node := range append([]string{string(court.RepoInvestigator), string(court.DocAnalyst), string(court.VisionInspector), aggregator, chiefJustice}, judges...) {
		for name, outcome := range ways {
			t.Run(node+" "+name, func(t *testing.T) {
				h := stage(t, func(probe.Args) ([]probe.Finding, error) { return found(2), nil }, func(probe.Args) ([]probe.Finding, error) { return found(3), nil })
				j := &forger{node: node, outcome: outcome}
				h.Journal = j
				rec := try(t, h)
				if j.hits.Load() == 0 {
					t.Fatal("the node did not run")
				}
				idle := node == string(court.DocAnalyst) || node == string(court.VisionInspector) // there is no document
				if want := name != "nothing" || !idle; want != (rec.Status == court.Partway) {
					t.Errorf("status %s", rec.Status)
				}
				if name != "nothing" && !faultOf(rec, node) {
					t.Errorf("no fault of %s: %v", node, rec.Faults)
				}
				if len(rec.Faults) > 2 { // one for each criterion at most
					t.Errorf("%d faults of one failure: %v", len(rec.Faults), rec.Faults)
				}
				if (rec.Verdict == nil) != (node == aggregator || node == chiefJustice) {
					t.Errorf("verdict %+v", rec.Verdict)
				}
				if n := len(rec.Evidences["hazy"]); n != 2 && node != string(court.RepoInvestigator) && node != aggregator {
					t.Errorf("%d pieces of evidence are kept", n)
				}
				for _, list := range rec.Evidences {
					for _, x := range list {
						if x.Outcome != court.Present {
							t.Errorf("%s is said to be %s", x.Check, x.Outcome)
						}
					}
				}
				if rec.Verdict == nil {
					return
				}
				for _, r := range rec.Verdict.Rulings {
					if (len(r.Substituted) > 0) != slices.Contains(judges, node) {
						t.Errorf("%s: seats filled from the bench: %v", r.Criterion, r.Substituted)
					}
					if node == string(court.RepoInvestigator) && r.Status != court.Insufficient {
						t.Errorf("%s is %s though nobody looked", r.Criterion, r.Status)
					}
				}
			})
		}
	}
}

// liar is a judge that says what the test says.
type liar func(o court.Opinion) (court.Opinion, error)

func (l liar) Opine(ctx context.Context, b bench.Brief) (court.Opinion, error) {
	o, err := bench.Embedded(court.Defense).Opine(ctx, b)
	if err != nil {
		return o, err
	}
	return l(o)
}

// A judge that lies, breaks or says nonsense loses the seat to the bench: no
// score leaves what the evidence allows, and the record says so.
func TestD30LyingJudge(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	for name, lie := range map[string]liar{
		"score 9":            func(o court.Opinion) (court.Opinion, error) { o.Score, o.Exact = 9, 9*court.One; return o, nil },
		"score 0":            func(o court.Opinion) (court.Opinion, error) { o.Score, o.Exact = 0, 0; return o, nil },
		"exact beside score": func(o court.Opinion) (court.Opinion, error) { o.Exact = 1 * court.One; o.Score = 5; return o, nil },
		"another criterion":  func(o court.Opinion) (court.Opinion, error) { o.Criterion = "clear!"; return o, nil },
		"another judge":      func(o court.Opinion) (court.Opinion, error) { o.Judge = court.Prosecutor; return o, nil },
		"no judge":           func(o court.Opinion) (court.Opinion, error) { o.Judge = "Jury"; return o, nil },
		"another round":      func(o court.Opinion) (court.Opinion, error) { o.Round = 7; return o, nil },
		"evidence that was never collected": func(o court.Opinion) (court.Opinion, error) {
			o.Cited = append(slices.Clone(o.Cited), "ev-0123456789abcdef01234567")
			return o, nil
		},
		"a quote of nothing": func(o court.Opinion) (court.Opinion, error) {
			o.Citations = slices.Clone(o.Citations)
			for i := range o.Citations {
				o.Citations[i].Quote = "this was never written"
			}
			return o, nil
		},
		"no argument": func(o court.Opinion) (court.Opinion, error) { o.Argument = ""; return o, nil },
		"nothing":     func(court.Opinion) (court.Opinion, error) { return court.Opinion{}, nil },
		"error":       func(court.Opinion) (court.Opinion, error) { return court.Opinion{}, errors.New("the line is dead") },
		"panic":       func(court.Opinion) (court.Opinion, error) { panic("order!") },
	} {
		t.Run(name, func(t *testing.T) {
			h := stage(t, func(probe.Args) ([]probe.Finding, error) { return found(2), nil }, func(probe.Args) ([]probe.Finding, error) { return found(3), nil })
			honest := try(t, h)
			lying := Panel{Seats: map[court.Persona]Seat{court.Defense: {Source: "liar/1", Sit: func(In) bench.Judge { return lie }}}}
			state := strict(t, &nodes{scene: h.Opened.Scene, probes: h.Probes, panel: lying, jobs: 1}, h)
			rec := h.record(state, false)
			rec.Seal()
			attest(t, rec, h.Probes)
			if rec.Status != court.Partway || !faultOf(rec, string(court.Defense)) {
				t.Errorf("status %s, faults %v", rec.Status, rec.Faults)
			}
			if d := cmp.Diff(scores(honest), scores(rec)); d != "" {
				t.Errorf("other scores than with an honest judge (-honest +now):\n%s", d)
			}
			for _, r := range rec.Verdict.Rulings {
				if !slices.Equal(r.Substituted, []court.Persona{court.Defense}) {
					t.Errorf("%s: substituted %v", r.Criterion, r.Substituted)
				}
			}
			for _, o := range rec.Opinions {
				if o.Judge == court.Defense && (o.Substituted == "" || !o.Embedded()) || o.Score < 1 || o.Score > 5 {
					t.Errorf("the lie entered: %+v", o)
				}
			}
		})
	}
}
