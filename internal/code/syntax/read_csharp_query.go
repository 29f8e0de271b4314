package syntax

// query writes a query as the loops that it is made of, which collect what is
// selected. The order that it asks for is not kept.
func (c *csharpFile) query(role string, p piece) {
	var parts []piece
	for x := range p.all() {
		if c.value(x) || x.is("into") {
			parts = append(parts, x)
		}
	}
	c.clauses(role, p, parts)
}

// clauses writes the clauses of a query. What follows "into" is a query of what
// the clauses before it give.
func (c *csharpFile) clauses(role string, p piece, parts []piece) {
	opened, inner := 0, role
	open := func(kind Kind, detail string, role string) {
		c.over(kind, role, p)
		c.detail(detail)
		opened++
	}
	each := func(typ, name, over piece, before []piece) {
		if opened == 0 {
			open("loop", "collect", inner)
		} else {
			open("loop", "each", inner)
		}
		c.typed("type", typ)
		c.target(name)
		if before != nil {
			c.clauses("over", p, before)
		} else {
			c.node("over", over)
		}
		open("block", "", "body")
		inner = ""
	}
	for i := len(parts) - 1; i > 0; i-- {
		if parts[i].is("into") && i+1 < len(parts) {
			each(piece{}, parts[i+1], piece{}, parts[:i])
			parts = parts[i+2:]
			break
		}
	}
	for _, x := range parts {
		switch x.kind() {
		case "from_clause":
			each(x.get("type"), x.get("name"), lastPiece(c, x), nil)
		case "join_clause":
			c.join(x, each, func() { open("if", "", ""); c.equal(x); open("block", "", "then") })
		case "let_clause":
			c.over("assign", inner, x)
			c.name(unmarked(x.part()))
			c.detail("=")
			c.flag(Declare)
			c.target(x.part())
			c.last("value", x)
			c.end()
		case "where_clause":
			open("if", "", inner)
			c.nodes("cond", x)
			open("block", "", "then")
		case "order_by_clause":
			c.nodes(inner, x)
		case "select_clause", "group_clause":
			c.collected(inner, x)
		default:
			c.node(inner, x)
		}
	}
	c.close(&opened)
}

// collected writes what a query gives for each element. What a group is made of
// is kept, not what it is.
func (c *csharpFile) collected(role string, p piece) {
	c.over("unary", role, p)
	c.detail("collect")
	if p.is("select_clause") {
		c.nodes("value", p)
	} else {
		c.over("other", "value", p)
		c.detail(p.kind())
		c.nodes("", p)
		c.end()
	}
	c.end()
}

// join writes the loop over what is joined; the elements that go with one of the
// others are not followed.
func (c *csharpFile) join(p piece, each func(typ, name, over piece, before []piece), match func()) {
	parts := joined(c, p)
	if len(parts) < 2 {
		return
	}
	each(p.get("type"), parts[0], parts[1], nil)
	match()
	if into := p.part("join_into_clause").part(); into.valid() {
		c.over("assign", "", into)
		c.name(unmarked(into))
		c.flag(Declare)
		c.target(into)
		c.end()
	}
}

// joined are the name, what is joined, and both sides of the condition.
func joined(c *csharpFile, p piece) (out []piece) {
	for x := range p.all() {
		if c.value(x) && x.field() != "type" && !x.is("join_into_clause") {
			out = append(out, x)
		}
	}
	return out
}

func (c *csharpFile) equal(p piece) {
	parts := joined(c, p)
	c.over("binary", "cond", p)
	c.detail("==")
	if len(parts) == 4 {
		c.node("left", parts[2])
		c.node("right", parts[3])
	}
	c.end()
}

func lastPiece(c *csharpFile, p piece) (last piece) {
	for x := range p.all() {
		if c.value(x) {
			last = x
		}
	}
	return last
}
