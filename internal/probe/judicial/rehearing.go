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

// sentBack lists the decisions of the routes from the chief that a wide spread
// takes elsewhere than to the end.
func (b *bench) sentBack() []code.Node {
	var out []code.Node
	for _, r := range b.r.Main.Routes {
		n := b.r.Main.Node(r.From)
		if n == nil || n.Role != facts.Chief || langgraph.Def(r.Source) == nil {
			continue
		}
		for _, v := range langgraph.Def(r.Source).ReturnValues() {
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

// returns reports whether the graph leads from the chief back to a detective,
// an aggregator or a judge.
func (b *bench) returns() bool {
	g := b.r.Main
	if g == nil || !b.chief.wired {
		return false
	}
	next := map[string][]string{}
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	for _, r := range g.Routes {
		for _, t := range r.Targets {
			if !t.Dead {
				next[r.From] = append(next[r.From], t.Name)
			}
		}
	}
	seen := map[string]bool{}
	var queue []string
	for _, n := range g.ByRole(facts.Chief) {
		queue = append(queue, next[n.Name]...)
	}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		if n := g.Node(name); n != nil && (n.Role == facts.Judge || n.Role == facts.Detective || n.Role == agentgraph.RoleAggregator) {
			return true
		}
		queue = append(queue, next[name]...)
	}
	return false
}
