package flow

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
)

// sameKey looks for two parallel nodes that write one key of a dict field, and
// reports their writes; sure is false when they only may, because the keys of
// one are known while the program runs.
func sameKey(g *agentgraph.Graph, field string) (a, b agentgraph.Write, sure, found bool) {
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
			meet, known := meet(x, y)
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
func meet(x, y agentgraph.Write) (meet, known bool) {
	if !x.Keyed || !y.Keyed {
		return false, x.Keyed && len(x.Keys) == 0 || y.Keyed && len(y.Keys) == 0
	}
	return slices.ContainsFunc(x.Keys, func(k string) bool { return slices.Contains(y.Keys, k) }), true
}
