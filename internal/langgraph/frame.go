package langgraph

import (
	"slices"

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
	call   *code.Call  // the constructor
	schema code.Symbol // what is passed as state; not Known when it is not resolved
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
func callable(p *intree.Program, s code.Symbol) *code.Definition {
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

// loopsAround returns the loops around a node within a definition, the
// outermost first.
func loopsAround(n code.Node, d *code.Definition) []code.Node {
	var out []code.Node
	inner := n
	for a := range n.Around() {
		if d != nil && a == d.Node {
			break
		}
		if loops(a) && !iterated(a).Contains(inner) {
			out = append(out, a)
		}
		inner = a
	}
	slices.Reverse(out)
	return out
}

// loops reports whether a node is a loop over something.
func loops(n code.Node) bool {
	return n.Is("for_statement", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
}

// iterated returns what a loop goes over first.
func iterated(loop code.Node) code.Node {
	if loop.Is("for_statement") {
		return loop.Field("right")
	}
	for c := range loop.Children() {
		if c.Is("for_in_clause") {
			return c.Field("right")
		}
	}
	return code.Node{}
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
