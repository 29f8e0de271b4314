package code

import "strings"

// binding resolves one binding of a name in a scope.
func (q *query) binding(b binding, scope *Definition, name string) []Symbol {
	switch b.kind {
	case bindDef:
		return []Symbol{{Qualified: b.def.Qualified, Def: b.def}}
	case bindImport:
		return q.imported(b.spec)
	case bindParam:
		return q.param(scope, name)
	case bindExcept:
		return instances(q.each(b.value))
	case bindWith:
		return q.entered(b.value)
	case bindFor:
		return q.element(b, true)
	case bindAssign, bindAnnotate:
		return q.assigned(b, scope, name)
	case bindAugment, bindOther: // name nothing that can be resolved
	}
	return nil
}

// each resolves an expression, or every member of a tuple of them.
func (q *query) each(n Node) []Symbol {
	n = n.Unparen()
	if !n.Is("tuple", "expression_list", "pattern_list") {
		return q.expr(n)
	}
	var out []Symbol
	for c := range n.Children() {
		out = addSymbols(out, q.expr(c)...)
	}
	return out
}

// instances turns classes into objects of them.
func instances(classes []Symbol) []Symbol {
	var out []Symbol
	for _, s := range classes {
		if s.Known() {
			s.Instance = true
			out = append(out, s)
		}
	}
	return out
}

// assigned resolves an assignment; a variable of a module or class whose
// value is not a symbol stands for itself.
func (q *query) assigned(b binding, scope *Definition, name string) []Symbol {
	var out []Symbol
	if b.value.Valid() {
		if len(b.path) == 0 {
			if q.functionalClass(b.value) {
				return []Symbol{{Qualified: scope.Qualified + "." + name, Node: b.value}}
			}
			out = q.expr(b.value)
		} else {
			out = q.element(b, false)
		}
	}
	if (!anyKnown(out) || allPlain(out)) && b.annotation.Valid() {
		if declared := q.annotatedObjects(b.annotation); len(declared) > 0 {
			out = declared
		}
	}
	local := scope.Kind != DefModule && scope.Kind != DefClass
	if anyKnown(out) && (local || !allPlain(out)) {
		return out
	}
	if local {
		return []Symbol{{Qualified: b.node.Unknown(), Node: b.value}}
	}
	return []Symbol{{Qualified: joinName(scope.Qualified, name), Node: b.value}}
}

func anyKnown(list []Symbol) bool {
	for _, s := range list {
		if s.Known() {
			return true
		}
	}
	return false
}

// functionalClass reports whether a call makes a class from a description.
func (q *query) functionalClass(n Node) bool {
	if !n.Is("call") {
		return false
	}
	for _, s := range q.expr(n.Field("function")) {
		if !s.Instance && s.Matches("typing.TypedDict", "typing.NamedTuple", "collections.namedtuple", "pydantic.create_model",
			"dataclasses.make_dataclass", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "typing.NewType") {
			return true
		}
	}
	return false
}

// element resolves what a binding takes out of its value: an element when
// each is set, then the position given by the path.
func (q *query) element(b binding, each bool) []Symbol {
	var out []Symbol
	for _, v := range q.unpack(b, each) {
		for _, c := range v.Choices() {
			if c.Kind == ValueSymbol {
				out = addSymbols(out, c.Symbol)
			}
		}
	}
	return out
}

// entered resolves "with x as y": the object itself unless a first-party
// __enter__ returns something else.
func (q *query) entered(n Node) []Symbol {
	var out []Symbol
	for _, s := range q.expr(n) {
		if s.Instance && s.Def != nil {
			if enter := q.method(s.Def, "__enter__", "__aenter__"); enter != nil {
				if got := q.returned(enter, Node{}); len(got) > 0 {
					out = addSymbols(out, got...)
					continue
				}
			}
		}
		out = addSymbols(out, s)
	}
	return out
}

// param resolves a parameter: self and cls, the annotation, the default, else
// what the call sites pass.
func (q *query) param(fn *Definition, name string) []Symbol {
	position, p, ok := fn.param(name)
	if !ok {
		return nil
	}
	if class := fn.Parent; position == 0 && fn.Kind == DefMethod && !fn.decorated("staticmethod") {
		own := Symbol{Qualified: class.Qualified, Def: class, Instance: !fn.decorated("classmethod") && fn.Name != "__new__"}
		return []Symbol{own}
	}
	if p.Star > 0 {
		return nil
	}
	var out []Symbol
	if p.Annotation.Valid() {
		out = q.annotatedObjects(p.Annotation)
		if len(out) > 0 {
			return out
		}
	}
	if p.Default.Valid() && !p.Default.Is("none") {
		out = addSymbols(out, q.expr(p.Default)...)
	}
	if q.hops < maxHops {
		q.hops++
		for _, site := range q.sites(fn) {
			if arg := q.argumentFor(site, fn, p, position); arg.Valid() {
				out = addSymbols(out, q.expr(arg)...)
			}
		}
		q.hops--
	} else {
		q.hits++
	}
	return out
}

// param returns the position and the parameter of a name.
func (d *Definition) param(name string) (int, Param, bool) {
	for i, p := range d.params {
		if p.Name == name {
			return i, p, true
		}
	}
	return 0, Param{}, false
}

// annotated resolves the classes that an annotation names: through Optional,
// Union, "X | None", Annotated, Type, forward references in strings. What a
// container holds is not what the container is.
func (q *query) annotated(n Node) []Symbol {
	n = typeOf(n).Unparen()
	switch n.Kind() {
	case "string":
		text, _ := n.Literal()
		return q.forward(text, n)
	case "binary_operator", "union_type":
		var out []Symbol
		for c := range n.Children() {
			out = addSymbols(out, q.annotated(c)...)
		}
		return out
	case "generic_type", "subscript":
		return q.generic(n)
	case "identifier", "attribute", "member_type":
		return q.expr(n)
	}
	return nil
}

// generic resolves a subscripted type.
func (q *query) generic(n Node) []Symbol {
	head := n.Child(0)
	base := q.expr(head)
	var params []Node
	if n.Is("subscript") {
		params = n.Fields("subscript")
	} else {
		for c := range n.child("type_parameter").Children() {
			params = append(params, c)
		}
	}
	if len(base) == 0 || len(params) == 0 {
		return base
	}
	switch strings.TrimPrefix(base[0].Qualified, "typing.") {
	case "Optional", "Annotated", "Required", "NotRequired", "Final", "ClassVar":
		return q.annotated(params[0])
	case "Union":
		var out []Symbol
		for _, p := range params {
			out = addSymbols(out, q.annotated(p)...)
		}
		return out
	}
	return base
}

// forward resolves an annotation written as a string.
func (q *query) forward(text string, at Node) []Symbol {
	var out []Symbol
	for part := range strings.SplitSeq(text, "|") {
		part = strings.TrimSpace(part)
		for _, wrapper := range []string{"Optional[", "typing.Optional[", "Annotated["} {
			if rest, ok := strings.CutPrefix(part, wrapper); ok {
				part, _, _ = strings.Cut(strings.TrimSuffix(rest, "]"), ",")
			}
		}
		part, _, _ = strings.Cut(part, "[")
		if part = strings.Trim(part, ` "'`); part != "" && part != "None" && isDotted(part) {
			out = addSymbols(out, q.dotted(part, at)...)
		}
	}
	return out
}

func isDotted(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return r != '.' && r != '_' && r < 0x80 && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	}) < 0
}
