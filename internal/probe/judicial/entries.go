package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// entries is what is known of a value: the values that stand under constant
// keys when it is a dict, and what else it is made of.
type entries struct {
	at   map[string][]code.Node
	rest origin
}

// maxUnder bounds the values that are kept under one key.
const maxUnder = 64

// add puts a value under a key, when it is not there yet and there is room.
func (e *entries) add(key string, v code.Node) (changed bool) {
	if len(e.at[key]) >= maxUnder || slices.Contains(e.at[key], v) {
		return false
	}
	if e.at == nil {
		e.at = map[string][]code.Node{}
	}
	e.at[key] = append(e.at[key], v)
	return true
}

// merge adds what another one knows, and reports whether that is more.
func (e *entries) merge(o entries) (changed bool) {
	for key, vs := range o.at {
		for _, v := range vs {
			changed = e.add(key, v) || changed
		}
	}
	rest := e.rest.plus(o.rest)
	changed = changed || rest != e.rest
	e.rest = rest
	return changed
}

// entry is what stands under a key of a dict. Other entries say nothing of it:
// in a table of rules each text belongs to its own rule.
func (k *marks) entry(n code.Node, name string) origin {
	e := k.dict(n)
	o := e.rest
	for _, v := range e.at[name] {
		o = o.plus(k.read(key{ask: worth, node: v}, func() entries { return entries{rest: k.of(v)} }).rest)
	}
	return o
}

// dict follows an expression to the dicts that it may be.
func (k *marks) dict(n code.Node) entries {
	n = n.Unparen()
	switch n.Kind() {
	case "dictionary":
		return k.written(n)
	case "identifier":
		if at, ok := k.local(n); ok {
			return k.heldDict(at)
		}
		return entries{rest: k.named(n)}
	case "boolean_operator":
		var e entries // what is remembered of either side stays as it is
		e.merge(k.dict(n.Field("left")))
		e.merge(k.dict(n.Field("right")))
		return e
	case "subscript":
		if name, ok := literal(n.Field("subscript")); ok {
			return k.inner(n.Field("value"), name)
		}
	case "call":
		return k.resultDict(n)
	}
	return entries{rest: k.of(n)}
}

// written is a dict as it stands in the code.
func (k *marks) written(n code.Node) entries {
	var e entries
	for c := range n.Children() {
		name, ok := literal(c.Field("key"))
		switch {
		case ok:
			e.add(name, c.Field("value"))
		case c.Is("dictionary_splat"):
			e.merge(k.dict(c.Child(0)))
		default:
			e.rest = e.rest.plus(k.of(c))
		}
	}
	return e
}

// inner is the dict that stands under a key of another one.
func (k *marks) inner(n code.Node, name string) entries {
	outer := k.dict(n)
	e := entries{rest: outer.rest}
	e.rest.data |= ofAttribute(name)
	for _, v := range outer.at[name] {
		e.merge(k.read(key{ask: worthDict, node: v}, func() entries { return k.dict(v) }))
	}
	return e
}

// resultDict is the dict that a call gives: the get of another dict, or what a
// first-party function returns.
func (k *marks) resultDict(n code.Node) entries {
	c := k.p.Call(n)
	if c == nil {
		return entries{rest: k.of(n)}
	}
	if name, ok := literal(c.Arg("", 0)); ok && c.Name == "get" && c.Receiver.Valid() {
		e := k.inner(c.Receiver, name)
		if v := c.Arg("", 1); v.Valid() {
			e.merge(k.dict(v))
		}
		return e
	}
	d := c.Callee.Def
	if d == nil || !d.IsFunction() {
		return entries{rest: k.of(n)}
	}
	return k.read(key{ask: resultDict, fn: d}, func() entries {
		var e entries
		for _, r := range d.ReturnValues() {
			e.merge(k.dict(r))
			e.rest.when |= k.around(r)
		}
		return e
	})
}

// heldDict is the dict that a name stands for, with what is set in it later.
func (k *marks) heldDict(at local) entries {
	return k.read(key{ask: heldDict, name: at}, func() entries {
		e := entries{rest: origin{data: ofName(at.name) | k.annotated(at)}}
		for _, s := range k.scope(at.in)[at] {
			k.set(&e, s)
		}
		return e
	})
}

// set adds what one setting gives a name, or puts under a key of it.
func (k *marks) set(e *entries, s setting) {
	if !s.node.Valid() {
		e.merge(k.dict(s.value))
		return
	}
	e.rest.when |= k.around(s.node)
	left := s.node.Field("left")
	if s.node.Is("assignment") && left.Is("identifier") {
		e.merge(k.dict(s.value))
		return
	}
	if s.node.Is("assignment") && left.Is("subscript") && left.Field("value").Is("identifier") {
		if name, ok := literal(left.Field("subscript")); ok {
			e.add(name, s.value)
			return
		}
	}
	e.rest = e.rest.plus(k.given(s))
}
