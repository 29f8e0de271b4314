package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// builderNames are the names of LangGraph's builders.
var builderNames = []string{"StateGraph", "MessageGraph", "Graph"}

// origin is what a constructor call constructs.
type origin struct {
	provenance agentgraph.Provenance
	class      *code.Definition // first-party class, nil otherwise
	note       string
}

// constructs says what builder a call constructs, nil when it is none.
func (r *reader) constructs(call code.Node) *origin {
	function := call.Field("function").Unparen()
	if !function.Is("identifier", "attribute", "call", "subscript") {
		return nil
	}
	var out *origin
	wrapped := false
	symbols := r.p.ResolveAll(function)
	for _, s := range symbols {
		switch {
		case s.Instance:
			return nil
		case s.Def != nil && s.Def.Kind == code.DefClass:
			if p := r.builderClass(s.Def); p != "" {
				out = better(out, &origin{provenance: p, class: s.Def})
			}
		case s.Def != nil:
			wrapped = true
		case langgraphBuilder(s):
			out = better(out, &origin{provenance: agentgraph.FromLangGraph})
		case lastName(function) == "StateGraph" && (!s.Known() || s.External && strings.HasSuffix(s.Qualified, ".StateGraph")):
			out = better(out, &origin{provenance: agentgraph.ProvenanceUnknown})
		}
	}
	if out == nil && wrapped {
		return nil
	}
	if out != nil && out.provenance != agentgraph.FromHome {
		out.note = r.stubNote(symbols)
	}
	return out
}

// better keeps the origin that says more.
func better(a, b *origin) *origin {
	rank := []agentgraph.Provenance{agentgraph.FromLangGraph, agentgraph.FromHome, agentgraph.ProvenanceUnknown}
	if a == nil || slices.Index(rank, b.provenance) < slices.Index(rank, a.provenance) {
		return b
	}
	return a
}

// stubNote notes a class of our own that stands in when the import fails.
func (r *reader) stubNote(symbols []code.Symbol) string {
	for _, s := range symbols {
		if s.Def != nil && s.Def.Kind == code.DefClass && r.builderClass(s.Def) != agentgraph.FromLangGraph {
			return "a class of the repository stands in when the import fails: " + s.Def.Qualified
		}
	}
	return ""
}

// langgraphBuilder reports whether a symbol is a builder class of LangGraph.
func langgraphBuilder(s code.Symbol) bool {
	if !s.Matches("langgraph.*") {
		return false
	}
	last := s.Qualified[strings.LastIndex(s.Qualified, ".")+1:]
	return slices.Contains(builderNames, last)
}

// builderClass says whether a first-party class is a builder: a subclass of
// LangGraph's, or a home-made class called StateGraph with methods for nodes
// and edges. "" for every other class.
func (r *reader) builderClass(class *code.Definition) agentgraph.Provenance {
	for _, name := range builderNames {
		if r.p.Inherits(class, "langgraph.*."+name) {
			return agentgraph.FromLangGraph
		}
	}
	if class.Name != "StateGraph" && class.Name != "MessageGraph" && !r.inheritsHome(class) {
		return ""
	}
	if r.p.Method(class, "add_node") == nil {
		return ""
	}
	for _, edge := range []string{"add_edge", "add_edges", "add_conditional_edge", "add_conditional_edges"} {
		if r.p.Method(class, edge) != nil {
			return agentgraph.FromHome
		}
	}
	return ""
}

// inheritsHome reports whether a class has a first-party base called
// StateGraph.
func (r *reader) inheritsHome(class *code.Definition) bool {
	for _, b := range r.p.Bases(class) {
		if b.Def != nil && b.Def.Name == "StateGraph" {
			return true
		}
	}
	return false
}

// lastName returns the last name of a dotted expression.
func lastName(n code.Node) string {
	switch n.Kind() {
	case "identifier":
		return n.Text()
	case "attribute":
		return n.Field("attribute").Text()
	default:
		return ""
	}
}
