package syntax

import (
	"slices"
	"strings"
)

// classLike writes a class, a struct, an interface, a record or an enum.
func (c *csharpFile) classLike(role string, p piece) {
	kind, _, _ := strings.Cut(p.kind(), "_")
	own := csharpClass{name: unmarked(p.get("name")), open: kind == "interface"}
	lost := p.part("ERROR")
	c.over("class", role, p)
	if lost.valid() && lost.to() <= p.get("body").from() {
		// The grammar knows a class without a body of records alone: it takes the
		// next class for the rest of it. Whose members they are is not known.
		c.detail(kind)
		c.salvage("", lost, c.node, csharpSound)
		c.members(csharpClass{}, p)
		c.end()
		return
	}
	c.name(own.name)
	c.detail(kind)
	c.modified(p, len(c.classes) == 0 || c.class().open)
	c.decorators(p)
	c.bases(p)
	c.primary(own, p)
	c.members(own, p)
	c.end()
}

func (c *csharpFile) bases(p piece) {
	for t := range p.part("base_list").parts() {
		switch {
		case t.is("primary_constructor_base_type"):
			c.typed("base", t.get("type"))
		case !t.is("argument_list"):
			c.typed("base", t)
		}
	}
}

func (c *csharpFile) members(own csharpClass, p piece) {
	c.classes = append(c.classes, own)
	c.nodes("member", p.get("body"))
	c.classes = c.classes[:len(c.classes)-1]
}

// primary writes the constructor that the head of a class declares: its
// parameters are known in the whole class, those of a record as properties.
func (c *csharpFile) primary(own csharpClass, p piece) {
	list := p.part("parameter_list")
	if !list.valid() {
		return
	}
	bases := p.part("base_list")
	args := bases.part("argument_list")
	if b := bases.part("primary_constructor_base_type"); b.valid() {
		args = b.part("argument_list")
	}
	to := max(list.to(), args.to())
	c.begin("func", "member", list.from(), to)
	c.name(own.name)
	c.flag(Method | Constructor | Exported)
	c.parameters(list, Field)
	c.begin("block", "body", list.to(), to)
	if args.valid() {
		c.begin("call", "", args.from(), args.to())
		c.leaf("name", "callee", "super", args.from(), args.from())
		c.arguments(args)
		c.end()
	}
	c.end()
	c.end()
}

// delegate writes the type of functions as the class that it is: with one method.
func (c *csharpFile) delegate(role string, p piece) {
	c.over("class", role, p)
	c.name(unmarked(p.get("name")))
	c.detail("delegate")
	c.modified(p, len(c.classes) == 0 || c.class().open)
	c.flag(Abstract)
	c.decorators(p)
	c.begin("func", "member", p.get("type").from(), p.get("parameters").to())
	c.name("Invoke")
	c.flag(Method | Abstract | Exported)
	c.result(p.get("type"))
	c.parameters(p.get("parameters"), 0)
	c.end()
	c.end()
}

func (c *csharpFile) enumMember(role string, p piece) {
	name := p.get("name")
	c.over("assign", role, p)
	c.name(unmarked(name))
	c.detail("=")
	c.flag(Declare | Field | Constant | Static | Exported)
	c.documented(p)
	c.decorators(p)
	c.target(name)
	c.node("value", p.get("value"))
	c.end()
}

// target writes the name that a declaration declares.
func (c *csharpFile) target(name piece) { c.declares("target", name) }

// declares writes a name that is declared; in broken text there may be none.
func (c *csharpFile) declares(role string, name piece) {
	if unmarked(name) != "" {
		c.leaf("name", role, unmarked(name), name.from(), name.to())
	}
}

// variables writes one assignment for each name that list declares; p is the
// declaration around it.
func (c *csharpFile) variables(role string, p, list piece, flags Flags) {
	typ := list.get("type")
	var names []piece
	for d := range list.parts() {
		if d.is("variable_declarator") {
			names = append(names, d)
		}
	}
	for i, d := range names {
		if i == 0 {
			c.begin("assign", role, p.from(), lastOf(names, p, i))
		} else {
			c.over("assign", role, d)
		}
		name, pattern := d.get("name"), d.part("tuple_pattern")
		c.name(unmarked(name))
		c.detail("=")
		c.flag(Declare | flags)
		if flags&Field != 0 {
			c.modified(p, c.class().open)
		} else if modifier(p, "const") {
			c.flag(Constant)
		}
		if i == 0 {
			c.decorators(p)
			c.typed("type", typ)
		} else if !typ.is("implicit_type") {
			c.leaf("type", "type", typeName(typ.text()), d.from(), d.from())
		}
		if pattern.valid() {
			c.tuplePattern("target", pattern)
		} else {
			c.target(name)
		}
		for x := range d.all() {
			if c.value(x) && x.i != name.i && x.i != pattern.i {
				c.given("value", x, typ)
			}
		}
		c.end()
	}
}

