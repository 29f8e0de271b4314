package flow

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var stateSchema = probe.Probe{
	ID: "state.schema", Version: "2", Target: court.GithubRepo,
	Title:  "The graph is built with a typed state",
	Doc:    "Reads the type that the builder is given, through wrappers and subclasses, and what it is made of by its transitive bases. A class that looks like a state, and that no graph is built with, is not one.",
	Remedy: "Give the builder a TypedDict or a pydantic model as its state.", Effort: 30,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		typed := r.Typed()
		switch st := typed.Value; {
		case st == nil:
			return []probe.Finding{r.noState()}, nil
		case typed.Answer == facts.Unknown:
			return []probe.Finding{probe.Cannot(typed.Why.Code, typed.At, "%s The state is %s.", safetext.Sentence(typed.Why.Text), court.Clean(st.Name, 60))}, nil
		case typed.Answer == facts.No && st.Loose:
			return []probe.Finding{probe.Against(court.AST, typed.At, "%s is declared, but no builder of a graph is given it.", court.Clean(st.Name, 60)).Do("Build the graph with this state: StateGraph(%s).", court.Clean(st.Name, 60))}, nil
		case typed.Answer == facts.No:
			return []probe.Finding{probe.Against(court.AST, typed.At, "The builder is given %s, which has no typed fields.", orDict(st.Name)).Do("Declare the fields of the state in a class, and give it to the builder: class AgentState(TypedDict), StateGraph(AgentState).")}, nil
		case st.Kind == agentgraph.KindDataclass:
			return []probe.Finding{probe.Partly(7000, court.AST, typed.At, "The state %s is a dataclass.", court.Clean(st.Name, 60)).Do("Make the state %[1]s a TypedDict or a pydantic model: class %[1]s(TypedDict).", court.Clean(st.Name, 60))}, nil
		default:
			return []probe.Finding{probe.Present(court.AST, typed.At, "The state %s is a %s with %d fields.", court.Clean(st.Name, 60), st.Kind, len(st.Fields))}, nil
		}
	},
}

// stateName names the state in a sentence.
func (r *reading) stateName() string {
	if r.State.Name == "" {
		return "the state, an untyped dict,"
	}
	return "the state " + court.Clean(r.State.Name, 60)
}

func orDict(name string) string {
	if name == "" {
		return "dict"
	}
	return court.Clean(name, 60)
}

// noState says that no state type was found, or that nobody could tell.
func (r *reading) noState() probe.Finding {
	switch typed := r.Typed(); {
	case r.Main != nil:
		return probe.Cannot(typed.Why.Code, typed.At, "%s", safetext.Sentence(typed.Why.Text))
	case typed.Answer == facts.Unknown:
		return r.noGraph()
	}
	return probe.Missing(probe.Ratio(r.program.Examined()), court.AST, "The code has no graph and no class that could be its state.").Do(buildGraph)
}
