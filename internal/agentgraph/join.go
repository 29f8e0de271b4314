package agentgraph

import (
	"fmt"
	"slices"
)

// DoubleTrigger looks for nodes that run more than once, at least in some run,
// because branches of different length lead into them without a barrier. Nodes
// that wait (defer=True) and handlers are none. The item names the node, then
// the last nodes of the two branches.
func (g *Graph) DoubleTrigger() Answer {
	if len(g.Nodes) > maxNodes {
		return Answer{Reason: fmt.Sprintf("more than %d nodes", maxNodes)}
	}
	budget := maxRaces
	return g.collect(len(g.Nodes), func(i int) (Item, Truth, string) {
		n := &g.Nodes[i]
		item := Item{Nodes: []string{n.Name}}
		if n.Deferred || n.Role == RoleHandler || len(g.into(n.Name)) < 2 {
			return item, No, ""
		}
		value, why := g.settle("", func(w *wiring) Truth {
			_, _, ok := w.uneven(n.Name, &budget)
			return Decided(ok)
		})
		if budget < 0 && value != Yes {
			return item, Unknown, "more ways lead through the graph than can be compared"
		}
		if value == Yes {
			w := g.plain()
			again, more := maxRaces, maxRaces
			a, b, ok := w.well().certain().uneven(n.Name, &again)
			if item.Some = !ok; item.Some {
				a, b, _ = w.uneven(n.Name, &more)
			}
			item.Nodes = append(item.Nodes, w.names[a], w.names[b])
			item.At = g.into(n.Name)
			item.Reason = fmt.Sprintf("the ways over %s and %s are of different length, so %s runs twice%s", Label(w.names[a]), Label(w.names[b]), n.Name, inSome(item.Some))
		}
		return item, value, why
	})
}

func inSome(some bool) string {
	if some {
		return " in some runs"
	}
	return ""
}

// maxRaces bounds what DoubleTrigger compares: positions of two ways, over all
// nodes. A graph of 40 nodes that all lead to each other has more than a
// computer can look at.
const maxRaces = 500_000

// uneven looks for two ways that start together, share no node, are of
// different length and both end in a node over a step that is not a barrier. It
// returns the last nodes before it. Where budget ends, it looks no further.
func (w *wiring) uneven(name string, budget *int) (a, b int, ok bool) {
	at := w.find(name)
	if len(at) == 0 {
		return 0, 0, false
	}
	flat := w.acyclic()
	for f, steps := range flat.out {
		for i, s := range steps {
			for _, t := range steps[i+1:] {
				if *budget < 0 {
					return 0, 0, false
				}
				if s.to == t.to || !together(s, t) || s.barrier || t.barrier {
					continue
				}
				if a, b, ok := flat.race(s.to, t.to, at[0], f, budget); ok {
					return a, b, true
				}
			}
		}
	}
	return 0, 0, false
}

// racer is the position of the two ways in a race and how many steps the first
// is ahead. prev are the nodes before the goal, once reached.
type racer struct{ a, b, ahead, lastA, lastB int }

