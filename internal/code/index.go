package code

import "strings"

// moduleIndex holds the definitions of a module and the names bound in each.
type moduleIndex struct {
	body  *Definition
	defs  []*Definition
	defOf map[int32]*Definition
	calls []Node
	imps  []importSpec
}

// enclosing finds the scope of a node by climbing.
func (x *moduleIndex) enclosing(n Node) *Definition {
	below, below2 := n, Node{} // the child of a, and the child of below, on the way up
	for a := n.Parent(); a.Valid(); a = a.Parent() {
		if a.defines() {
			inside := below.FieldName() == "body"
			if below.FieldName() == "parameters" {
				inside = !below2.Is("default_parameter", "typed_default_parameter", "typed_parameter") ||
					bindsParam(below2, n)
			}
			if inside {
				return x.defOf[a.i]
			}
		}
		below, below2 = a, below
	}
	return x.body
}

// bindsParam reports whether n is the name that a parameter binds, rather than
// its type or default.
func bindsParam(param, n Node) bool {
	if n == param {
		return true
	}
	for c := range param.All() {
		if c.Contains(n) {
			return !isOneOf(c.FieldName(), "value", "type")
		}
	}
	return false
}

// build makes the index in two passes over the tree: definitions first, then
// what is bound in them.
func (x *moduleIndex) build(m *Module) {
	x.defOf = map[int32]*Definition{}
	x.body = &Definition{Kind: DefModule, Name: lastPart(m.Name), Qualified: m.Name, Module: m, Node: m.Root()}
	if m.tree == nil {
		return
	}
	x.defOf[0] = x.body
	for n := range m.Root().Walk() {
		if n.defines() {
			x.define(n)
		}
	}
	for n := range m.Root().Walk() {
		x.bind(n)
	}
}

// define adds the definition of a node. Outer definitions come before inner
// ones.
func (x *moduleIndex) define(n Node) {
	d := &Definition{Node: n, Module: n.m, Parent: x.enclosing(n), Name: n.Field("name").Text()}
	switch n.Kind() {
	case "class_definition":
		d.Kind = DefClass
	case "lambda":
		d.Kind, d.Name = DefLambda, "<lambda>"
	default:
		d.Kind = DefFunction
		if d.Parent.Kind == DefClass {
			d.Kind = DefMethod
		}
		d.Async = strings.HasPrefix(n.Text(), "async")
	}
	d.Qualified = d.Name
	if d.Parent.Qualified != "" {
		d.Qualified = d.Parent.Qualified + "." + d.Name
	}
	d.params = paramsOf(n)
	for _, p := range d.params {
		d.add(p.Name, p.Default)
	}
	d.Parent.inner = append(d.Parent.inner, d)
	x.defs = append(x.defs, d)
	x.defOf[n.i] = d
}

// add binds a name in the scope to a value, zero where none is written. A name that the
// parser invented has no text and binds nothing.
func (d *Definition) add(name string, value Node) {
	if name == "" {
		return
	}
	if d.names == nil {
		d.names = map[string]Node{}
	}
	d.names[name] = value
}

// bind records what a node binds, and notes calls and imports.
func (x *moduleIndex) bind(n Node) {
	switch n.Kind() {
	case "call":
		x.calls = append(x.calls, n)
	case "function_definition", "class_definition":
		d := x.defOf[n.i]
		d.Parent.add(d.Name, Node{})
	case "assignment":
		x.bindAssignment(n)
	case "augmented_assignment":
		x.target(n.Field("left"), Attribute{})
	case "named_expression":
		x.target(n.Field("name"), Attribute{Value: n.Field("value")})
	case "for_statement":
		x.target(n.Field("left"), Attribute{Value: n.Field("right")})
	case "as_pattern":
		x.bindAs(n)
	case "except_clause":
		if alias := n.Field("alias"); alias.Valid() {
			x.target(alias, Attribute{})
		}
	case "global_statement", "nonlocal_statement":
		scope := x.enclosing(n)
		if scope.global == nil {
			scope.global = map[string]bool{}
		}
		for c := range n.Children() {
			scope.global[c.Text()] = true
		}
	case "dotted_name", "splat_pattern":
		if name := n.captured(); name.Valid() {
			x.target(name, Attribute{})
		}
	case "type_alias_statement":
		if name := TypeOf(n.Field("left")); name.Is("identifier") {
			x.target(name, Attribute{Value: TypeOf(n.Field("right"))})
		}
	case "import_statement", "import_from_statement", "future_import_statement":
		x.bindImports(n)
	}
}

// bindAssignment records the targets of an assignment; in a chain every target
// gets the last value.
func (x *moduleIndex) bindAssignment(n Node) {
	value := n.Field("right")
	for value.Is("assignment") {
		value = value.Field("right")
	}
	x.target(n.Field("left"), Attribute{Value: value, Annotation: TypeOf(n.Field("type"))})
}

// bindAs records the name of "with x as y", "except E as y" and "case p as y".
func (x *moduleIndex) bindAs(n Node) {
	alias := n.Field("alias").Child(0)
	if n.Parent().Is("case_pattern") {
		alias = n.Child(1)
	}
	if !alias.Valid() {
		return
	}
	x.target(alias, Attribute{Value: n.Child(0)})
}

// target binds every name in an assignment's target to b.
func (x *moduleIndex) target(n Node, b Attribute) {
	n = n.Unparen()
	switch n.Kind() {
	case "attribute":
		b.Node = n
		x.bindAttribute(n, b)
	case "identifier":
		scope := x.enclosing(n)
		for scope.Kind != DefModule && scope.global[n.Text()] {
			scope = scope.Parent
		}
		scope.add(n.Text(), b.Value)
	case "list_splat_pattern", "list_splat":
		x.target(n.Child(0), b)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list":
		for c := range n.Children() {
			x.target(c, b)
		}
	}
}

// bindAttribute records "self.x = value" with the class of the method.
func (x *moduleIndex) bindAttribute(n Node, b Attribute) {
	object := n.Field("object")
	if !object.Is("identifier") {
		return
	}
	for fn := x.enclosing(n); fn != nil && fn.IsFunction(); fn = fn.Parent {
		if fn.Kind == DefMethod && len(fn.params) > 0 && fn.params[0].Name == object.Text() {
			name := n.Field("attribute").Text()
			if _, known := fn.Parent.attrs[name]; known || name == "" {
				return
			}
			if fn.Parent.attrs == nil {
				fn.Parent.attrs = map[string]Attribute{}
			}
			fn.Parent.attrs[name] = b
			return
		}
	}
}

// paramsOf reads the parameters of a function or lambda.
func paramsOf(n Node) []Param {
	var out []Param
	keyword := false
	for c := range n.Field("parameters").Children() {
		p := Param{Node: c, Keyword: keyword, Annotation: TypeOf(c.Field("type")), Default: c.Field("value")}
		name := c
		switch c.Kind() {
		case "keyword_separator":
			keyword = true
			continue
		case "default_parameter", "typed_default_parameter":
			name = c.Field("name")
		case "typed_parameter":
			name = c.Child(0)
		}
		switch name.Kind() {
		case "list_splat_pattern":
			p.Star, keyword = 1, true
			name = name.Child(0)
		case "dictionary_splat_pattern":
			p.Star = 2
			name = name.Child(0)
		}
		if name.Is("identifier") {
			p.Name = name.Text()
			out = append(out, p)
		}
	}
	return out
}

func lastPart(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }
