package langgraph

import "github.com/automaton-auditor/automaton/internal/code"

// Reading is everything LangGraph in one repository.
type Reading struct {
	// Graphs are all builders outside vendored and generated code, best first:
	// the order in which Main is chosen.
	Graphs []*Graph
	// Main is the graph that counts: not in tests or examples, then reachable
	// from an entry point, compiled, with judges, with more nodes, more edges,
	// then by path. nil: no builder was found; see Absent.
	Main *Graph
	// Other are uses of LangGraph that build no StateGraph.
	Other []OtherAPI
	// Sentinels are code tokens "StateGraph" in production code that could be a
	// construction which was not understood. They forbid to say "absent".
	Sentinels []Place

	State    *State // of Main; without a graph the class that is most likely one; nil: none
	Evidence *Model // the evidence model; nil: none
	Opinion  *Model // the opinion model; nil: none
}

// OtherAPI is a use of LangGraph other than a StateGraph.
type OtherAPI struct {
	Name string // create_react_agent, entrypoint, task, Pregel, ...
	At   Place
}

// Read reads the program. It never fails: what it cannot follow it names.
func Read(p *code.Program) *Reading {
	_ = p
	return &Reading{}
}

// Absent says whether there is no StateGraph: Yes, No when there is one, or
// Unknown when none was found but Sentinels speak against it.
func (r *Reading) Absent() Truth {
	switch {
	case r.Main != nil:
		return No
	case len(r.Sentinels) > 0:
		return Unknown
	default:
		return Yes
	}
}
