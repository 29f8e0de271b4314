package agentgraph

import (
	"fmt"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// ErrorRoute is a route that leads away from the normal course: one of its
// targets is END, a handler, or a node from which no reviewer and no decider
// is reached although another target leads to them; and another one goes on.
type ErrorRoute struct {
	Route  *Route
	Escape []string // its targets that lead away
	Covers []Role   // what it guards: workers, RoleAggregator or reviewers
	Bypass []Item   // edges and routes beside it by which reviewers or the decider run on the error path too
}

// ErrorRoutes returns the error routes by place. A route whose other targets
// only lead back, so that END is its normal end, is none. complete is false
// when unresolved wiring could hide one.
func (g *Graph) ErrorRoutes() (routes []ErrorRoute, complete bool) {
	complete = len(g.Nodes) <= maxNodes
	for _, u := range g.Unresolved {
		complete = complete && !u.Route
	}
	if len(g.Nodes) > maxNodes {
		return nil, complete
	}
	w := g.plain()
	for i := range g.Routes {
		r := &g.Routes[i]
		from := w.find(r.From)
		if len(from) == 0 {
			continue
		}
		escape, onward := w.split(r, from[0])
		if len(escape) == 0 || !onward {
			continue
		}
		routes = append(routes, ErrorRoute{Route: r, Escape: escape, Covers: []Role{w.stage(from[0])}, Bypass: w.bypass(r, escape)})
	}
	slices.SortStableFunc(routes, func(a, b ErrorRoute) int { return a.Route.At.Compare(b.Route.At) })
	return routes, complete
}

// split tells the targets of a route that escape from those that go on.
func (w *wiring) split(r *Route, from int) (escape []string, onward bool) {
	reviewed := slices.ContainsFunc(r.Targets, func(t Target) bool { return !t.Dead && w.leadsToReview(t.Name) })
	for _, t := range r.Targets {
		if t.Dead {
			continue
		}
		n := w.graph.Node(t.Name)
		if t.Name == END || n != nil && (n.Role == RoleHandler || w.skips(r, n) || reviewed && n.Role == RoleOther && !w.leadsToReview(t.Name)) {
			escape = append(escape, t.Name)
			continue
		}
		for _, to := range w.find(t.Name) {
			onward = onward || w.goesOn(to, from)
		}
	}
	return escape, onward
}

// skips reports whether a target of a route is the decider, reached without the reviewers
// for a reason that speaks of a lack, while another target leads to them.
func (w *wiring) skips(r *Route, n *Node) bool {
	if n.Role != w.graph.words.Decider {
		return false
	}
	lack := false
	for said, to := range r.Map {
		lack = lack || to == n.Name && lacking.MatchString(said)
	}
	return lack && slices.ContainsFunc(r.Targets, func(t Target) bool {
		return !t.Dead && t.Name != n.Name && slices.ContainsFunc(w.reviews(t.Name), func(m int) bool { return w.roles[m] == w.graph.words.Reviewers })
	})
}

// lacking are words of what a router returns where something is missing or failed.
var lacking = regexp.MustCompile(`(?i)(?:^|[_\W])(?:no|not|none|missing|empty|insufficient|fail\w*|error\w*|abort\w*)(?:$|[_\W])`)

// goesOn reports whether a run that takes a step to one node can end without
// coming back to another.
func (w *wiring) goesOn(to, from int) bool {
	if to == from {
		return false
	}
	seen := map[int]bool{to: true}
	stack := []int{to}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(w.out[n]) == 0 {
			return true
		}
		for _, s := range w.out[n] {
			if s.to != from && !seen[s.to] {
				seen[s.to] = true
				stack = append(stack, s.to)
			}
		}
	}
	return false
}

// stage says which part of the work a node ends: the workers', the
// aggregator's or the reviewers'.
func (w *wiring) stage(n int) Role {
	flat, words := w.acyclic(), w.graph.words
	follows := func(role Role) bool {
		return slices.ContainsFunc(flat.withRole(role), func(m int) bool { return flat.reach[m][n] })
	}
	switch {
	case w.roles[n] == words.Reviewers || w.roles[n] == words.Decider || follows(words.Reviewers):
		return words.Reviewers
	case w.roles[n] == words.Workers:
		return words.Workers
	case w.roles[n] == RoleAggregator || follows(words.Workers):
		return RoleAggregator
	default:
		return words.Workers
	}
}

// bypass returns the edges and other routes out of the node of an error route
// by which a reviewer or the decider is reached whatever the route decides, and to
// which its escape does not lead anyway.
func (w *wiring) bypass(r *Route, escape []string) []Item {
	var out []Item
	var spared [][]int
	for _, e := range escape {
		spared = append(spared, w.reviews(e))
	}
	leads := func(name string) bool {
		return slices.ContainsFunc(w.reviews(name), func(n int) bool {
			return slices.ContainsFunc(spared, func(reached []int) bool { return !slices.Contains(reached, n) })
		})
	}
	for _, e := range w.graph.Edges {
		if e.From == r.From && leads(e.To) {
			out = append(out, Item{Nodes: []string{e.From, e.To}, At: Places(r.At, e.At),
				Reason: fmt.Sprintf("%s follows %s whatever its route decides", Label(e.To), Label(e.From)),
				Shared: []shared{{"", " follow " + Label(e.From) + " whatever its route decides", []string{Label(e.To)}}}})
		}
	}
	for i := range w.graph.Routes {
		other := &w.graph.Routes[i]
		if other == r || other.From != r.From {
			continue
		}
		for _, t := range other.Targets {
			if !t.Dead && leads(t.Name) {
				out = append(out, Item{Nodes: []string{r.From, t.Name}, At: Places(r.At, other.At),
					Reason: fmt.Sprintf("a second route of %s leads to %s", Label(r.From), Label(t.Name))})
			}
		}
	}
	return out
}

