package code

import "slices"

// objectValue evaluates a field, read by n, of an object made by a generated
// constructor, as dataclasses and pydantic models have. ok is false for other
// objects.
func (q *query) objectValue(s Symbol, name string, n Node) (v Value, ok bool) {
	nodes, complete, ok := q.fieldNodes(s, name)
	if !ok {
		return Value{}, false
	}
	var out []Value
	for _, node := range nodes {
		out = append(out, q.eval(node))
	}
	if !complete {
		out = append(out, unknown(n))
	}
	return choice(out, n), true
}

// fieldNodes lists the expressions that a field of such an object may hold:
// what its construction passes, else the declared default, and what methods
// bind. Where the construction is not known, every one of the class counts.
// complete is false when the field may hold something else.
func (q *query) fieldNodes(s Symbol, name string) (nodes []Node, complete, ok bool) {
	if !s.Instance || s.Def == nil || s.Def.Kind != DefClass || q.method(s.Def, "__init__", "__new__") != nil {
		return nil, false, false
	}
	line := q.firstParty(s.Def)
	if !slices.ContainsFunc(line, func(c *Definition) bool {
		return slices.ContainsFunc(c.names[name], func(b binding) bool { return b.annotation.Valid() })
	}) {
		return nil, false, false
	}
	complete = true
	add := func(n Node, sure bool) {
		complete = complete && sure
		if n.Valid() && !slices.Contains(nodes, n) {
			nodes = append(nodes, n)
		}
	}
	if s.Node.Is("call") {
		add(q.held(s.Def, s.Node, name))
	} else {
		made := q.sites(s.Def)
		for _, call := range made {
			add(q.held(s.Def, call, name))
		}
		if len(made) == 0 || len(made) >= maxSites {
			add(declaredDefault(line, name), false)
		}
	}
	for _, c := range line {
		for _, b := range c.attrs[name] {
			add(b.value, b.kind == bindAssign && len(b.path) == 0)
		}
	}
	return nodes, complete, true
}

// firstParty lists a class and its first-party bases.
func (q *query) firstParty(class *Definition) []*Definition {
	out := []*Definition{class}
	for _, base := range q.bases(class) {
		if base.Def != nil && base.Def.Kind == DefClass {
			out = append(out, base.Def)
		}
	}
	return out
}

// declaredDefault returns what the nearest class assigns to a field.
func declaredDefault(line []*Definition, name string) Node {
	for _, c := range line {
		for _, b := range c.names[name] {
			if b.kind == bindAssign && len(b.path) == 0 {
				return b.value
			}
		}
	}
	return Node{}
}

// held returns what a field of the object that a call makes holds at first;
// sure is false when that is not known.
func (q *query) held(class *Definition, call Node, name string) (n Node, sure bool) {
	arg, sure := q.given(class, call, name)
	if !sure || arg.Valid() {
		return arg, sure
	}
	n = declaredDefault(q.firstParty(class), name)
	return n, n.Valid()
}

// given returns the argument that a construction passes for a field, the zero
// Node when it passes none. sure is false when it cannot be told, as with
// splats, aliases and calls that only lead to the construction.
func (q *query) given(class *Definition, call Node, name string) (arg Node, sure bool) {
	var args []Argument
	made := false
	for _, s := range q.expr(call.Field("function")) {
		if s.Def == class && !s.Instance {
			made, args = true, s.Bound
		}
	}
	args = append(slices.Clip(args), callArguments(q, call)...)
	if arg = pick(args, name, -1); arg.Valid() || !made {
		return arg, made
	}
	fields, known := q.initFields(class)
	position := slices.Index(fields, name)
	for _, a := range args {
		if a.Star > 0 || a.Name != "" && !slices.Contains(fields, a.Name) || a.Name == "" && !known {
			return Node{}, false
		}
	}
	return pick(args, "", position), true
}

// initFields lists the fields that a generated constructor takes, in order;
// known is false when a base that is not first-party may add some.
func (q *query) initFields(class *Definition) (names []string, known bool) {
	known = true
	for _, base := range q.bases(class) {
		known = known && base.Known()
	}
	for _, c := range slices.Backward(q.firstParty(class)) {
		for _, f := range ownFields(c) {
			if f.Self || !f.Annotation.Valid() || lastName(f.Annotation) == "ClassVar" || lastName(f.Annotation.Child(0)) == "ClassVar" ||
				pick(plainArguments(f.Default), "init", -1).Is("false") || slices.Contains(names, f.Name) {
				continue
			}
			names = append(names, f.Name)
		}
	}
	return names, known
}

// objects resolves what an attribute is taken from. The elements of a loop are
// told apart by their constructions; partial reports that there may be others.
func (q *query) objects(n Node) (list []Symbol, partial bool) {
	if !n.Is("identifier") {
		return q.expr(n), false
	}
	var values []Value
	bs, scope := q.p.lookup(n.Text(), n)
	switch {
	case q.bound(n.Text(), scope):
		values = q.eval(n).Choices()
	case len(bs) == 1 && bs[0].kind == bindFor:
		values = q.unpack(bs[0], true)
	}
	for _, v := range values {
		if v.Kind == ValueSymbol {
			list = append(list, v.Symbol)
		} else {
			partial = true
		}
	}
	if len(list) == 0 {
		return q.expr(n), false
	}
	return list, partial
}

// bound reports whether an iteration gives a name its value.
func (q *query) bound(name string, scope *Definition) bool {
	return scope == q.envScope && slices.ContainsFunc(q.env, func(turn Binding) bool {
		_, ok := turn[name]
		return ok
	})
}

// fieldDefault evaluates pydantic.Field(...) and dataclasses.field(...) as a
// class attribute's value.
func (q *query) fieldDefault(n Node) Value {
	args := plainArguments(n)
	if d := pick(args, "default", 0); d.Valid() && !d.Is("ellipsis") {
		return q.eval(d)
	}
	factory := pick(args, "default_factory", -1)
	switch factory.Text() {
	case "list":
		return Value{Kind: ValueList, Node: n}
	case "dict":
		return Value{Kind: ValueDict, Node: n}
	case "set":
		return Value{Kind: ValueSet, Node: n}
	}
	if factory.Is("lambda") {
		return q.eval(factory.Field("body"))
	}
	return unknown(n)
}
