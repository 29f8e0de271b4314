package trial

import (
	"slices"
	"time"

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

// nodes is what the nodes of one case work with.
type nodes struct {
	scene   *probe.Scene
	probes  []probe.Probe
	panel   Panel
	jobs    int
	faults  []court.Fault // met while the case was opened
	leftOut func() []court.Fault
	papered bool // there may be a document
	saw     func(court.Evidence)
	step    func(node string, done, of int, now string) // nil: nobody watches
	watch   *watcher                                    // so here

	parser, syntax, queries, reader *watchedWorker
}

// auditGraph declares the audit graph.
func (c *nodes) auditGraph() (*graph.Graph[court.State], error) {
	b := graph.New[court.State]("audit")
	// Fences: what the nodes do is bounded by counts.
	look := graph.Policy{Timeout: 9 * time.Minute}
	speak := graph.Policy{Timeout: 5 * time.Minute}
	if len(c.panel.Seats) > 0 {
		speak.Timeout = modelTime
	}
	if len(c.panel.Detectives) > 0 {
		look.Timeout = modelTime
	}

	b.Node(string(court.RepoInvestigator), c.detectiveNode(court.RepoInvestigator), look)
	b.Node(string(court.DocAnalyst), c.detectiveNode(court.DocAnalyst), look)
	b.Node(string(court.VisionInspector), c.detectiveNode(court.VisionInspector), look)
	b.Node(aggregator, c.aggregate, look)
	for _, j := range []court.Persona{court.Prosecutor, court.Defense, court.TechLead} {
		graph.Map(b, string(j), c.judgeTasks, c.opine(j), speak)
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
func Graph() (*graph.Graph[court.State], error) { return (&nodes{}).auditGraph() }

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

// heard lists the criteria of the current round.
func heard(s court.State) []court.Criterion {
	if s.Round() == 1 {
		return s.Rubric.Heard(s.Case.Only)
	}
	return s.Rubric.Heard(s.Disputed)
}