// race walks two ways to a goal that share nothing else and looks for a pair
// of different length. The way that is behind in order moves first.
func (w *wiring) race(a, b, goal, fork int, budget *int) (lastA, lastB int, ok bool) {
	start := racer{a: a, b: b, lastA: fork, lastB: fork}
	seen := map[racer]bool{start: true}
	stack := []racer{start}
	for len(stack) > 0 && len(seen) < 20_000 && *budget >= 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if r.a == goal && r.b == goal {
			if r.ahead != 0 {
				return r.lastA, r.lastB, true
			}
			continue
		}
		for _, next := range w.advance(r, goal) {
			*budget--
			if (next.a != next.b || next.a == goal) && !seen[next] {
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	return 0, 0, false
}

// advance moves the way that is behind by one step in every possible manner.
func (w *wiring) advance(r racer, goal int) []racer {
	var out []racer
	first := r.b == goal || r.a != goal && w.order[r.a] <= w.order[r.b]
	at := r.b
	if first {
		at = r.a
	}
	for _, s := range w.out[at] {
		if s.barrier || s.to != goal && !w.reach[s.to][goal] {
			continue
		}
		next := r
		if first {
			next.a, next.ahead = s.to, r.ahead+1
			if s.to == goal {
				next.lastA = at
			}
		} else {
			next.b, next.ahead = s.to, r.ahead-1
			if s.to == goal {
				next.lastB = at
			}
		}
		out = append(out, next)
	}
	return out
}

// StarvedJoin looks for barriers that wait for a node which some run skips, so
// that their target never fires in that run. The item names the target, the
// skipped source, then a source that waits for it.
func (g *Graph) StarvedJoin() Answer {
	if len(g.Nodes) > maxNodes {
		return Answer{Reason: fmt.Sprintf("more than %d nodes", maxNodes)}
	}
	var joins []Edge
	for _, e := range g.Edges {
		if e.Kind == Barrier && !slices.ContainsFunc(joins, func(o Edge) bool { return o.To == e.To && slices.Equal(o.Sources, e.Sources) }) {
			joins = append(joins, e)
		}
	}
	return g.collect(len(joins), func(i int) (Item, Truth, string) {
		e := joins[i]
		value, why := g.settle("", func(w *wiring) Truth {
			_, _, ok := w.starved(e.Sources)
			return Decided(ok)
		})
		item := Item{Nodes: []string{e.To}, At: []Place{e.At}}
		if value == Yes {
			w := g.plain()
			skipped, waiting, _ := w.starved(e.Sources)
			item.Nodes = append(item.Nodes, skipped, waiting)
			item.At = Places(append(g.into(skipped), e.At)...)
			_, _, always := w.well().starved(e.Sources)
			item.Some = !always
			item.Reason = fmt.Sprintf("%s waits for %s, which a run with %s may skip", Label(e.To), skipped, waiting)
		}
		return item, value, why
	})
}

// starved looks for a source of a join that some run skips while another one
// runs. A source that can never be reached starves the join as well.
func (w *wiring) starved(sources []string) (skipped, waiting string, ok bool) {
	for _, s := range sources {
		for _, t := range sources {
			from, to := w.find(s), w.find(t)
			if s == t || len(to) == 0 {
				continue
			}
			if len(from) == 0 || w.runsWithout(to[0], from[0]) {
				return s, t, true
			}
		}
	}
	return "", "", false
}

// runsWithout looks for a way from START to a node on which nothing forces the
// other node to run, at most 2,000 ways.
func (w *wiring) runsWithout(node, other int) bool {
	budget := 2000
	taken := map[int]int{} // node of the way → index of the step taken
	var walk func(n int) bool
	walk = func(n int) bool {
		if budget--; budget < 0 {
			return false
		}
		if n == node {
			return !w.forced(taken, node)[other]
		}
		for i, s := range w.out[n] {
			if _, on := taken[s.to]; on || s.to == n || s.to != node && !w.reach[s.to][node] {
				continue
			}
			taken[n] = i
			if walk(s.to) {
				return true
			}
			delete(taken, n)
		}
		return false
	}
	return walk(0)
}

// forced returns what surely runs when the steps of a way are taken.
func (w *wiring) forced(taken map[int]int, end int) map[int]bool {
	sure := map[int]bool{end: true}
	stack := []int{end}
	for n := range taken {
		sure[n] = true
		stack = append(stack, n)
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range w.out[n] {
			if !sure[s.to] && w.surely(n, s, taken) {
				sure[s.to] = true
				stack = append(stack, s.to)
			}
		}
	}
	return sure
}

// surely reports whether a step out of n fires in every outcome that is left:
// all of its route's, or those with the step that the way takes.
func (w *wiring) surely(n int, s step, taken map[int]int) bool {
	if s.outcomes == nil {
		return true
	}
	var left []int
	if i, on := taken[n]; on && w.out[n][i].group == s.group {
		left = w.out[n][i].outcomes
	} else {
		for _, o := range w.out[n] {
			if o.group == s.group {
				left = append(left, o.outcomes...)
			}
		}
	}
	for _, o := range left {
		if !slices.Contains(s.outcomes, o) {
			return false
		}
	}
	return true
}
