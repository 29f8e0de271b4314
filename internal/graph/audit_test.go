package graph_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// The audit as a graph, with fake chambers: the smallest types that exercise
// the reducers as the product's do.

type State struct {
	RepoURL   string                `json:"repo_url,omitzero"`
	Criteria  []string              `json:"rubric_dimensions,omitzero"`
	Evidences map[string][]Evidence `json:"evidences,omitzero" reduce:"merge"`
	Opinions  []Opinion             `json:"opinions,omitzero" reduce:"upsert"`
	Faults    []Fault               `json:"errors,omitzero" reduce:"append"`
	Agenda    *Agenda               `json:"agenda,omitzero" reduce:"last"`
	Verdict   *Verdict              `json:"verdict,omitzero" reduce:"last"`
}

type Evidence struct {
	ID         string `json:"id"`
	Rationale  string `json:"rationale"`
	Confidence int    `json:"confidence"`
}

func (e Evidence) Key() string { return e.ID }

// Compare puts the surer account first.
func (e Evidence) Compare(o Evidence) int {
	return cmp.Or(cmp.Compare(e.ID, o.ID), cmp.Compare(o.Confidence, e.Confidence))
}

type Opinion struct {
	Judge     string `json:"judge"`
	Criterion string `json:"criterion_id"`
	Round     int    `json:"round"`
	Score     int    `json:"score"`
	Argument  string `json:"argument"`
}

func (o Opinion) Key() string { return fmt.Sprintf("%s/%d/%s", o.Criterion, o.Round, o.Judge) }

