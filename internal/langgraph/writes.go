package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
)

// writes fills in what the nodes of a graph write.
func (r *reader) writes(g *agentgraph.Graph) {
	of := body.State{}
	if g.State != nil {
		of = body.State{Kind: g.State.Kind, Class: r.p.Body(Def(g.State.Source))}
	}
	r.bodies.Write(g, of, func(n *agentgraph.Node) *il.Function { return r.p.Body(called(n)) })
}

// stateParam returns the name of the parameter that takes the state: the first
// that is not self.
func stateParam(d *code.Definition) string {
	params := d.Params()
	if d.Kind == code.DefMethod && len(params) > 0 && (params[0].Name == "self" || params[0].Name == "cls") {
		params = params[1:]
	}
	if len(params) == 0 {
		return ""
	}
	return params[0].Name
}

// makesModel reports whether the code of a node, helpers included, makes
// objects of a model: it constructs them, or hands the class to a call such as
// with_structured_output. Annotations and type tests make nothing.
func (r *reader) makesModel(n *agentgraph.Node, m *agentgraph.Model) bool {
	within := r.calledBy(Def(n.Source))
	for _, use := range r.p.Uses(Def(m.Source)) {
		if !slices.Contains(within, r.p.Enclosing(use)) {
			continue
		}
		for a := range use.Around() {
			if a.Is("type", "function_definition", "lambda", "assignment", "for_statement") {
				break
			}
			if a.Is("call") {
				if !r.p.Resolve(a.Field("function")).Matches("builtins.isinstance", "builtins.issubclass", "typing.cast") {
					return true
				}
				break
			}
		}
	}
	return false
}

// calledBy returns a function and the first-party ones that it calls, at most
// four deep and 200.
func (r *reader) calledBy(d *code.Definition) []*code.Definition {
	out := []*code.Definition{d}
	for depth, from := 0, 0; depth < maxCalls && from < len(out); depth++ {
		for end := len(out); from < end && len(out) < 200; from++ {
			defs := r.p.Callees(out[from])
			for _, c := range defs {
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
		if len(out) >= 200 {
			break
		}
	}
	return out
}
