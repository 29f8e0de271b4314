package flow

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// sameKey looks for two parallel nodes that write one key of a dict field, and
// reports their writes; sure is false when they only may, because the keys of
// one are known while the program runs.
func (r *reading) sameKey(g *agentgraph.Graph, field string) (a, b agentgraph.Write, sure, found bool) {
	var writes []agentgraph.Write
	for _, w := range g.Writes {
		if w.Key == field {
			writes = append(writes, w)
		}
	}
	for i, x := range writes {
		for _, y := range writes[i+1:] {
			if x.Node == y.Node || g.Parallel(x.Node, y.Node).Value == agentgraph.No {
				continue
			}
			meet, known := r.meet(langgraph.Expr(x.Source), langgraph.Expr(y.Source))
			switch {
			case !known && !found:
				a, b, found = x, y, true
			case meet:
				return x, y, true, true
			}
		}
	}
	return a, b, false, found
}

// meet tells whether two dicts have a key in common, and whether that is known.
func (r *reading) meet(x, y code.Node) (meet, known bool) {
	left, ok := r.literalKeys(x)
	right, also := r.literalKeys(y)
	if !ok || !also {
		return false, ok && len(left) == 0 || also && len(right) == 0
	}
	return slices.ContainsFunc(left, func(k string) bool { return slices.Contains(right, k) }), true
}

// literalKeys lists the keys of a dict when all are fixed texts.
func (r *reading) literalKeys(n code.Node) ([]string, bool) {
	v := r.program.Eval(n)
	if v.Kind != code.ValueDict {
		return nil, false
	}
	var out []string
	for _, k := range v.Keys {
		text, ok := k.Str()
		if !ok {
			return nil, false
		}
		out = append(out, text)
	}
	return out, true
}