type Fault struct {
	Stage   string `json:"stage"`
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

type Agenda struct {
	Round    int      `json:"round"`
	Criteria []string `json:"criteria"`
}

type Verdict struct {
	Scores  map[string]int `json:"scores"`
	Dissent []string       `json:"dissent,omitzero"`
}

type detective = func(context.Context, State) (State, error)

// chambers are the people of the court.
type chambers struct {
	repo, doc, vision detective
	opine             func(ctx context.Context, s State, judge, criterion string) (State, error)
}

var (
	detectives = []string{"RepoInvestigator", "DocAnalyst", "VisionInspector"}
	judges     = []string{"Prosecutor", "Defense", "TechLead"}
)

func audit(t testing.TB, c chambers) *graph.Graph[State] {
	t.Helper()
	b := graph.New[State]("audit")
	flaky := graph.Policy{Timeout: 5 * time.Minute, Attempts: 2, Backoff: time.Second}
	b.Node("RepoInvestigator", c.repo, flaky)
	b.Node("DocAnalyst", c.doc, graph.Policy{Timeout: 2 * time.Minute})
	b.Node("VisionInspector", c.vision, flaky)
	b.Node("EvidenceAggregator", aggregate, graph.Policy{})
	for _, j := range judges {
		graph.Map(b, j, hearing, func(ctx context.Context, s State, criterion string) (State, error) {
			return c.opine(ctx, s, j, criterion)
		}, graph.Policy{Timeout: 10 * time.Minute, Attempts: 2, Backoff: time.Second, Width: 4})
	}
	b.Node("ChiefJustice", rule, graph.Policy{})
	b.Node("ErrorHandler", mistrial, graph.Policy{})

	b.Edge(graph.Start, detectives...)
	b.Join("EvidenceAggregator", detectives...)
	b.Route("EvidenceAggregator", func(s State) string {
		if len(s.Evidences) == 0 {
			return "mistrial"
		}
		return "hear"
	}, graph.Branch{Label: "hear", To: judges}, graph.Branch{Label: "mistrial", To: []string{"ErrorHandler"}})
	b.Join("ChiefJustice", judges...)
	b.Route("ChiefJustice", func(s State) string {
		if s.Verdict == nil {
			return "re-evaluate"
		}
		return "settled"
	}, graph.Branch{Label: "re-evaluate", To: detectives, Max: 1}, graph.Branch{Label: "settled", To: []string{graph.End}})
	b.Edge("ErrorHandler", graph.End)

	b.OnFailure(func(t graph.Task, why string) State {
		return State{Faults: []Fault{{Stage: t.Node, Subject: string(t.Item), Reason: why}}}
	})
	return compiled(t, b)
}

func compiled[S any](t testing.TB, b *graph.Builder[S]) *graph.Graph[S] {
	t.Helper()
	g, err := b.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func hearing(s State) []string {
	if s.Agenda != nil {
		return s.Agenda.Criteria
	}
	return s.Criteria
}

func round(s State) int {
	if s.Agenda != nil {
		return s.Agenda.Round
	}
	return 1
}

func aggregate(_ context.Context, s State) (State, error) {
	var out State
	for _, c := range s.Criteria {
		if len(s.Evidences[c]) == 0 {
			out.Faults = append(out.Faults, Fault{"EvidenceAggregator", c, "no evidence"})
		}
	}
	return out, nil
}

// rule settles every criterion by the middle of its latest opinions, or puts
// those that divide the bench on the agenda, once.
func rule(_ context.Context, s State) (State, error) {
	v := &Verdict{Scores: map[string]int{}}
	for _, c := range s.Criteria {
		scores := map[int][]int{}
		for _, o := range s.Opinions {
			if o.Criterion == c {
				scores[o.Round] = append(scores[o.Round], o.Score)
			}
		}
		heard := scores[max(1, len(scores))]
		if len(heard) == 0 {
			continue
		}
		slices.Sort(heard)
		v.Scores[c] = heard[len(heard)/2]
		if heard[len(heard)-1]-heard[0] > 2 {
			v.Dissent = append(v.Dissent, c)
		}
	}
	if len(v.Dissent) > 0 && s.Agenda == nil {
		return State{Agenda: &Agenda{Round: 2, Criteria: v.Dissent}}, nil
	}
	return State{Verdict: v}, nil
}

func mistrial(context.Context, State) (State, error) {
	return State{Faults: []Fault{{"ErrorHandler", "case", "nothing could be examined"}}}, nil
}

// fake is a court that answers at once. Criteria with a name of odd length
// divide it in the first round.
func fake() chambers {
	look := func(name string) detective {
		return func(_ context.Context, s State) (State, error) {
			out := State{Evidences: map[string][]Evidence{}}
			for _, c := range hearing(s) {
				out.Evidences[c] = []Evidence{
					{ID: fmt.Sprintf("ev-%s-%s-%d", name, c, round(s)), Rationale: "parsed <&> \u2028", Confidence: 50},
					{ID: "shared-" + c, Rationale: "seen by " + name, Confidence: len(name)},
				}
			}
			return out, nil
		}
	}
	return chambers{
		repo: look("repo"), doc: look("doc"), vision: look("vision"),
		opine: func(_ context.Context, s State, judge, criterion string) (State, error) {
			score := map[string]int{"Prosecutor": 1, "Defense": 5, "TechLead": 3}[judge]
			if round(s) > 1 || len(criterion)%2 == 0 {
				score = 3
			}
			o := Opinion{judge, criterion, round(s), score, fmt.Sprintf("%d exhibits", len(s.Evidences[criterion]))}
			return State{Opinions: []Opinion{o}}, nil
		},
	}
}

// docket is a case with n criteria; every other one divides the fake court.
func docket(n int) State {
	s := State{RepoURL: "https://example.com/x/y"}
	for i := range n {
		s.Criteria = append(s.Criteria, fmt.Sprintf("c%02d%s", i, []string{"", "x"}[i%2]))
	}
	return s
}

// tasksOf is how many tasks the fake court has for n criteria, n > 0: with the
// second round for the odd half.
func tasksOf(n int) int { return 3 + 1 + 3*n + 1 + 3 + 1 + 3*((n+1)/2) + 1 }

var errClone = errors.New("cloning https://example.com/x/y: repository not found, or private")

func broken(context.Context, State) (State, error) { return State{}, errClone }
func panics(context.Context, State) (State, error) { panic("page tree loops") }

func text(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// finish runs l and wants no error.
func finish[S any](t testing.TB, l *graph.Local[S], in S) S {
	t.Helper()
	out, err := l.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
