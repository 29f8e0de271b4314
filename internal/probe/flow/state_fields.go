package flow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var stateCollections = probe.Probe{
	ID: "state.collections", Version: "1", Target: court.GithubRepo,
	Title:  "The state holds collections of evidence and of opinions",
	Doc:    "Looks for a field whose type contains the evidence model in a list or dict, and one with a list of opinions; inherited fields count.",
	Remedy: "Add typed fields for the evidence by criterion and for the list of opinions.", Effort: 15,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		if r.State == nil {
			return []probe.Finding{r.noState()}, nil
		}
		var where []court.Place
		var has, lacks string
		for _, of := range []string{"evidence", "opinions"} {
			switch f := r.gathers(of); f.Answer {
			case facts.Yes:
				where, has = append(where, f.At...), comma(has, of+" in "+court.Clean(f.Value.Name, 60))
			case facts.No:
				lacks = comma(lacks, of)
			default:
				return []probe.Finding{probe.Cannot(f.Why.Code, f.At, "%s", safetext.Sentence(f.Why.Text))}, nil
			}
		}
		switch {
		case lacks == "":
			return []probe.Finding{probe.Present(court.AST, where, "The state holds %s.", has)}, nil
		case has == "":
			return []probe.Finding{probe.Missing(court.One, court.AST, "No field of %s holds evidence or opinions.", r.stateName()).Do("%s", r.toHold("evidence", "opinions"))}, nil
		}
		return []probe.Finding{probe.Partly(court.One/2, court.AST, where, "The state holds %s, but no %s.", has, lacks).Do("%s", r.toHold(lacks))}, nil
	},
}

