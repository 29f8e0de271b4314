package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// reheard lists flags for another hearing that depend on the spread, when the
// graph can go back from the chief, or from what follows, to evidence or
// judges.
func (b *bench) reheard() []code.Node {
	if !b.returns() {
		return nil
	}
	out := b.sentBack()
	for _, d := range b.chief.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().WalkScope() {
			name, value := "", code.Node{}
			switch n.Kind() {
			case "assignment":
				name, value = n.Field("left").Text(), n.Field("right")
			case "keyword_argument":
				name, value = n.Field("name").Text(), n.Field("value")
			case "pair":
				name, value = n.Field("key").Text(), n.Field("value")
			}
			ws := split(name)
			if !starts(ws, "reeval", "rehear", "reassess", "redeliber", "rerun", "recheck") && !(has(ws, "re") && starts(ws, "eval", "hear", "assess", "run", "exam")) {
				continue
			}
			o := b.weighs.at(value)
			if (o.data|b.weighs.guards(n))&spread != 0 && !b.deads.never(n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// sentBack lists the decisions of the routes from the chief, or from a node between
// judges and chief, that a wide spread takes back to the judges or to what is before
// them.
func (b *bench) sentBack() []code.Node {
	g := b.r.Main
	behind := b.reached(g.ByRole(facts.Judge)...)
	var out []code.Node
	for _, r := range g.Routes {
		n := g.Node(r.From)
		if n == nil || n.Role == facts.Judge || n.Role != facts.Chief && !behind[r.From] || langgraph.Def(r.Source) == nil {
			continue
		}
		for _, v := range langgraph.Def(r.Source).ReturnValues() {
			text, _ := literal(v)
			if to := g.Node(text); n.Role != facts.Chief && to != nil && !b.back(to) {
				continue
			}
			if !ends(v) && slices.ContainsFunc(b.p.Guards(v), b.wide) && !b.deads.never(v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// ends reports whether a route's answer is the end of the graph.
func ends(v code.Node) bool {
	text, ok := literal(v)
	return last(v) == "END" || ok && has(split(text), "end")
}

// returns reports whether the graph leads from the judges or the chief back to a
// detective, an aggregator or a judge.
func (b *bench) returns() bool {
	g := b.r.Main
	if g == nil || !b.chief.wired {
		return false
	}
	return slices.ContainsFunc(slices.Concat(g.ByRole(facts.Chief), g.ByRole(facts.Judge)), func(n *agentgraph.Node) bool {
		for name := range b.reached(n) {
			if to := g.Node(name); to != nil && before(to) && (n.Role == facts.Chief || b.reached(to)[n.Name]) {
				return true
			}
		}
		return false
	})
}

// back reports whether a node is before the chief, or leads there.
func (b *bench) back(n *agentgraph.Node) bool {
	if before(n) {
		return true
	}
	for name := range b.reached(n) {
		if to := b.r.Main.Node(name); to != nil && before(to) {
			return true
		}
	}
	return false
}

func before(n *agentgraph.Node) bool {
	return n.Role == facts.Judge || n.Role == facts.Detective || n.Role == agentgraph.RoleAggregator
}

// reached are the names of the nodes that the given ones lead to, near and far.
func (b *bench) reached(from ...*agentgraph.Node) map[string]bool {
	next := map[string][]string{}
	for _, e := range b.r.Main.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	for _, r := range b.r.Main.Routes {
		for _, t := range r.Targets {
			if !t.Dead {
				next[r.From] = append(next[r.From], t.Name)
			}
		}
	}
	seen := map[string]bool{}
	var queue []string
	for _, n := range from {
		queue = append(queue, next[n.Name]...)
	}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if !seen[name] {
			seen[name] = true
			queue = append(queue, next[name]...)
		}
	}
	return seen
}
