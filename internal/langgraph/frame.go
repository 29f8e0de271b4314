package langgraph

import (
	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
)

// maxCalls bounds calls in each other that are followed.
const maxCalls = 4

// reader is the state of one Read.
type reader struct {
	p      *intree.Program
	bodies body.Bodies
	words  *agentgraph.Profile
	within analyse.Origins // of values, within the function that has them
	sides  map[*agentgraph.Graph]*side
}

// side is what the reader keeps beside a graph.
type side struct {
	call   *intree.Call  // the constructor
	schema intree.Symbol // what is passed as state; not Known when it is not resolved
}

// side returns what is kept beside a graph.
func (r *reader) side(g *agentgraph.Graph) *side {
	if r.sides[g] == nil {
		r.sides[g] = &side{}
	}
	return r.sides[g]
}

// callable returns the function that runs when a symbol is called: none for a
// class.
func callable(p *intree.Program, s intree.Symbol) *code.Definition {
	switch {
	case s.Def == nil:
		return nil
	case s.Def.IsFunction():
		return s.Def
	case s.Instance:
		return p.Method(s.Def, "__call__")
	default:
		return nil
	}
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

// placeOf is the place of a node.
func placeOf(n code.Node) agentgraph.Place {
	if !n.Valid() {
		return agentgraph.Place{}
	}
	return agentgraph.Place{Path: n.Path(), Line: n.Line(), End: n.EndLine()}
}

// placeOfDef is the place of a definition: its first line is the keyword's.
func placeOfDef(d *code.Definition) agentgraph.Place {
	if d == nil {
		return agentgraph.Place{}
	}
	return agentgraph.Place{Path: d.Module.Path, Line: d.Line(), End: d.Node.EndLine()}
}