// given writes the value that a variable of a declared type begins with: "new"
// alone makes a value of that type, braces alone an array.
func (c *csharpFile) given(role string, p, typ piece) {
	if p.is("implicit_object_creation_expression") {
		c.creation(role, p, typ)
		return
	}
	c.node(role, p)
}

// property writes a property, an event or an indexer: what keeps a value is a
// field, what runs is functions with the names that the platform gives them.
func (c *csharpFile) property(role string, p piece) {
	name, typ, arrow := unmarked(p.get("name")), p.get("type"), p.get("value")
	if p.is("indexer_declaration") {
		name = "Item"
	}
	if arrow.is("arrow_expression_clause") {
		c.accessor(role, p, p, arrow, "get", name)
		return
	}
	var runs []piece
	kept, fixed := p.is("property_declaration", "event_declaration"), true
	for a := range p.get("accessors").parts() {
		if a.get("body").valid() {
			runs = append(runs, a)
		}
		fixed = fixed && !a.get("name").is("set", "add")
	}
	if len(runs) > 0 {
		kept = kept && arrow.valid()
	}
	if kept {
		c.over("assign", role, p)
		c.name(name)
		c.detail("=")
		c.flag(Declare | Field)
		c.modified(p, c.class().open || explicit(p))
		if fixed && p.get("accessors").valid() {
			c.flag(Constant)
		}
		c.decorators(p)
		c.typed("type", typ)
		c.target(p.get("name"))
		c.given("value", arrow, typ)
		c.end()
	}
	for _, a := range runs {
		c.accessor(role, p, a, a.get("body"), a.get("name").text(), name)
	}
	if p.is("indexer_declaration") && len(runs) == 0 {
		c.accessor(role, p, p, piece{}, "get", name)
	}
}

// accessor writes one function of a property: p is the property, a the accessor.
func (c *csharpFile) accessor(role string, p, a, body piece, what, name string) {
	c.over("func", role, a)
	c.flag(Method)
	c.modified(p, c.class().open || explicit(p))
	if !body.valid() {
		c.flag(Abstract)
	}
	gets := what == "get"
	switch {
	case gets && p.is("indexer_declaration"):
		name = "get_" + name
	case gets:
		c.flag(Getter)
	case what == "init":
		name = "set_" + name
	default:
		name = what + "_" + name
	}
	c.name(name)
	c.decorators(p)
	if a.i != p.i {
		c.decorators(a)
	}
	if gets {
		c.leaf("type", "result", typeName(p.get("type").text()), a.from(), a.from())
	}
	for x := range p.get("parameters").parts() {
		if x.is("parameter") {
			c.begin("param", "param", a.from(), a.from())
			c.name(unmarked(x.get("name")))
			c.leaf("type", "type", typeName(x.get("type").text()), a.from(), a.from())
			c.end()
		}
	}
	if !gets {
		c.begin("param", "param", a.from(), a.from())
		c.name("value")
		c.leaf("type", "type", typeName(p.get("type").text()), a.from(), a.from())
		c.end()
	}
	c.body(body, !gets, piece{})
	c.end()
}

// modifier tells whether a declaration has one of some words before it.
func modifier(p piece, words ...string) bool {
	for m := range p.parts() {
		if m.is("modifier") && slices.Contains(words, m.text()) {
			return true
		}
	}
	return false
}

// explicit tells the member of an interface that is only seen through it.
func explicit(p piece) bool { return p.part("explicit_interface_specifier").valid() }

// modified sets the flags that modifiers and a comment before them give. What is
// internal may be used from other namespaces: it counts as exported.
func (c *csharpFile) modified(p piece, open bool) {
	if modifier(p, "public", "protected", "internal") || open && !modifier(p, "private", "file") {
		c.flag(Exported)
	}
	if modifier(p, "static", "const") {
		c.flag(Static)
	}
	if modifier(p, "abstract") {
		c.flag(Abstract)
	}
	if modifier(p, "readonly", "const") && p.is("field_declaration") {
		c.flag(Constant)
	}
	if modifier(p, "unsafe") {
		c.flag(Unsafe)
	}
	if modifier(p, "async") {
		c.flag(Async)
	}
	c.documented(p)
}

// documented looks for documentation directly before a declaration.
func (c *csharpFile) documented(p piece) {
	for text := range c.commentsBefore(c.text, p.from()) {
		if strings.HasPrefix(text, "///") || strings.HasPrefix(text, "/**") && len(text) > len("/***/") {
			c.flag(Documented)
			return
		}
	}
}

// typed writes a type; var says none.
func (c *csharpFile) typed(role string, p piece) {
	if p.valid() && !p.is("implicit_type") && !p.broken() {
		c.leaf("type", role, rooted(typeName(p.text())), p.from(), p.to())
	}
}

// unmarked is a name without the mark that lets it be a word of the language.
func unmarked(p piece) string { return strings.TrimPrefix(p.text(), "@") }
