package syntax

// creation writes "new T(...) {...}". Members that are set are arguments with
// their names; elements that are put in are one argument, a list or a map.
// Without a type, which the place tells then, nothing is called by a name.
func (c *csharpFile) creation(role string, p, typ piece) {
	args, init := p.part("argument_list"), p.part("initializer_expression")
	first := init.part()
	if init.valid() && !args.part().valid() && (keyed(first) || plainType(typ.text()) == "List") {
		c.filled(role, p, typ, init)
		return
	}
	c.over("call", role, p)
	c.flag(New)
	switch {
	case typ.valid() && typ.from() >= p.from():
		c.named("callee", typ)
	case typ.valid() && !typ.is("implicit_type"):
		c.leaf("name", "callee", simpleName(typ.text()), p.from(), p.from())
	default:
		c.leaf("type", "callee", "", p.from(), p.from())
	}
	c.arguments(args)
	switch {
	case first.is("assignment_expression") && !keyed(first):
		for x := range init.parts() {
			c.set("arg", x, Keyword)
		}
	case keyed(first):
		c.filled("arg", init, piece{}, init)
	case init.valid():
		c.node("arg", init)
	}
	c.end()
}

// keyed tells an element of a map: [key] = value, or {key, value}.
func keyed(p piece) bool {
	return p.is("initializer_expression") || p.is("assignment_expression") && p.get("left").is("element_binding_expression")
}

// filled writes a list or a map with its elements.
func (c *csharpFile) filled(role string, p, typ, init piece) {
	kind := Kind("list")
	if keyed(init.part()) {
		kind = "record"
	}
	c.over(kind, role, p)
	if typ.from() >= p.from() {
		c.typed("type", typ)
	} else if typ.valid() {
		c.leaf("type", "type", typeName(typ.text()), p.from(), p.from())
	}
	for x := range init.parts() {
		c.set("", x, 0)
	}
	c.end()
}

// set writes what an initialiser puts into a value: an element, or an entry.
func (c *csharpFile) set(role string, p piece, flags Flags) {
	key, value := p.get("left"), p.get("right")
	switch {
	case p.is("initializer_expression"):
		key, value = p.part(), piece{}
		c.over("entry", role, p)
		c.node("key", key)
		c.last("value", p)
		c.end()
		return
	case !p.is("assignment_expression"):
		c.node(role, p)
		return
	}
	c.over("entry", role, p)
	c.flag(flags)
	if key.is("element_binding_expression") {
		c.list("key", key)
	} else {
		c.name(unmarked(key))
	}
	c.node("value", value)
	c.end()
}

// anonymous writes an object without a class; a member without a name has that
// of what it is taken from.
func (c *csharpFile) anonymous(role string, p piece) {
	c.over("record", role, p)
	var name piece
	for x := range p.all() {
		switch {
		case x.is("="):
		case !c.value(x):
			name = piece{}
		case nextIs(p, x, "="):
			name = x
		default:
			from := x
			if name.valid() {
				from = name
			}
			c.begin("entry", "", from.from(), x.to())
			if !name.valid() {
				name = x
				if x.is("member_access_expression") {
					name = x.get("name")
				}
			}
			c.name(unmarked(name))
			c.node("value", x)
			c.end()
			name = piece{}
		}
	}
	c.end()
}

// nextIs tells whether a sign follows a child.
func nextIs(p, child piece, word string) bool {
	for x := range p.all() {
		if x.i > child.i {
			return x.is(word)
		}
	}
	return false
}

// with writes a copy of a value with other members.
func (c *csharpFile) with(role string, p piece) {
	c.over("record", role, p)
	for x := range p.all() {
		switch {
		case x.is("with_initializer"):
			c.over("entry", "", x)
			c.name(unmarked(x.part()))
			c.last("value", x)
			c.end()
		case c.value(x):
			c.over("unary", "", x)
			c.detail("...")
			c.node("value", x)
			c.end()
		}
	}
	c.end()
}

// array writes an array with its elements, or one of a size.
func (c *csharpFile) array(role string, p piece) {
	typ, init := p.get("type"), p.part("initializer_expression")
	if init.valid() {
		c.over("list", role, p)
		c.typed("type", typ)
		c.list("", init)
		c.end()
		return
	}
	c.over("call", role, p)
	c.flag(New)
	rank, inner := "", typ
	for ; inner.is("array_type"); inner = inner.get("type") {
		rank += "[]"
	}
	c.leaf("type", "callee", typeName(inner.text()+rank), typ.from(), typ.to())
	for inner := typ; inner.is("array_type"); inner = inner.get("type") {
		c.nodes("arg", inner.get("rank"))
	}
	c.end()
}
