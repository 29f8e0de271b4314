package syntax

import "slices"

// adders are methods that put their arguments into what they are called on.
var adders = words("WriteString WriteByte WriteRune Write append push push_str add addAll arg args insert concat extend unshift put")

// root is the declaration of the variable, or field, that a target is or is
// in.
func (p *Program) root(target Node) Node {
	for target.Is("index") || target.Is("unary") && target.Detail() == "*" || target.Is("call") && adders[target.Child("callee").Name()] {
		if target.Is("call") {
			target = target.Child("callee")
		}
		target = orNode(target.Child("object"), target.Child("value"))
	}
	switch target.Kind() {
	case "name":
		d := target.lookup(target.Name())
		if !d.Valid() && target.File().Language == "go" {
			return p.Declared(target)
		}
		return d
	default:
		return Node{}
	}
}

// Given are the assignments to a variable after its declaration, and the calls
// that add to it, in source order.
func (p *Program) Given(d Node) []Node {
	f := d.File()
	f.writeOnce.Do(func() {
		f.writes = map[Node][]Node{}
		for i := range f.nodes {
			n := Node{f, int32(i)}
			switch {
			case n.Is("assign") && !n.Has(Field):
				for t := range n.Children("target") {
					if n.Has(Declare) && t.lookup(t.Name()) == t {
						continue
					}
					if to := p.root(t); to.f == f {
						f.writes[to] = append(f.writes[to], n)
					}
				}
			case n.Is("call"):
				if c := n.Child("callee"); c.Is("member") && adders[c.Name()] {
					if to := p.root(c.Child("object")); to.f == f && to.Is("name") {
						f.writes[to] = append(f.writes[to], n)
					}
				}
			}
		}
		for _, list := range f.writes {
			slices.SortStableFunc(list, func(a, b Node) int { return a.End() - b.End() })
		}
	})
	return f.writes[d]
}
