package code

// attributeValue evaluates an attribute: an enum member, its value or name, or
// what a module, class or object binds to the name.
func (q *query) attributeValue(n Node) Value {
	name := n.Field("attribute").Text()
	if name == "value" || name == "name" || name == "parts" {
		if v := q.eval(n.Field("object")); v.Kind != ValueUnknown {
			if out, ok := memberPart(v, name); ok {
				return out
			}
		}
	}
	objects, partial := q.objects(n.Field("object"))
	var out []Value
	for _, s := range objects {
		if v, ok := q.fieldValue(s, name, n); ok {
			out = append(out, v)
			continue
		}
		if s.Def != nil && s.Def.Kind == DefClass && q.enum(s.Def) && !s.Instance {
			if v, ok := q.enumMember(s.Def, name); ok {
				return v
			}
		}
	}
	if len(out) == 0 {
		return q.symbolic(n)
	}
	if partial {
		out = append(out, unknown(n))
	}
	return choice(out, n)
}

// fieldValue is objectValue for an object that an attribute is taken from. The
// names of an iteration that yields it mean something else where it was made.
func (q *query) fieldValue(s Symbol, name string, n Node) (Value, bool) {
	object := n.Field("object")
	if _, scope := q.p.lookup(object.Text(), object); object.Is("identifier") && q.bound(object.Text(), scope) {
		env := q.env
		q.env = nil
		defer func() { q.env = env }()
	}
	return q.objectValue(s, name, n)
}

// memberPart evaluates .value and .name of an enum member or of alternatives.
func memberPart(v Value, name string) (Value, bool) {
	var out []Value
	for _, c := range v.Choices() {
		if c.Member == "" {
			return Value{}, false
		}
		if name == "name" {
			out = append(out, textValue(lastPart(c.Member), c.Node))
			continue
		}
		c.Member, c.Symbol = "", Symbol{}
		out = append(out, c)
	}
	return choice(out, v.Node), len(out) > 0
}

// elementValue evaluates a subscript of a table whose contents are known.
func (q *query) elementValue(n Node) (Value, bool) {
	subscripts := n.Fields("subscript")
	if len(subscripts) != 1 {
		return Value{}, false
	}
	if subscripts[0].Is("slice") {
		return q.sliceValue(n, subscripts[0])
	}
	container := q.eval(n.Field("value"))
	key := q.eval(subscripts[0])
	var out []Value
	for _, c := range container.Choices() {
		switch {
		case c.Kind == ValueDict:
			v, ok := q.lookIn(c, key, Node{}, n)
			if !ok {
				return Value{}, false
			}
			out = append(out, v)
		case (c.Kind == ValueList || c.Kind == ValueTuple) && key.Kind == ValueInt:
			out = append(out, at(c, int(key.Int)))
		case c.Kind == ValueSymbol && c.Symbol.Def != nil && !c.Symbol.Instance:
			name, _ := key.Str()
			if v, ok := q.enumMember(c.Symbol.Def, name); ok && q.enum(c.Symbol.Def) {
				out = append(out, v)
				continue
			}
			return Value{}, false
		default:
			return Value{}, false
		}
	}
	return choice(out, n), len(out) > 0
}
