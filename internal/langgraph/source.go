package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
)

// function is the source of a node.
type function struct {
	def   *code.Definition // the function that runs: for an instance its __call__
	outer *code.Definition // what the graph calls, when it makes something else of what def returns
}

// Def returns the definition in a graph's Source, of a node the function that
// runs; nil when this reader did not read it.
func Def(source any) *code.Definition {
	switch s := source.(type) {
	case *function:
		return s.def
	case *code.Definition:
		return s
	default:
		return nil
	}
}

// Expr returns the expression in a graph's Source; the zero node when this
// reader did not read it.
func Expr(source any) code.Node {
	n, _ := source.(code.Node)
	return n
}

// called returns the function that is given the state and whose result is the
// update: Def, unless what wraps it does not hand its result on.
func called(n *agentgraph.Node) *code.Definition {
	if f, ok := n.Source.(*function); ok && f.outer != nil {
		return f.outer
	}
	return Def(n.Source)
}

// entry is where a key stands in what a stretch of a file writes.
func (r *reader) entry(path string, at il.Span, key string) agentgraph.Place {
	m := r.p.Module(path)
	if m == nil {
		return agentgraph.Place{}
	}
	n := m.At(int(at.From), int(at.To))
	if n.Is("call") {
		n = n.Field("arguments")
	}
	for c := range n.Children() {
		switch {
		case c.Is("dictionary_splat") && key == "**":
			return placeOf(c)
		case c.Is("pair") && strings.Trim(c.Field("key").Text(), `"'`) == key:
			return placeOf(c.Field("key"))
		case c.Is("keyword_argument") && c.Field("name").Text() == key:
			return placeOf(c)
		}
	}
	return agentgraph.Place{}
}

// made notes which models of the reading the nodes make objects of, where they
// write the field that holds them.
func (r *reader) made(g *agentgraph.Graph, all *agentgraph.Reading) {
	if g.State == nil {
		return
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for _, of := range []struct {
			m *agentgraph.Model
			f *agentgraph.Field
		}{{all.Review, g.State.Reviews}, {all.Material, g.State.Material}} {
			if of.m == nil || of.f == nil || n.Source == nil || Def(of.m.Source) == nil {
				continue
			}
			writes := slices.ContainsFunc(g.Writes, func(w agentgraph.Write) bool { return w.Node == n.Name && w.Key == of.f.Name && !w.Empty })
			if writes && r.makesModel(n, of.m) {
				n.Makes = append(n.Makes, of.m)
			}
		}
	}
}
