package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// worker is the function that does a node's work: its own, or where that only
// wraps another function, the one that is wrapped.
func (b *bench) worker(n *agentgraph.Node) []*code.Definition {
	if langgraph.Def(n.Source) == nil {
		return nil
	}
	if langgraph.Def(n.Source).Parent == nil || !langgraph.Def(n.Source).Parent.IsFunction() {
		return []*code.Definition{langgraph.Def(n.Source)}
	}
	var out []*code.Definition
	if m := b.p.Module(n.At.Path); m != nil {
		for _, c := range b.p.CallsOf(m) {
			if c.Name != "add_node" || c.Line() != n.At.Line {
				continue
			}
			for _, a := range c.Args {
				out = append(out, b.wrappedBy(a.Value, 0)...)
			}
		}
	}
	if len(out) == 0 {
		return []*code.Definition{langgraph.Def(n.Source)}
	}
	return out
}

// wrappedBy lists the functions that are handed to a wrapper when a node is
// made: wrap(f), wrap(seconds)(f), and names of such.
func (b *bench) wrappedBy(n code.Node, depth int) []*code.Definition {
	if depth > 4 {
		return nil
	}
	var out []*code.Definition
	switch n.Kind() {
	case "identifier":
		for s := range b.p.Enclosing(n).Module.Root().Walk() {
			if s.Is("assignment") && s.Field("left").Text() == n.Text() && s.Field("right").Is("call") {
				out = append(out, b.wrappedBy(s.Field("right"), depth+1)...)
			}
		}
	case "call":
		for a := range n.Field("arguments").Children() {
			if !a.Is("identifier", "attribute") {
				continue
			}
			if s := b.p.Resolve(a); s.Def != nil && s.Def.IsFunction() && !s.Instance && s.Def.Module.Scope == code.ScopeProduction {
				out = append(out, s.Def)
			}
		}
	}
	return out
}

// ordered sorts definitions by place, each once.
func ordered(defs []*code.Definition) []*code.Definition {
	defs = slices.Clone(defs)
	slices.SortStableFunc(defs, func(x, y *code.Definition) int {
		if c := strings.Compare(x.Module.Path, y.Module.Path); c != 0 {
			return c
		}
		return x.Line() - y.Line()
	})
	return slices.Compact(defs)
}

// inward replaces a chief node's function that reads no score by the function
// called chief justice that it calls.
func (b *bench) inward(roots []*code.Definition) []*code.Definition {
	for i, d := range roots {
		if readsScores(d) {
			continue
		}
		next := b.p.Callees(d)
		for _, c := range next {
			if c.IsFunction() && chiefRank(c) >= 6 {
				roots[i] = c
			}
		}
	}
	return roots
}
