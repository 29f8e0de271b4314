package agentgraph

import (
	"fmt"
	"slices"
)

// Limits of the search for doubts that matter. Beyond them the answer is
// Unknown.
const (
	maxNodes  = 200 // nodes of a graph that is analysed
	maxSides  = 3   // conditions with wiring on both sides that are tried
	maxDoubts = 40  // edges that unresolved wiring may add
)

// variant settles the doubts about a graph one way.
type variant struct {
	together bool           // routers that were not read return all their targets at once; else one of them
	doubled  bool           // pattern nodes stand for two nodes; else for one
	as       Role           // role of the nodes whose role is a tie; "" leaves it
	sides    map[Place]bool // which side of a condition is built: true is the negated one
	extra    [][2]string    // edges that unresolved wiring may add
	without  string         // node that unresolved wiring may remove
}

// off reports whether wiring under these conditions is not built.
func (v variant) off(when []Branch) bool {
	for _, b := range when {
		if side, ok := v.sides[b.At]; ok && side != b.Negated {
			return true
		}
	}
	return false
}

// dropped reports whether a node is left out.
func (v variant) dropped(name string) bool { return v.without != "" && v.without == name }

// outcomes returns the outcomes in which target k of a route is taken.
func (v variant) outcomes(r *Route, k int) []int {
	out := []int{}
	for i, o := range r.Outcomes {
		if slices.Contains(o, r.Targets[k].Name) {
			out = append(out, i)
		}
	}
	if !r.Complete {
		own := len(r.Outcomes) + 1 + k
		if v.together {
			own = len(r.Outcomes)
		}
		out = append(out, own)
	}
	return out
}

// question is asked of one settled wiring. Unknown is for cycles that no rule
// can take apart.
type question func(w *wiring) Truth

// settle asks the question under every way to settle the doubts. role is the
// role that tied nodes may have. An answer that is the same under all of them
// stands.
func (g *Graph) settle(role Role, ask question) (Truth, string) {
	if len(g.Nodes) > maxNodes {
		return Unknown, fmt.Sprintf("more than %d nodes", maxNodes)
	}
	bases := g.bases(role)
	first := ask(build(g, bases[0].variant))
	if first == Unknown {
		return Unknown, "a loop has no single way in"
	}
	for _, b := range bases[1:] {
		if ask(build(g, b.variant)) != first {
			return Unknown, b.reason
		}
	}
	for _, u := range g.Unresolved {
		if u.From == nil && u.To == nil {
			return Unknown, u.why()
		}
	}
	changes, ok := g.changes()
	many := slices.ContainsFunc(g.Nodes, func(n Node) bool { return n.Pattern && !n.Several })
	for _, c := range changes {
		c.sides = bases[0].sides
		if !ok || ask(build(g, c.variant)) != first {
			return Unknown, c.reason
		}
		c.doubled = many
		if many && ask(build(g, c.variant)) != first {
			return Unknown, c.reason
		}
	}
	return first, ""
}

// plain is the wiring under the first reading of every doubt.
func (g *Graph) plain() *wiring { return build(g, g.bases("")[0].variant) }

// doubt is a variant and what is in doubt.
type doubt struct {
	variant
	reason string
}

// bases returns the variants for routers that were not read, patterns, ties
// and conditions with two sides. The first is the plain one.
func (g *Graph) bases(role Role) []doubt {
	out := []doubt{{}}
	multiply := func(reason string, change func(*variant)) {
		for _, d := range slices.Clone(out) {
			change(&d.variant)
			if d.reason == "" {
				d.reason = reason
			}
			out = append(out, d)
		}
	}
	for i := range g.Routes {
		if r := &g.Routes[i]; r.Exclusive() == Unknown {
			multiply(fmt.Sprintf("the router of %s was not resolved", Label(r.From)), func(v *variant) { v.together = true })
			break
		}
	}
	for _, n := range g.Nodes {
		if n.Pattern && !n.Several {
			multiply(fmt.Sprintf("the nodes %s are not known one by one", n.Name), func(v *variant) { v.doubled = true })
			break
		}
	}
	for _, n := range g.Nodes {
		if n.Role == RoleUnknown && role != "" {
			multiply(fmt.Sprintf("the role of %s is a tie", n.Name), func(v *variant) { v.as = role })
			break
		}
	}
	sides := g.sides()
	if len(sides) == 0 {
		return out
	}
	flat := out
	out = nil
	for mask := range 1 << len(sides) {
		for _, d := range flat {
			d.sides = map[Place]bool{}
			for i, p := range sides {
				d.sides[p] = mask&(1<<i) != 0
			}
			if d.reason == "" {
				d.reason = fmt.Sprintf("the condition at %s:%d chooses between two wirings", sides[0].Path, sides[0].Line)
			}
			out = append(out, d)
		}
	}
	return out
}

// sides returns the conditions that have wiring on both sides, by place.
func (g *Graph) sides() []Place {
	seen := map[Place][2]bool{}
	note := func(when []Branch) {
		for _, b := range when {
			s := seen[b.At]
			if b.Negated {
				s[1] = true
			} else {
				s[0] = true
			}
			seen[b.At] = s
		}
	}
	for _, e := range g.Edges {
		note(e.When)
	}
	for _, r := range g.Routes {
		note(r.When)
	}
	var out []Place
	for p, s := range seen {
		if s[0] && s[1] {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, Place.Compare)
	return out[:min(len(out), maxSides)]
}

// settleSides drops the wiring on the other side of conditions that choose
// between two wirings and whose value is known.
func (g *Graph) settleSides() {
	two := map[Place]bool{}
	for _, p := range g.sides() {
		two[p] = true
	}
	off := func(when []Branch) bool {
		return slices.ContainsFunc(when, func(b Branch) bool {
			return two[b.At] && b.Value != Unknown && b.Value != Decided(!b.Negated)
		})
	}
	g.Edges = slices.DeleteFunc(g.Edges, func(e Edge) bool { return off(e.When) })
	g.Routes = slices.DeleteFunc(g.Routes, func(r Route) bool { return off(r.When) })
}

// changes returns what the unresolved wiring may mean: a node that it removes,
// an edge that it adds, or two of them together, since a loop that was not
// unrolled adds many and a fan-out takes two. ok is false when there are too
// many to try.
func (g *Graph) changes() (out []doubt, ok bool) {
	all := []string{START, END}
	for _, n := range g.Nodes {
		all = append(all, n.Name)
	}
	type edge = [2]string
	var edges []edge
	reason := ""
	for _, u := range g.Unresolved {
		why := u.why()
		if u.Node && u.To == nil {
			for _, name := range u.From {
				out = append(out, doubt{variant: variant{without: name}, reason: why})
			}
			continue
		}
		if reason == "" {
			reason = why
		}
		for _, f := range orAll(u.From, all) {
			for _, t := range orAll(u.To, all) {
				if e := (edge{f, t}); f != END && t != START && f != t && !slices.Contains(edges, e) {
					edges = append(edges, e)
				}
			}
		}
	}
	if len(edges) > maxDoubts {
		return []doubt{{reason: reason}}, false
	}
	for i, e := range edges {
		out = append(out, doubt{variant: variant{extra: []edge{e}}, reason: reason})
		for _, f := range edges[i+1:] {
			out = append(out, doubt{variant: variant{extra: []edge{e, f}}, reason: reason})
		}
	}
	return out, true
}

// orAll returns the list, or all names when it is nil.
func orAll(list, all []string) []string {
	if list == nil {
		return all
	}
	return list
}
