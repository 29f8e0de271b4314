package agentgraph

import (
	"cmp"
	"fmt"
	"slices"
)

// Present says whether the graph has a role: as nodes, or run inside one node.
func (g *Graph) Present(role Role) Answer {
	a := g.present(role)
	if a.Value == Yes {
		return a
	}
	for _, n := range g.Nodes {
		for _, in := range n.Inner {
			if in.Role == role {
				return Answer{Value: Yes, Items: []Item{{Nodes: []string{n.Name}, At: Places(n.At, in.At), Reason: fmt.Sprintf("%s runs the %ss in its body", n.Name, role)}}}
			}
		}
	}
	return a
}

// present says whether a node has a role.
func (g *Graph) present(role Role) Answer {
	a := Answer{Value: No, Reason: fmt.Sprintf("no node is a %s", role)}
	for _, n := range g.Nodes {
		switch n.Role {
		case role:
			a.Items = append(a.Items, Item{Nodes: []string{n.Name}, At: []Place{n.At}, Reason: n.Why})
		case RoleUnknown:
			a.Value, a.Reason = Unknown, fmt.Sprintf("the role of %s is a tie", n.Name)
		default: // has another role
		}
	}
	if len(a.Items) > 0 {
		return Answer{Value: Yes, Items: a.Items}
	}
	for _, u := range g.Unresolved {
		if u.Node {
			return Answer{Value: Unknown, Reason: u.why()}
		}
	}
	return a
}

// HasRoutes says whether anything is decided at run time.
func (g *Graph) HasRoutes() Answer {
	a := Answer{Value: No, Reason: "every edge is unconditional"}
	for _, r := range g.Routes {
		a.Items = append(a.Items, Item{Nodes: []string{r.From}, At: []Place{r.At}, Reason: "what follows " + Label(r.From) + " is decided at run time"})
	}
	if len(a.Items) > 0 {
		a.Value, a.Reason = Yes, ""
		return a
	}
	for _, u := range g.Unresolved {
		if u.Route || u.Node && u.From == nil {
			return Answer{Value: Unknown, Reason: u.why()}
		}
	}
	return a
}

// into returns the places of the edges and routes that lead into a node.
func (g *Graph) into(name string) []Place {
	var out []Place
	for _, e := range g.Edges {
		if e.To == name {
			out = append(out, e.At)
		}
	}
	for _, r := range g.Routes {
		for _, t := range r.Targets {
			if t.Name == name && !t.Dead {
				out = append(out, r.At)
			}
		}
	}
	return Places(out...)
}

// collect asks of n things whether each has a flaw and gathers those that do.
func (g *Graph) collect(n int, ask func(i int) (Item, Truth, string)) Answer {
	a := Answer{Value: No}
	doubt := ""
	for i := range n {
		item, value, why := ask(i)
		switch value {
		case Yes:
			a.Items = append(a.Items, item)
		case Unknown:
			doubt = cmp.Or(doubt, why, "not resolved")
		case No:
		}
	}
	switch {
	case len(a.Items) > 0:
		a.Value = Yes
	case doubt != "":
		a.Value, a.Reason = Unknown, doubt
	}
	return a
}

// Decided turns a boolean into a Truth.
func Decided(b bool) Truth {
	if b {
		return Yes
	}
	return No
}

// Not turns Yes into No and back.
func (t Truth) Not() Truth {
	switch t {
	case Yes:
		return No
	case No:
		return Yes
	default:
		return Unknown
	}
}

// Places sorts places and drops zero and equal ones.
func Places(in ...Place) []Place {
	out := slices.Clone(in)
	out = slices.DeleteFunc(out, func(p Place) bool { return p == Place{} })
	slices.SortFunc(out, Place.Compare)
	return slices.Compact(out)
}

// Compare orders by path, then line.
func (a Place) Compare(b Place) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.End, b.End))
}
