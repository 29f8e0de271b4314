package trial

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Names of the graph's nodes that are neither detectives nor judges.
const (
	aggregator   = "EvidenceAggregator"
	chiefJustice = "ChiefJustice"
)

// ErrorHandler is the node that has work only when nobody else has any.
const ErrorHandler = "ErrorHandler"

// chambers is what the nodes of one case work with.
type chambers struct {
	scene   *probe.Scene
	probes  []probe.Probe
	bench   Bench
	jobs    int
	faults  []court.Fault // met while the case was opened
	leftOut func() []court.Fault
	saw     func(court.Evidence)
	step    func(node string, done, of int, now string) // nil: nobody watches
	watch   *watcher                                    // so here
	parser  *lookout
	syntax  *lookout
	queries *lookout
	reader  *lookout
}

// sitting is one criterion in one round: the item of a judge's task.
type sitting struct {
	Criterion string `json:"criterion_id"`
	Round     int    `json:"round"`
	Samples   int    `json:"samples,omitempty"` // answers that a model is asked for; 0: one
}

// audit declares the audit graph.
func (c *chambers) audit() (*graph.Graph[court.State], error) {
	b := graph.New[court.State]("audit")
	look := graph.Policy{Timeout: 5 * time.Minute}
	speak := graph.Policy{Timeout: time.Minute}
	if len(c.bench.Seats) > 0 {
		speak.Timeout = modelTime
	}
	if len(c.bench.Detectives) > 0 {
		look.Timeout = modelTime
	}

	b.Node(string(court.RepoInvestigator), c.investigate(court.RepoInvestigator), look)
	b.Node(string(court.DocAnalyst), c.investigate(court.DocAnalyst), look)
	b.Node(string(court.VisionInspector), c.investigate(court.VisionInspector), look)
	b.Node(aggregator, c.aggregate, look)
	for _, j := range []court.Persona{court.Prosecutor, court.Defense, court.TechLead} {
		graph.Map(b, string(j), c.sittings, c.opine(j), speak)
	}
	b.Node(chiefJustice, c.rule, speak)
	b.Node(ErrorHandler, c.mistrial, speak)

	detectives := []string{string(court.RepoInvestigator), string(court.DocAnalyst), string(court.VisionInspector)}
	judges := []string{string(court.Prosecutor), string(court.Defense), string(court.TechLead)}
	b.Edge(graph.Start, detectives...)
	b.Join(aggregator, detectives...)
	b.Route(aggregator, admissible,
		graph.Branch{Label: "hear", To: judges},
		graph.Branch{Label: "mistrial", To: []string{ErrorHandler}})
	b.Join(chiefJustice, judges...)
	b.Route(chiefJustice, settled,
		graph.Branch{Label: "re-evaluate", To: detectives, Max: 1},
		graph.Branch{Label: "ask again", To: judges, Max: 1},
		graph.Branch{Label: "settled", To: []string{graph.End}})
	b.Edge(ErrorHandler, graph.End)

	b.OnFailure(func(t graph.Task, why string) court.State {
		lost := court.State{Faults: []court.Fault{{Stage: t.Node, Subject: t.ID(), Reason: shown(why, 500), Blocks: true}}}
		if t.Node == chiefJustice {
			lost.Asked = 2 // nobody is asked again by a chief justice who cannot decide
		}
		return lost
	})
	return b.Compile()
}

// Graph is the audit graph, to be drawn.
func Graph() (*graph.Graph[court.State], error) { return (&chambers{}).audit() }

// admissible sends a case to the judges when there is a repository, or at least
// something that could be examined.
func admissible(s court.State) string {
	if s.Case.Commit != "" {
		return "hear"
	}
	for _, list := range s.Evidences {
		for _, e := range list {
			if e.Outcome != court.Unknown {
				return "hear"
			}
		}
	}
	return "mistrial"
}

// settled sends disputed criteria back once, and before that what models are
// asked again; until then there is no verdict.
// Where the chief justice could not decide, there is none in the end.
func settled(s court.State) string {
	if s.Verdict == nil && s.Asked == 1 {
		return "ask again"
	}
	again := func(h court.Hearing) bool { return h.Round > 1 }
	if s.Verdict == nil && len(s.Disputed) > 0 && !slices.ContainsFunc(s.Hearings, again) {
		return "re-evaluate"
	}
	return "settled"
}

// sittings lists what the judges have to hear in the round that the state is
// in. Where models sit, the second hearing wants several answers, and so do
// criteria on which their first answers lay apart.
func (c *chambers) sittings(s court.State) []sitting {
	var out []sitting
	again := s.Round() == 1 && s.Asked == 1
	for _, cr := range heard(s) {
		at := sitting{Criterion: cr.ID, Round: s.Round()}
		switch {
		case again && !slices.Contains(s.Apart, cr.ID):
			continue
		case again:
			at.Samples = oncePolled
		case at.Round > 1 && len(c.bench.Seats) > 0:
			at.Samples = twicePolled
		}
		out = append(out, at)
	}
	return out
}

// heard lists the criteria of the current round.
func heard(s court.State) []court.Criterion {
	if s.Round() == 1 {
		return s.Rubric.Heard(s.Case.Only)
	}
	return s.Rubric.Heard(s.Disputed)
}

// opine is a judge's node. Whoever sits there, only an opinion of that seat on
// what lay before it enters.
func (c *chambers) opine(j court.Persona) func(context.Context, court.State, sitting) (court.State, error) {
	return func(ctx context.Context, s court.State, at sitting) (court.State, error) {
		speak := c.embedded
		if _, ok := c.bench.Seats[j]; ok {
			speak = c.modelled
		}
		patch, err := speak(ctx, s, at, j)
		for _, o := range patch.Opinions {
			c.watch.spoke(o)
		}
		return patch, err
	}
}

// embedded is a judge's node where no model sits.
func (c *chambers) embedded(ctx context.Context, s court.State, at sitting, j court.Persona) (court.State, error) {
	b := brief(s, at)
	o, err := bench.Embedded(j).Opine(ctx, b)
	if err == nil {
		err = admit(b, j, o)
	}
	if err != nil {
		return court.State{}, err
	}
	return court.State{Opinions: []court.Opinion{o}}, nil
}

// admit says why an opinion is none of this seat on this brief. Where nothing
// was found there is nothing to cite, as where nothing was asked.
func admit(b bench.Brief, j court.Persona, o court.Opinion) error {
	if o.Judge != j {
		return fmt.Errorf("admitting an opinion of %q: the seat is of %q", o.Judge, j)
	}
	if len(b.Exhibits) == 0 {
		b.Criterion.Checks = nil
	}
	return bench.Admit(b, o)
}

// brief is what a judge sees of a criterion.
func brief(s court.State, at sitting) bench.Brief {
	i := slices.IndexFunc(s.Rubric.Criteria, func(c court.Criterion) bool { return c.ID == at.Criterion })
	return bench.NewBrief(s.Rubric.Criteria[i], at.Round, exhibits(s, at.Criterion))
}
