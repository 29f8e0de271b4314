package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
)

// maxCalls bounds calls in each other that are followed.
const maxCalls = 4

// maxTurns bounds the turns of all loops around one statement.
const maxTurns = 256

// reader is the state of one Read.
type reader struct {
	p      *intree.Program
	bodies body.Bodies
	words  *agentgraph.Profile
	names  map[calling][]string // answers of called
	sides  map[*agentgraph.Graph]*side
}

// calling is a call, and whether what it hands on counts.
type calling struct {
	call    code.Node
	handing bool
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

// turns are the values that the loops around a node bind, turn by turn.
func (r *reader) turns(n code.Node) [][]code.Binding {
	out := [][]code.Binding{nil}
	for _, loop := range loopsAround(n, r.p.Enclosing(n)) {
		var next [][]code.Binding
		for _, binds := range out {
			turns, complete := r.p.Unroll(loop, binds...)
			for _, t := range turns {
				next = append(next, append(slices.Clone(binds), t))
			}
			if !complete {
				next = append(next, binds)
			}
		}
		out = next[:min(len(next), maxTurns)]
	}
	return out
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

// twoNamed reports whether a value holds the names of two reviewers.
func (r *reader) twoNamed(v code.Value) bool {
	seen := map[string]bool{}
	for _, i := range append(slices.Clone(v.Items), v.Keys...) {
		for _, x := range append([]code.Value{i}, i.Items...) {
			if text, ok := x.Str(); ok {
				for _, part := range r.words.PartsIn(text, r.words.Reviewers) {
					seen[part] = true
				}
			}
		}
	}
	return len(seen) >= 2
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