var stateReducers = probe.Probe{
	ID: "state.reducers", Version: "2", Target: court.GithubRepo,
	Title:  "A reducer unites what parallel nodes write",
	Doc:    "Reads the reducer in Annotated of the state's field, through aliases, parents and channel objects. A function of the project's own counts when its result is made of both arguments.",
	Remedy: "Annotate the field with a reducer that keeps both sides, such as operator.add for a list.", Effort: 15,
	Args: []probe.Arg{{Name: "field", Type: "string", Allowed: []string{"evidence", "opinions"}, Default: "evidence", Doc: "which collection"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		if f, ok := joined(r.Main); ok {
			return []probe.Finding{f}, nil
		}
		if r.State == nil {
			return []probe.Finding{r.noState()}, nil
		}
		switch f := r.gathers(a.String("field")); f.Answer {
		case facts.Yes:
			return []probe.Finding{r.reducer(f.Value)}, nil
		case facts.No:
			return []probe.Finding{probe.Missing(court.One, court.AST, "No field of %s holds %s.", r.stateName(), a.String("field")).Do("%s", r.toHold(a.String("field")))}, nil
		default:
			return []probe.Finding{probe.Cannot(f.Why.Code, f.At, "%s", safetext.Sentence(f.Why.Text))}, nil
		}
	},
}

// gathers is the field of a collection by its name.
func (r *reading) gathers(what string) facts.Fact[*agentgraph.Field] {
	if what == "opinions" {
		return r.Gathers(facts.Judge)
	}
	return r.Gathers(facts.Detective)
}

func (r *reading) reducer(f *agentgraph.Field) probe.Finding {
	where, name := facts.At(f.At), court.Clean(f.Name, 60)
	switch f.Reducer.Kind {
	case agentgraph.ReducerIor, agentgraph.ReducerAdd:
		return probe.Present(court.AST, where, "The reducer of %s is %s.", name, f.Reducer.Kind)
	case agentgraph.ReducerUnknown:
		return probe.Cannot(court.Dynamic, where, "The annotation of %s could not be resolved.", name)
	case agentgraph.ReducerNone:
		if a, b := r.writtenTogether(f.Name); a != "" {
			return probe.Against(court.AST, where, "%s has no reducer, and %s and %s write it at the same time: the step fails or one write is lost.", name, court.Clean(a, 60), court.Clean(b, 60)).Do("%s", toReduce(f))
		}
		none := probe.Missing(court.One, court.AST, "%s has no reducer. No two nodes were seen to write it at the same time.", name).Do("%s", toReduce(f))
		none.Places = where
		return none
	case agentgraph.ReducerCustom:
		switch f.Reducer.Merges {
		case agentgraph.Yes:
			return probe.Present(court.AST, where, "The reducer of %s is %s, which unites both sides.", name, court.Clean(f.Reducer.Name, 60))
		case agentgraph.No:
			return probe.Against(court.AST, where, "The reducer of %s is %s, which keeps one side only.", name, court.Clean(f.Reducer.Name, 60)).Do("Let %s return what both of its arguments hold. %s", court.Clean(f.Reducer.Name, 60), toReduce(f))
		default:
			return probe.Present(court.Structure, where, "The reducer of %s is %s. Whether it unites both sides could not be determined.", name, court.Clean(f.Reducer.Name, 60))
		}
	}
	return probe.Cannot(court.Dynamic, where, "The annotation of %s could not be resolved.", name)
}

// toHold asks for fields of the state that hold collections.
func (r *reading) toHold(what ...string) string {
	model := func(m *agentgraph.Model, name string) string {
		if m != nil && m.Name != "" {
			return court.Clean(m.Name, 60)
		}
		return name
	}
	var lines []string
	for _, w := range what {
		if w == "opinions" {
			lines = append(lines, fmt.Sprintf("opinions: Annotated[list[%s], operator.add]", model(r.Review, "JudicialOpinion")))
		} else {
			lines = append(lines, fmt.Sprintf("evidences: Annotated[dict[str, list[%s]], merge_lists]", model(r.Material, "Evidence")))
		}
	}
	return fmt.Sprintf("Add to %s: %s.", r.stateName(), strings.Join(lines, ", "))
}

// toKeep asks for a reducer of each key of which a write is lost.
func (r *reading) toKeep(g *agentgraph.Graph, items []agentgraph.Item) string {
	var whole []string
	for _, w := range g.Writes {
		if w.Whole && slices.ContainsFunc(items, func(i agentgraph.Item) bool { return slices.Contains(i.Nodes, w.Node) }) && !slices.Contains(whole, w.Node) {
			whole = append(whole, w.Node)
		}
	}
	if len(whole) > 0 {
		slices.Sort(whole)
		others := slices.DeleteFunc(slices.Clone(items), func(i agentgraph.Item) bool {
			return slices.ContainsFunc(i.Nodes, func(n string) bool { return slices.Contains(whole, n) })
		})
		out := fmt.Sprintf("Let each of these nodes return only the keys that it writes: %s.", court.Clean(strings.Join(whole, ", "), 200))
		if len(others) > 0 {
			out += " " + r.toKeep(g, others)
		}
		return out
	}
	for _, w := range g.Writes {
		if f := g.State.Field(w.Key); f != nil && f.Reducer.Kind == agentgraph.ReducerNone && len(items[0].Nodes) > 0 && w.Node == items[0].Nodes[0] && strings.Contains(items[0].Reason, " "+w.Key+" ") {
			return toReduce(f)
		}
	}
	return doing("Annotate the field with a reducer")(g, items)
}

// writtenTogether returns two nodes that run at the same time and write a field.
func (r *reading) writtenTogether(field string) (a, b string) {
	if r.Main == nil {
		return "", ""
	}
	for i, x := range r.Main.Writes {
		for _, y := range r.Main.Writes[i+1:] {
			if x.Key == field && y.Key == field && x.Node != y.Node && r.Main.Parallel(x.Node, y.Node).Value == agentgraph.Yes {
				return x.Node, y.Node
			}
		}
	}
	return "", ""
}

var stateFit = probe.Probe{
	ID: "state.fit", Version: "3", Target: court.GithubRepo,
	Title:  "Every reducer keeps what all its writers write",
	Doc:    "For each key, the parallel nodes that return it: without a reducer one write is lost; operator.ior on a dict of lists loses a list when two nodes write the same key, which counts half.",
	Remedy: "Use a reducer that merges lists under one key.", Effort: 20,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		g, none := r.graph()
		if g == nil {
			return none, nil
		}
		if f, ok := joined(g); ok {
			return []probe.Finding{f}, nil
		}
		if f, ok := writeless(g); ok {
			return []probe.Finding{f}, nil
		}
		lost := g.LostUpdates()
		if lost.Value != agentgraph.No {
			return []probe.Finding{flaw(lost, g, "", r.toKeep)}, nil
		}
		if f := r.Gathers(facts.Detective).Value; f != nil && f.Reducer.Shallow() && f.Lists() {
			return []probe.Finding{r.shallow(g, f)}, nil
		}
		return []probe.Finding{flaw(lost, g, "no parallel write is lost", r.toKeep)}, nil
	},
}

