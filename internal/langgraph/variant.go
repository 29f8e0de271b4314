package langgraph

import (
	"fmt"
	"slices"
)

// Limits of the search for doubts that matter. Beyond them the answer is
// Unknown.
const (
	maxNodes    = 200  // nodes of a graph that is analysed
	maxSides    = 3    // conditions with wiring on both sides that are tried
	maxVariants = 1500 // variants that are compared
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
func (v variant) off(when []branch) bool {
	for _, b := range when {
		if side, ok := v.sides[b.at]; ok && side != b.negated {
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
	asked := len(bases)
	for _, u := range g.Unresolved {
		changes, ok := g.changes(u)
		if asked += len(changes); !ok || asked > maxVariants {
			return Unknown, "unresolved wiring " + u.Expr
		}
		for _, c := range changes {
			c.sides = bases[0].sides
			if ask(build(g, c)) != first {
				return Unknown, "unresolved wiring " + u.Expr
			}
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
		if n.Pattern {
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
	note := func(when []branch) {
		for _, b := range when {
			s := seen[b.at]
			if b.negated {
				s[1] = true
			} else {
				s[0] = true
			}
			seen[b.at] = s
		}
	}
	for _, e := range g.Edges {
		note(e.when)
	}
	for _, r := range g.Routes {
		note(r.when)
	}
	var out []Place
	for p, s := range seen {
		if s[0] && s[1] {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, comparePlaces)
	return out[:min(len(out), maxSides)]
}

// changes returns the variants that one unresolved piece of wiring may mean:
// each edge that it may add, or each node that it may remove. ok is false when
// there are too many.
func (g *Graph) changes(u Unresolved) (out []variant, ok bool) {
	if u.Node && u.To == nil {
		for _, name := range u.From {
			out = append(out, variant{without: name})
		}
		if u.From != nil {
			return out, true
		}
	}
	all := []string{START, END}
	for _, n := range g.Nodes {
		all = append(all, n.Name)
	}
	from, to := u.From, u.To
	if from == nil {
		from = all
	}
	if to == nil {
		to = all
	}
	if len(from)*len(to) > maxVariants {
		return nil, false
	}
	for _, f := range from {
		for _, t := range to {
			if f != END && t != START && f != t {
				out = append(out, variant{extra: [][2]string{{f, t}}})
			}
		}
	}
	return out, true
}
