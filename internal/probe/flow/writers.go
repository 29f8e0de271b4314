package flow

import (
	"fmt"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
)

// sameKey looks for two parallel nodes that write one key of a dict field, and
// reports their writes; sure is false when they only may, because the keys of
// one are known while the program runs. Of such pairs it takes one whose nodes pick
// the same, and says what.
func sameKey(g *agentgraph.Graph, field string) (a, b agentgraph.Write, picked string, sure, found bool) {
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
			if meet {
				return x, y, "", true, true
			}
			both := ""
			if !x.Keyed && !y.Keyed {
				both = pick(g.Node(x.Node), g.Node(y.Node))
			}
			if !known && (!found || picked == "" && both != "") {
				a, b, picked, found = x, y, both, true
			}
		}
	}
	return a, b, picked, false, found
}

// pick is a text under a key that two nodes both compare entries with, the first by key.
func pick(a, b *agentgraph.Node) string {
	for _, key := range slices.Sorted(maps.Keys(a.Picks)) {
		for _, word := range a.Picks[key] {
			if slices.Contains(b.Picks[key], word) {
				return fmt.Sprintf("“%s” under “%s”", court.Clean(word, 60), court.Clean(key, 60))
			}
		}
	}
	return ""
}

// meet tells whether two dicts have a key in common, and whether that is known.
func meet(x, y agentgraph.Write) (meet, known bool) {
	if !x.Keyed || !y.Keyed {
		return false, x.Keyed && len(x.Keys) == 0 || y.Keyed && len(y.Keys) == 0
	}
	return slices.ContainsFunc(x.Keys, func(k string) bool { return slices.Contains(y.Keys, k) }), true
}
