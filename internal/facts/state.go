package facts

import (
	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
)

// Typed tells whether the fields of the state have types: of what the builder
// is given. A class that only looks like the state is none that a graph has.
func (w *Wiring) Typed() Fact[*agentgraph.State] {
	st := w.State
	f := Fact[*agentgraph.State]{Value: st, Answer: Yes}
	switch {
	case st == nil && w.Main != nil:
		return Fact[*agentgraph.State]{Why: Reason{court.Dynamic, "what the builder is given as state could not be resolved"}, At: At(w.Main.Builder)}
	case st == nil:
		return Fact[*agentgraph.State]{Answer: w.without(), Why: Reason{court.Dynamic, "no builder is given a state, and no class is one by name and fields"}, At: At(w.Sentinels...)}
	case st.Kind == agentgraph.KindUnknown:
		f.Answer, f.Why = Unknown, Reason{court.Dynamic, "a base of the state could not be resolved"}
	case st.Loose && w.Main == nil:
		f.Answer, f.Why = w.without(), Reason{court.Dynamic, "a class looks like the state, but no builder was found that is given it"}
	case st.Loose && w.Main.Provenance != agentgraph.FromFunctions:
		if f.Answer, f.Why = Unknown, (Reason{court.Dynamic, "what the builder is given as state could not be resolved"}); w.Main.Provenance == agentgraph.FromLangGraph {
			f.Answer, f.Why = No, Reason{Text: "the builder is given no state"}
		}
	case st.Kind == agentgraph.KindDict || st.Kind == agentgraph.KindNone:
		f.Answer = No
	}
	if f.At = At(st.At); len(f.At) == 0 && w.Main != nil {
		f.At = At(w.Main.Builder)
	}
	return f
}

// Gathers is the field of the state that takes what the nodes of a role bring,
// detectives or judges; its reducer may be unknown.
func (w *Wiring) Gathers(role agentgraph.Role) Fact[*agentgraph.Field] {
	typed := w.Typed()
	if w.State == nil {
		return With(typed, (*agentgraph.Field)(nil))
	}
	field := w.State.Material
	if role == Judge {
		field = w.State.Reviews
	}
	switch {
	case field != nil:
		return Fact[*agentgraph.Field]{Value: field, Answer: Yes, At: At(field.At)}
	case w.State.Open:
		return Fact[*agentgraph.Field]{Why: Reason{court.Dynamic, "the state has fields that could not be resolved"}, At: typed.At}
	}
	return Fact[*agentgraph.Field]{Answer: No, Why: Reason{Text: "the state has no field for them"}, At: typed.At}
}

// Reduces tells whether some field of the state has a reducer of a kind.
func (w *Wiring) Reduces(kind agentgraph.ReducerKind) Fact[struct{}] {
	f := Fact[struct{}]{Answer: w.Typed().Answer, Why: Reason{Text: "no field of the state has it"}}
	if w.State == nil {
		return f
	}
	if w.Main != nil && w.Main.Provenance == agentgraph.FromFunctions {
		return Fact[struct{}]{Why: Reason{court.Dynamic, "an entrypoint joins what its tasks return itself"}}
	}
	if f.Answer = No; w.State.Open {
		f.Answer = Unknown
	}
	for _, field := range w.State.Fields {
		if field.Reducer.Kind == kind {
			return Fact[struct{}]{Answer: Yes, At: At(field.At)}
		}
		if field.Reducer.Kind == agentgraph.ReducerUnknown {
			f.Answer = Unknown
		}
	}
	return f
}
