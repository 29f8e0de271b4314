package code

// objectValue evaluates a field of an object made by a generated constructor,
// as dataclasses and pydantic models have: what the construction passes, else
// the declared default. ok is false for other objects.
func (q *query) objectValue(s Symbol, name string) (Value, bool) {
	if !s.Instance || s.Def == nil || s.Def.Kind != DefClass || !s.Node.Is("call") || q.method(s.Def, "__init__") != nil {
		return Value{}, false
	}
	declared := false
	line := append([]Symbol{{Def: s.Def}}, q.bases(s.Def)...)
	for _, c := range line {
		if c.Def == nil {
			continue
		}
		for _, b := range c.Def.names[name] {
			declared = declared || b.annotation.Valid()
		}
	}
	if !declared {
		return Value{}, false
	}
	if arg := pick(plainArguments(s.Node), name, -1); arg.Valid() {
		return q.eval(arg), true
	}
	if hasSplat(s.Node) || len(plainArguments(s.Node)) > 0 && pick(plainArguments(s.Node), "", 0).Valid() {
		return Value{}, false // it may be among the arguments
	}
	for _, c := range line {
		if c.Def == nil {
			continue
		}
		for _, b := range c.Def.names[name] {
			if b.kind == bindAssign {
				return q.eval(b.value), true
			}
		}
	}
	return Value{}, false
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
