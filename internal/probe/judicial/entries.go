package judicial

import "github.com/automaton-auditor/automaton/internal/code"

// entries is what is known of a dict: the values that stand under constant
// keys, and what else it is made of.
type entries struct {
	at   map[string][]code.Node
	rest origin
}

func (e *entries) add(key string, v code.Node) {
	if e.at == nil {
		e.at = map[string][]code.Node{}
	}
	e.at[key] = append(e.at[key], v)
}

func (e *entries) merge(o entries) {
	for key, vs := range o.at {
		for _, v := range vs {
			e.add(key, v)
		}
	}
	e.rest = e.rest.plus(o.rest)
}

// maxEntries bounds how far a dict is followed.
const maxEntries = 5

// entry is what stands under a key of a dict. Other entries say nothing of it:
// in a table of rules each text belongs to its own rule.
func (k *marks) entry(n code.Node, key string) origin {
	e := k.entries(n, 0)
	o := e.rest
	for _, v := range e.at[key] {
		o = o.plus(k.at(v))
	}
	return o
}

// entries follows an expression to the dicts that it may be.
func (k *marks) entries(n code.Node, depth int) entries {
	n = n.Unparen()
	if depth > maxEntries || !n.Valid() {
		return entries{rest: k.at(n)}
	}
	switch n.Kind() {
	case "dictionary":
		return k.written(n, depth)
	case "identifier":
		return k.ofNamed(n, depth)
	case "boolean_operator":
		var e entries // what is remembered of either side stays as it is
		e.merge(k.entries(n.Field("left"), depth+1))
		e.merge(k.entries(n.Field("right"), depth+1))
		return e
	case "subscript":
		if key, ok := literal(n.Field("subscript")); ok {
			return k.inner(n.Field("value"), key, depth)
		}
	case "call":
		return k.ofResult(n, depth)
	}
	return entries{rest: k.at(n)}
}

// written is a dict as it stands in the code.
func (k *marks) written(n code.Node, depth int) entries {
	var e entries
	for c := range n.Children() {
		key, ok := literal(c.Field("key"))
		switch {
		case ok:
			e.add(key, c.Field("value"))
		case c.Is("dictionary_splat"):
			e.merge(k.entries(c.Child(0), depth+1))
		default:
			e.rest = e.rest.plus(k.at(c))
		}
	}
	return e
}

// inner is the dict that stands under a key of another one.
func (k *marks) inner(n code.Node, key string, depth int) entries {
	outer := k.entries(n, depth+1)
	e := entries{rest: outer.rest}
	e.rest.data |= ofAttribute(key)
	for _, v := range outer.at[key] {
		e.merge(k.entries(v, depth+1))
	}
	return e
}

// ofResult is the dict that a call gives: the get of another dict, or what a
// first-party function returns.
func (k *marks) ofResult(n code.Node, depth int) entries {
	c := k.p.Call(n)
	if c == nil {
		return entries{rest: k.at(n)}
	}
	if key, ok := literal(c.Arg("", 0)); ok && c.Name == "get" && c.Receiver.Valid() {
		e := k.inner(c.Receiver, key, depth)
		if v := c.Arg("", 1); v.Valid() {
			e.merge(k.entries(v, depth+1))
		}
		return e
	}
	d := c.Callee.Def
	if d == nil || !d.IsFunction() || k.busy[d] {
		return entries{rest: k.at(n)}
	}
	var e entries
	for _, r := range d.ReturnValues() {
		e.merge(k.entries(r, depth+1))
		e.rest.when |= k.guards(r)
	}
	return e
}

// ofNamed is the dict that a name stands for, with what is set in it later.
func (k *marks) ofNamed(n code.Node, depth int) entries {
	name := n.Text()
	for d := k.p.Enclosing(n); d != nil; d = d.Parent {
		if _, ok := k.names1(d)[name]; !ok {
			continue
		}
		return k.ofLocal(d, name, depth)
	}
	return entries{rest: k.named(n)}
}

// local is a name in a definition.
type local struct {
	in   *code.Definition
	name string
}

// ofLocal is what a name of a definition holds. While that is being found out,
// and where a dict is made of itself, the marks of the name must do. What is
// found while marks are still being computed is not kept for later: more may
// come.
func (k *marks) ofLocal(d *code.Definition, name string, depth int) entries {
	at := local{d, name}
	if e, ok := k.dicts[at]; ok {
		return e
	}
	if k.opened[at] {
		return entries{rest: k.names1(d)[name]}
	}
	k.opened[at] = true
	defer delete(k.opened, at)
	e := entries{rest: origin{data: ofName(name)}}
	k.given(&e, d, name, depth)
	for _, s := range k.assignments(d) {
		if s.name == name {
			k.set(&e, s, depth)
		}
	}
	if len(k.busy) == 0 {
		k.dicts[at] = e
	}
	return e
}

// given adds what callers pass for a parameter.
func (k *marks) given(e *entries, d *code.Definition, name string, depth int) {
	if !d.IsFunction() {
		return
	}
	for _, p := range d.Params() {
		if p.Name != name {
			continue
		}
		e.rest.data |= ofName(p.Annotation.Text()) & evidence
		for _, c := range k.p.Callers(d) {
			if v, ok := k.p.Parameters(c)[name]; ok && c.Node.Module().Scope == code.ScopeProduction {
				e.merge(k.entries(v, depth+1))
			}
		}
	}
}

// set adds what one assignment gives a name, or puts under a key of it.
func (k *marks) set(e *entries, s setting, depth int) {
	e.rest.when |= k.guards(s.node)
	left := s.node.Field("left")
	if s.node.Is("assignment") && left.Is("identifier") {
		e.merge(k.entries(s.value, depth+1))
		return
	}
	if s.node.Is("assignment") && left.Is("subscript") && left.Field("value").Is("identifier") {
		if key, ok := literal(left.Field("subscript")); ok {
			e.add(key, s.value)
			return
		}
	}
	e.rest = e.rest.plus(k.at(s.value))
}
