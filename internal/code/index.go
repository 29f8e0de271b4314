package code

import "strings"

// moduleIndex holds the definitions of a module and the names bound in each.
type moduleIndex struct {
	body  *Definition
	defs  []*Definition
	defOf map[int32]*Definition
	calls []Node
	imps  []importSpec
	exits map[int32]int32 // block to its first statement that leaves it for good
}

// maxBindings bounds the bindings of one name in one scope; what lies beyond
// is one unknown binding.
const maxBindings = 1000

// bindKind says how a name is bound.
type bindKind uint8

const (
	bindAssign bindKind = iota // value, whole or unpacked by path
	bindAnnotate
	bindAugment
	bindDef
	bindImport
	bindParam
	bindFor // an element of value
	bindWith
	bindExcept
	bindOther // a pattern, a type alias: not followed
)

// binding is one place where a name is bound.
type binding struct {
	kind       bindKind
	node       Node // the name, target or parameter
	value      Node
	path       []int // positions by which value, or its element, is unpacked
	annotation Node
	def        *Definition
	spec       *importSpec
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
	x.exits = map[int32]int32{}
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
		d.add(p.Name, binding{kind: bindParam, node: p.Node, value: p.Default, annotation: p.Annotation})
	}
	d.Parent.inner = append(d.Parent.inner, d)
	x.defs = append(x.defs, d)
	x.defOf[n.i] = d
}

// add binds a name in the scope. A name that the parser invented has no text
// and binds nothing.
func (d *Definition) add(name string, b binding) {
	n := len(d.names[name])
	if n == maxBindings {
		b.kind = bindOther
	}
	if name != "" && n <= maxBindings {
		if d.names == nil {
			d.names = map[string][]binding{}
		}
		d.names[name] = append(d.names[name], b)
	}
}

// bind records what a node binds, and notes calls and imports.
func (x *moduleIndex) bind(n Node) {
	switch n.Kind() {
	case "call":
		x.calls = append(x.calls, n)
	case "return_statement", "raise_statement", "continue_statement", "break_statement":
		if block := n.Parent(); block.Is("block", "module") {
			if _, ok := x.exits[block.i]; !ok {
				x.exits[block.i] = n.i
			}
		}
	case "function_definition", "class_definition":
		d := x.defOf[n.i]
		d.Parent.add(d.Name, binding{kind: bindDef, node: n, def: d})
	case "assignment":
		x.bindAssignment(n)
	case "augmented_assignment":
		x.target(n.Field("left"), binding{kind: bindAugment, value: n})
	case "named_expression":
		x.target(n.Field("name"), binding{kind: bindAssign, value: n.Field("value")})
	case "for_statement":
		x.target(n.Field("left"), binding{kind: bindFor, value: n.Field("right")})
	case "as_pattern":
		x.bindAs(n)
	case "except_clause":
		if alias := n.Field("alias"); alias.Valid() {
			x.target(alias, binding{kind: bindExcept, value: n.Field("value")})
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
			x.target(name, binding{kind: bindOther})
		}
	case "type_alias_statement":
		if name := typeOf(n.Field("left")); name.Is("identifier") {
			x.target(name, binding{kind: bindAssign, value: typeOf(n.Field("right"))})
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
	b := binding{kind: bindAssign, value: value, annotation: typeOf(n.Field("type"))}
	if !value.Valid() {
		b.kind = bindAnnotate
	}
	x.target(n.Field("left"), b)
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
	b := binding{kind: bindOther, value: n.Child(0)}
	for a := range n.Around() {
		switch a.Kind() {
		case "with_item":
			b.kind = bindWith
		case "except_clause", "except_group_clause":
			b.kind = bindExcept
		case "parenthesized_expression", "tuple", "as_pattern":
			continue
		}
		break
	}
	x.target(alias, b)
}

// target binds every name in an assignment's target to b.
func (x *moduleIndex) target(n Node, b binding) {
	for _, t := range targetsOf(n, nil) {
		part := b
		part.node = t.node
		if t.path != nil {
			part.path = t.path
		}
		if t.splat {
			part.kind, part.path = bindOther, nil
		}
		if t.node.Is("attribute") {
			x.bindAttribute(t.node, part)
			continue
		}
		scope := x.enclosing(t.node)
		for scope.Kind != DefModule && scope.global[t.node.Text()] {
			scope = scope.Parent
		}
		scope.add(t.node.Text(), part)
	}
}

// targetName is one name or attribute in the target of an assignment.
type targetName struct {
	node  Node
	path  []int // positions in nested tuples; nil for a plain target
	splat bool
}

// targetsOf lists the names and attributes that a target binds.
func targetsOf(n Node, path []int) []targetName {
	n = n.Unparen()
	switch n.Kind() {
	case "identifier", "attribute":
		return []targetName{{node: n, path: path}}
	case "list_splat_pattern", "list_splat":
		return []targetName{{node: n.Child(0), splat: true}}
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list":
		var out []targetName
		i := 0
		for c := range n.Children() {
			out = append(out, targetsOf(c, append(append([]int(nil), path...), i))...)
			i++
		}
		return out
	}
	return nil
}

// bindAttribute records "self.x = value" with the class of the method.
func (x *moduleIndex) bindAttribute(n Node, b binding) {
	object := n.Field("object")
	if !object.Is("identifier") {
		return
	}
	fn := x.enclosing(n)
	for fn != nil && fn.IsFunction() {
		if fn.Kind == DefMethod && len(fn.params) > 0 && fn.params[0].Name == object.Text() {
			name := n.Field("attribute").Text()
			if name == "" {
				return
			}
			if fn.Parent.attrs == nil {
				fn.Parent.attrs = map[string][]binding{}
			}
			if n := len(fn.Parent.attrs[name]); n <= maxBindings {
				if n == maxBindings {
					b.kind = bindOther
				}
				fn.Parent.attrs[name] = append(fn.Parent.attrs[name], b)
			}
			return
		}
		fn = fn.Parent
	}
}

// paramsOf reads the parameters of a function or lambda.
func paramsOf(n Node) []Param {
	var out []Param
	keyword := false
	for c := range n.Field("parameters").Children() {
		p := Param{Node: c, Keyword: keyword, Annotation: typeOf(c.Field("type")), Default: c.Field("value")}
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
