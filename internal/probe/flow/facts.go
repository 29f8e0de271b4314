package flow

import (
	"cmp"
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// spot is a place as the sheet writes it.
func spot(p agentgraph.Place) *probe.Spot { return new(place(p)) }

func place(p agentgraph.Place) probe.Spot {
	return probe.Spot{Place: court.Place{Path: p.Path, Line: p.Line, EndLine: p.Line}}
}

// stateFacts fills the state section.
func stateFacts(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	r, err := read(ctx, s)
	if err != nil {
		return err
	}
	f := &sheet.State
	f.EvidenceModel, f.OpinionModel = modelFact(r.Material), modelFact(r.Review)
	proveModel(sheet, "state.evidence_model", r.Material)
	proveModel(sheet, "state.opinion_model", r.Review)
	f.AgentState = r.stateFact(sheet)
	f.EvidencesReducer = reducerFact(sheet, "state.evidences_reducer", r.Gathers(facts.Detective))
	f.OpinionsReducer = reducerFact(sheet, "state.opinions_reducer", r.Gathers(facts.Judge))
	return nil
}

// stateFact is of what kind the state's class is: the one that the builder is given, else
// the one that looks like it. Whether a graph is built with it is for state.schema to tell.
func (r *reading) stateFact(sheet *probe.Sheet) probe.Typed {
	typed := r.Typed()
	out := probe.Typed{Name: new("")}
	if typed.Answer != facts.Unknown {
		out.Kind = new("none")
	}
	sheet.Prove("state.agent_state", "%s", typed.Why.Text)
	st := typed.Value
	if st == nil {
		return out
	}
	out.Name = &st.Name
	if st.Kind != agentgraph.KindUnknown {
		out.Kind = new(string(st.Kind))
		sheet.Prove("state.agent_state", "%s", typed.At[0])
	}
	if st.At.Path != "" && st.Kind != agentgraph.KindNone {
		out.At = spot(st.At)
	}
	return out
}

// proveModel notes where a model stands, or that there is none.
func proveModel(sheet *probe.Sheet, key string, m *agentgraph.Model) {
	switch {
	case m == nil:
		sheet.Prove(key, "no class has such a name or three of its fields")
	case m.Kind == agentgraph.KindUnknown:
		sheet.Prove(key, "%s: a base of %s could not be resolved", place(m.At), m.Name)
	default:
		sheet.Prove(key, "%s: %s", place(m.At), m.Name)
	}
}

func modelFact(m *agentgraph.Model) probe.Typed {
	switch {
	case m == nil:
		return probe.Typed{Kind: new("none")}
	case m.Kind == agentgraph.KindUnknown:
		return probe.Typed{At: spot(m.At)}
	case m.Kind == agentgraph.KindNone:
		return probe.Typed{Kind: new("none")}
	}
	return probe.Typed{Kind: new(string(m.Kind)), At: spot(m.At)}
}

// reducerFact is the reducer of a field, and notes where the field stands.
func reducerFact(sheet *probe.Sheet, key string, f facts.Fact[*agentgraph.Field]) probe.Typed {
	field := f.Value
	switch {
	case field == nil:
		sheet.Prove(key, "%s", f.Why.Text)
	case field.Reducer.Kind == agentgraph.ReducerUnknown:
		sheet.Prove(key, "%s: the reducer of %s could not be resolved", place(field.At), field.Name)
	default:
		sheet.Prove(key, "%s: %s", place(field.At), field.Name)
	}
	switch {
	case f.Answer == facts.Unknown, field != nil && field.Reducer.Kind == agentgraph.ReducerUnknown:
		return probe.Typed{Name: new("")}
	case field == nil, field.Reducer.Kind == agentgraph.ReducerNone:
		return probe.Typed{Kind: new("none"), Name: new("")}
	}
	name := ""
	if field.Reducer.Kind == agentgraph.ReducerCustom {
		name = field.Reducer.Name
	}
	return probe.Typed{Kind: new(string(field.Reducer.Kind)), Name: &name, At: spot(field.At)}
}

// graphFacts fills the graph section.
func graphFacts(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	r, err := readGraph(ctx, s)
	if err != nil {
		return err
	}
	f := &sheet.Graph
	f.Nodes, f.Edges, f.Conditional = []string{}, [][2]string{}, []probe.Conditional{}
	g := r.Main
	if g == nil {
		f.StateGraph.Present = absent(r)
		f.DetectivesParallel, f.FanInBeforeJudges, f.JudgesPresent, f.JudgesParallel = absent(r), absent(r), absent(r), absent(r)
		f.ChiefJusticePresent, f.ConditionalEdges = absent(r), absent(r)
		sheet.Prove("graph", "no production code constructs a StateGraph")
		if f.StateGraph.Present == nil {
			sheet.Prove("graph", "StateGraph is named in the code, but no construction of one could be followed")
		}
		return nil
	}
	f.StateGraph.Present = new(g.Provenance != agentgraph.FromFunctions)
	if *f.StateGraph.Present {
		f.StateGraph.At = spot(g.Builder)
	}
	for _, key := range []string{"state_graph", "nodes", "edges", "conditional", "linear"} {
		sheet.Prove("graph."+key, "built at %s", place(g.Builder))
	}
	for _, n := range g.Nodes {
		f.Nodes = append(f.Nodes, n.Name)
	}
	for _, e := range g.Edges {
		f.Edges = append(f.Edges, [2]string{agentgraph.Label(e.From), agentgraph.Label(e.To)})
	}
	f.Conditional = append(f.Conditional, routes(g)...)
	slices.Sort(f.Nodes)
	f.Nodes = slices.Compact(f.Nodes)
	slices.SortFunc(f.Edges, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	f.Edges = slices.Compact(f.Edges)
	f.DetectivesParallel = told(sheet, "graph.detectives_parallel", r.Parallel(facts.Detective))
	f.FanInBeforeJudges = told(sheet, "graph.fan_in_before_judges", r.Join(facts.Detective))
	f.JudgesPresent = told(sheet, "graph.judges_present", r.Plays(facts.Judge))
	f.JudgesParallel = told(sheet, "graph.judges_parallel", r.Parallel(facts.Judge))
	f.ChiefJusticePresent = told(sheet, "graph.chief_justice_present", r.Plays(facts.Chief))
	f.ConditionalEdges = told(sheet, "graph.conditional_edges", r.Decides())
	f.Linear = told(sheet, "graph.linear", r.Linear())
	return nil
}

// told notes where a fact stands and is its answer.
func told[T any](sheet *probe.Sheet, key string, f facts.Fact[T]) *bool {
	switch {
	case len(f.At) > 0 && f.Answer != agentgraph.No:
		sheet.Prove(key, "%s", f.At[0])
	case f.Why.Text != "":
		sheet.Prove(key, "%s", f.Why.Text)
	}
	return f.Answer.Bool()
}

// absent is false when there surely is no graph, null when nobody could tell.
func absent(r *reading) *bool {
	if r.Absent() == agentgraph.Unknown {
		return nil
	}
	return new(false)
}

// routes lists one entry for each routed source and call; a Command's place is
// the function.
func routes(g *agentgraph.Graph) []probe.Conditional {
	var out []probe.Conditional
	for _, r := range g.Routes {
		c := probe.Conditional{From: agentgraph.Label(r.From), To: []string{}, At: place(r.At)}
		for _, t := range r.Targets {
			c.To = append(c.To, agentgraph.Label(t.Name))
		}
		slices.Sort(c.To)
		c.To = slices.Compact(c.To)
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b probe.Conditional) int {
		return cmp.Or(cmp.Compare(a.From, b.From), slices.Compare(a.To, b.To), cmp.Compare(a.At.String(), b.At.String()))
	})
	return out
}