// leadsToReview reports whether a node is, or leads to, a reviewer or the decider.
func (w *wiring) leadsToReview(name string) bool { return len(w.reviews(name)) > 0 }

// reviews returns the reviewers and deciders that a node is or leads to.
func (w *wiring) reviews(name string) []int {
	var out []int
	for _, n := range w.find(name) {
		for m, role := range w.roles {
			if (role == w.graph.words.Reviewers || role == w.graph.words.Decider) && w.has(m) && (n == m || w.reach[n][m]) {
				out = append(out, m)
			}
		}
	}
	return out
}

// Decorative looks for routes with one distinct target after mapping. A node
// that always jumps by Command decides nothing and is none.
func (g *Graph) Decorative() Answer {
	return g.collect(len(g.Routes), func(i int) (Item, Truth, string) {
		r := &g.Routes[i]
		item := Item{Nodes: []string{r.From}, At: []Place{r.At}}
		var live []string
		if r.Kind == Command {
			return item, No, ""
		}
		for _, t := range r.Targets {
			if t.Many {
				return item, No, ""
			}
			if !t.Dead && !slices.Contains(live, t.Name) {
				live = append(live, t.Name)
			}
		}
		if len(live) == 1 {
			item.Nodes = append(item.Nodes, live[0])
			item.Reason = fmt.Sprintf("%s always goes to %s", Label(r.From), Label(live[0]))
		}
		// With a path map the targets are known even when the router is not.
		if !r.Complete && !(r.Mapped && len(r.Targets) == 1) {
			if len(live) > 1 {
				return item, No, ""
			}
			return item, Unknown, fmt.Sprintf("the router of %s was not resolved", Label(r.From))
		}
		return item, Decided(len(live) == 1), ""
	})
}

// DeadTargets looks for targets that are mapped but never returned by the
// router, one item each.
func (g *Graph) DeadTargets() Answer {
	return g.collect(len(g.Routes), func(i int) (Item, Truth, string) {
		r := &g.Routes[i]
		item := Item{Nodes: []string{r.From}, At: []Place{r.At}}
		var names []string
		for _, t := range r.Targets {
			if t.Dead {
				item.Nodes = append(item.Nodes, t.Name)
				names = append(names, Label(t.Name))
			}
		}
		if len(names) > 0 {
			item.Reason = r.never(names)
			return item, Yes, ""
		}
		if r.Mapped && !r.Complete {
			return item, Unknown, fmt.Sprintf("the router of %s was not resolved", Label(r.From))
		}
		return item, No, ""
	})
}

// never says what a router never returns, and why, where the state lacks what it asks for, or
// never holds anything there.
func (r *Route) never(names []string) string {
	out := fmt.Sprintf("the router of %s never returns %s", Label(r.From), strings.Join(names, ", "))
	var why []string
	if len(r.Lacks) > 0 {
		why = append(why, "the state lacks "+strings.Join(r.Lacks, ", "))
	}
	if len(r.Void) > 0 {
		why = append(why, "no node writes "+strings.Join(r.Void, ", "))
	}
	if len(why) > 0 {
		out += ", as " + strings.Join(why, " and ") + ", which it asks for"
	}
	return out
}

// Untaken says of which of some nodes a router never returns, because the state lacks what it
// asks for, or never holds anything there; "": of none.
func (g *Graph) Untaken(nodes []*Node) string {
	for i := range g.Routes {
		r := &g.Routes[i]
		var names []string
		for _, t := range r.Targets {
			if t.Dead && len(r.Lacks)+len(r.Void) > 0 && slices.ContainsFunc(nodes, func(n *Node) bool { return n.Name == t.Name }) {
				names = append(names, Label(t.Name))
			}
		}
		if len(names) > 0 {
			return r.never(names)
		}
	}
	return ""
}

// Linear says whether no START or node has two plain successors, no route
// returns a list and nothing is sent. A graph of fewer than two nodes is not.
func (g *Graph) Linear() Answer {
	if len(g.Nodes) < 2 {
		if len(g.Unresolved) > 0 {
			return Answer{Reason: g.Unresolved[0].why()}
		}
		return Answer{Value: No, Reason: "fewer than two nodes"}
	}
	value, why := g.settle("", func(w *wiring) Truth { return Decided(w.linear()) })
	a := Answer{Value: value, Reason: why}
	if value == Yes {
		var at []Place
		for _, e := range g.Edges {
			at = append(at, e.At)
		}
		a.Items = []Item{{At: Places(at...), Reason: "no node starts two ways at once"}}
	}
	return a
}

// linear reports whether nothing in the wiring starts two ways at once, nodes
// that are never reached included.
func (w *wiring) linear() bool {
	for _, steps := range slices.Concat(w.out, w.off) {
		plain := map[int]bool{}
		for i, s := range steps {
			if s.send {
				return false
			}
			if s.outcomes == nil {
				plain[s.to] = true
			}
			for _, t := range steps[:i] {
				if s.group == t.group && s.to != t.to && together(s, t) {
					return false
				}
			}
		}
		if len(plain) > 1 {
			return false
		}
	}
	return true
}
