package syntax

// adders are methods that put their arguments into what they are called on.
var adders = words("WriteString WriteByte WriteRune Write append push push_str add addAll arg args insert concat extend unshift put")

// root is the declaration of the variable, or field, that a target is or is
// in.
func (p *Program) root(target Node) Node {
	for target.Is("index") || target.Is("unary") && target.Detail() == "*" {
		target = orNode(target.Child("object"), target.Child("value"))
	}
	switch target.Kind() {
	case "name":
		d := target.lookup(target.Name())
		if !d.Valid() && target.File().Language == "go" {
			return p.declaration(target)
		}
		return d
	default:
		return Node{}
	}
}

// gives are the assignments to a variable after its declaration, and the calls
// that add to it, in source order.
func (p *Program) gives(d Node) []Node {
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
	})
	return f.writes[d]
}