// shallow answers for a dict of lists under operator.ior, which keeps one list
// of each key.
func (r *reading) shallow(g *agentgraph.Graph, f *agentgraph.Field) probe.Finding {
	name := court.Clean(f.Name, 60)
	a, b, picked, sure, found := sameKey(g, f.Name)
	switch {
	case !found:
		return probe.Present(court.AST, facts.At(f.At), "%s is a dict of lists under operator.ior, and no two parallel nodes write one key of it.", name)
	case sure:
		return probe.Partly(court.One/2, court.AST, facts.At(f.At, a.At, b.At), "%s is a dict of lists under operator.ior: %s and %s write the same key, so that one list is lost.", name, court.Clean(a.Node, 60), court.Clean(b.Node, 60)).Do("%s", toReduce(f))
	case picked != "":
		return probe.Partly(court.One/2, court.AST, facts.At(f.At, a.At, b.At), "%s is a dict of lists under operator.ior. Where %s and %s write the same key, one list is lost. Both pick what has %s.", name, court.Clean(a.Node, 60), court.Clean(b.Node, 60), picked).Do("%s", toReduce(f))
	default:
		return probe.Partly(court.One/2, court.AST, facts.At(f.At, a.At, b.At), "%s is a dict of lists under operator.ior. If %s and %s write the same key, one list is lost. Only a run shows which keys they write.", name, court.Clean(a.Node, 60), court.Clean(b.Node, 60)).Do("%s", toReduce(f))
	}
}

var stateWhole = probe.Probe{
	ID: "state.whole", Version: "2", Target: court.GithubRepo,
	Title:  "No node returns the whole state into a field that adds up",
	Doc:    "A node that returns the state it was given, a copy of it, or the old entries of a key with new ones, doubles what the run began with and what earlier nodes wrote into a field with an adding reducer.",
	Remedy: "Return only the keys that the node writes.", Effort: 15,
	Run: flawedWrites((*agentgraph.Graph).WholeState, "no node returns again what a field that adds up holds", doing("Return only the keys that the node writes")),
}

var stateUndeclared = probe.Probe{
	ID: "state.undeclared", Version: "2", Target: court.GithubRepo,
	Title:  "Nodes read and write declared keys only",
	Doc:    "Literal keys that a node returns and that the state type, its parents included, does not have; and keys that it, or a function that it hands the state on to, reads as state[...] or state.get(...) although no state type declares them and no node writes them: LangGraph drops them of what a run is given.",
	Remedy: "Declare the key in the state, or stop returning it.", Effort: 10,
	Run: flawedWrites((*agentgraph.Graph).Undeclared, "every key that a node returns or reads by name is declared", toDeclare),
}

// toDeclare asks for the keys in the state; and where no node writes what the detectives find
// into the field that is there for it, for that.
func toDeclare(g *agentgraph.Graph, items []agentgraph.Item) string {
	if m := g.State.Material; m != nil && m.Void {
		return facts.ToWrite(g.State, m.Name)
	}
	return doing("Declare these keys in the state, or stop using them")(g, items)
}
