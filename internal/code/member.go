package code

// attributeOf resolves an attribute of each of the symbols.
func (q *query) attributeOf(objects []Symbol, name string, at Node) []Symbol {
	var out []Symbol
	for _, s := range objects {
		out = addSymbols(out, q.attribute(s, name, at)...)
	}
	return out
}

func (q *query) attribute(s Symbol, name string, at Node) []Symbol {
	switch {
	case !s.Known():
		return nil
	case s.place.found:
		if found := q.member(s.place, name); len(found) > 0 {
			return found
		}
		return []Symbol{{Qualified: joinName(s.Qualified, name)}}
	case s.Def != nil && s.Def.Kind == DefClass:
		return q.classMember(s, name)
	case s.Def != nil:
		return []Symbol{{Qualified: s.Qualified + "." + name}}
	case s.External:
		e := external(s.Qualified + "." + name)
		return []Symbol{e}
	}
	// A first-party variable that stands for itself: its value may be of a builtin class.
	if s.Node.Valid() {
		if of := q.expr(s.Node); allPlain(of) {
			return q.attributeOf(of, name, at)
		}
	}
	return []Symbol{{Qualified: s.Qualified + "." + name}}
}

// classMember resolves an attribute of a class or of an object of it: in the
// class and its bases, in what methods bind on self, then in external bases.
func (q *query) classMember(s Symbol, name string) []Symbol {
	a := activity{scope: s.Def, name: "." + name}
	if !q.enter(a) {
		return nil
	}
	defer q.leave()
	line := append([]Symbol{{Qualified: s.Def.Qualified, Def: s.Def}}, q.bases(s.Def)...)
	if passed, ok := q.passedField(s, name); ok {
		return passed
	}
	for _, c := range line {
		if c.Def == nil {
			continue
		}
		if bs := c.Def.names[name]; len(bs) > 0 {
			return q.classAttribute(c.Def.Module.indexed().final(bs), c.Def, s.Instance, name)
		}
	}
	if s.Instance {
		for _, c := range line {
			if c.Def != nil && len(c.Def.attrs[name]) > 0 {
				return q.selfAttribute(c.Def, name)
			}
		}
	}
	for _, c := range line {
		if c.External && !c.Matches("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol") {
			return []Symbol{external(c.Qualified + "." + name)}
		}
	}
	if s.Instance {
		return q.subclassMember(s.Def, name)
	}
	return nil
}

// passedField resolves a field that the construction of the object is known to
// pass.
func (q *query) passedField(s Symbol, name string) ([]Symbol, bool) {
	if !s.Instance || !s.Node.Is("call") || q.method(s.Def, "__init__", "__new__") != nil {
		return nil, false
	}
	arg, _ := q.given(s.Def, s.Node, name)
	if !arg.Valid() {
		return nil, false
	}
	if out := q.expr(arg); anyKnown(out) && !allPlain(out) {
		return out, true
	}
	return []Symbol{{Qualified: s.Def.Qualified + "." + name, Node: arg}}, true
}

// classAttribute resolves a name bound in a class body. A property stands for
// what it returns.
func (q *query) classAttribute(bs []binding, class *Definition, instance bool, name string) []Symbol {
	var out []Symbol
	for _, b := range bs {
		if b.kind == bindDef && instance && b.def.decorated("property", "cached_property", "computed_field") {
			out = addSymbols(out, q.returned(b.def, Node{})...)
			continue
		}
		out = addSymbols(out, q.binding(b, class, name)...)
	}
	if !anyKnown(out) {
		out = append(out, Symbol{Qualified: class.Qualified + "." + name})
	}
	return out
}

// selfAttribute resolves a name that methods bind on self.
func (q *query) selfAttribute(class *Definition, name string) []Symbol {
	var out []Symbol
	for _, b := range class.attrs[name] {
		if q.spent() {
			q.hits++
			break
		}
		out = addSymbols(out, q.assigned(b, class, name)...)
	}
	return knownFirst(out)
}

// knownFirst moves objects and definitions before variables of unknown value.
func knownFirst(list []Symbol) []Symbol {
	var out, rest []Symbol
	for _, s := range list {
		if s.Def != nil || s.External || s.Module != nil {
			out = append(out, s)
		} else {
			rest = append(rest, s)
		}
	}
	return append(out, rest...)
}

// subclassMember resolves what only subclasses define, as template methods do.
func (q *query) subclassMember(class *Definition, name string) []Symbol {
	var out []Symbol
	if q.closed {
		return nil
	}
	for _, sub := range q.p.oldSubclasses(class) {
		if bs := sub.names[name]; len(bs) > 0 {
			out = addSymbols(out, q.classAttribute(sub.Module.indexed().final(bs), sub, true, name)...)
		}
	}
	return out
}

// bases lists the bases of a class, depth first from the left, each once.
func (q *query) bases(class *Definition) []Symbol {
	return q.addBases(nil, class)
}

// addBases appends the bases of a class that are not in the list yet. What is
// in it already has been followed.
func (q *query) addBases(out []Symbol, class *Definition) []Symbol {
	a := activity{scope: class, name: "bases"}
	if !q.enter(a) {
		return out
	}
	defer q.leave()
	for n := range class.Node.Field("superclasses").Children() {
		if n.Is("keyword_argument", "list_splat", "dictionary_splat") {
			continue
		}
		if n.Is("subscript") { // Generic[T], Base[int]
			n = n.Field("value")
		}
		found := q.expr(n)
		if len(found) == 0 {
			found = []Symbol{unresolved(n)}
		}
		for _, base := range found {
			base.Instance = false
			before := len(out)
			out = addSymbols(out, base)
			if len(out) > before && base.Def != nil && base.Def.Kind == DefClass {
				out = q.addBases(out, base.Def)
			}
		}
	}
	return out
}

// method finds the first of the methods in a class or its bases.
func (q *query) method(class *Definition, names ...string) *Definition {
	line := append([]Symbol{{Def: class}}, q.bases(class)...)
	for _, c := range line {
		if c.Def == nil {
			continue
		}
		for _, name := range names {
			if bs := c.Def.names[name]; len(bs) > 0 && bs[len(bs)-1].kind == bindDef {
				return bs[len(bs)-1].def
			}
		}
	}
	return nil
}
