package syntax

import (
	"slices"
	"strings"
)

// use writes an import for each name that a use brings.
func (r *rustFile) use(role string, attributes []piece, p piece) {
	u := &rustUse{file: r, role: role, around: p, attributes: attributes}
	if v := p.part("visibility_modifier"); v.valid() {
		u.flags = Reexport
		if v.text() == "pub" {
			u.flags |= Exported
		}
	}
	u.clause("", p.get("argument"))
}

// rustUse is one use declaration. Its first import spans it from its start and
// has the attributes.
type rustUse struct {
	file       *rustFile
	role       string
	around     piece
	attributes []piece
	flags      Flags
	some       bool
}

func (u *rustUse) clause(prefix string, p piece) {
	switch p.kind() {
	case "scoped_use_list":
		u.clause(join(prefix, p.get("path").text()), p.get("list"))
	case "use_list":
		for c := range p.parts() {
			u.clause(prefix, c)
		}
	case "use_as_clause":
		path := rustPath(prefix, p.get("path").text())
		u.imported(p, path, p.get("alias"), path[strings.LastIndex(path, ":")+1:])
	case "use_wildcard":
		u.imported(p, rustPath(prefix, p.part().text()), piece{}, "*")
	case "ERROR":
	default:
		u.imported(p, rustPath(prefix, p.text()), piece{}, "")
	}
}

func join(prefix, path string) string {
	if prefix == "" {
		return solid(path)
	}
	return strings.TrimSuffix(prefix+"::"+solid(path), "::")
}

// rustPath is a path without the self that ends a list, and without leading colons.
func rustPath(prefix, path string) string {
	out := join(prefix, path)
	if prefix != "" {
		out = strings.TrimSuffix(out, "::self")
	}
	return strings.TrimPrefix(out, "::")
}

func (u *rustUse) imported(p piece, path string, alias piece, of string) {
	r := u.file
	from, to := p.from(), p.to()
	if !u.some {
		from = u.around.from()
		if len(u.attributes) > 0 {
			from = u.attributes[0].from()
		}
	}
	r.begin("import", u.role, from, to)
	r.name(path)
	r.flag(u.flags)
	if !u.some {
		for _, a := range u.attributes {
			r.attribute("decorator", a)
		}
	}
	u.some = true
	switch {
	case alias.valid():
		r.over("bind", "bind", p)
		r.name(alias.text())
		r.leaf("name", "of", of, p.from(), alias.from())
		r.end()
	case of != "":
		r.over("bind", "bind", p)
		r.name("*")
		r.leaf("name", "of", of, p.from(), p.to())
		r.end()
	default:
		r.leaf("bind", "bind", path[strings.LastIndex(path, ":")+1:], p.from(), p.to())
	}
	r.end()
}

func (r *rustFile) externCrate(role string, attributes []piece, p piece) {
	name, alias := p.get("name"), p.get("alias")
	r.head("import", role, attributes, p)
	r.name(name.text())
	if p.part("visibility_modifier").valid() {
		r.flag(Reexport)
	}
	if alias.valid() {
		r.leaf("bind", "bind", alias.text(), alias.from(), alias.to())
	} else {
		r.leaf("bind", "bind", name.text(), name.from(), name.to())
	}
	r.end()
}

// module writes "mod x;" as an import and "mod x { }" as what it is.
func (r *rustFile) module(role string, attributes []piece, p piece) {
	name, body := p.get("name"), p.get("body")
	if !body.valid() {
		r.head("import", role, attributes, p)
		r.name("self::" + name.text())
		r.flag(Module)
		r.leaf("bind", "bind", name.text(), name.from(), name.to())
		r.end()
		return
	}
	r.head("class", role, attributes, p)
	r.name(name.text())
	r.detail("mod")
	r.flag(Module)
	if r.innerDoc(min(body.from()+1, len(r.text))) {
		r.flag(Documented)
	}
	r.within(rustOwner{}, "member", body)
	r.end()
}

// within writes items that belong to an owner.
func (r *rustFile) within(o rustOwner, role string, body piece) {
	was := r.owner
	r.owner = o
	r.list(role, body)
	r.owner = was
}

func (r *rustFile) function(role string, attributes []piece, p piece) {
	params, result, body := p.get("parameters"), p.get("return_type"), p.get("body")
	r.head("func", role, attributes, p)
	name := p.get("name").text()
	r.name(name)
	m := p.part("function_modifiers")
	if m.has("async") {
		r.flag(Async)
	}
	if m.has("unsafe") {
		r.flag(Unsafe)
	}
	if slices.ContainsFunc(attributes, rustTest) {
		r.flag(Test)
	}
	if !body.valid() {
		r.flag(Abstract)
	}
	if o := r.owner; o.kind != "" {
		r.flag(Method)
		if o.open {
			r.flag(Exported)
		}
		if !params.part("self_parameter").valid() && !slices.ContainsFunc(slices.Collect(params.parts()), func(p piece) bool { return p.get("pattern").text() == "self" }) {
			r.flag(Static)
			if makes(result.text(), o.name) {
				r.flag(Constructor)
			}
		}
	}
	r.parameters(params)
	r.typed("result", result)
	if body.valid() {
		was := r.owner
		r.owner = rustOwner{}
		r.block("body", body, 0)
		r.owner = was
	}
	r.end()
}

// makes tells a result that is a value of the class itself.
func makes(result, class string) bool {
	result = solid(result)
	for _, of := range []string{"Result<", "Option<", "io::Result<"} {
		if inner, ok := strings.CutPrefix(result, of); ok {
			result, _, _ = strings.Cut(strings.TrimSuffix(inner, ">"), ",")
		}
	}
	return result == "Self" || class != "" && plainType(result) == class
}

func (r *rustFile) parameters(p piece) {
	var attributes []piece
	for c := range p.all() {
		switch c.kind() {
		case "attribute_item":
			attributes = append(attributes, c)
			continue
		case "self_parameter":
			r.head("param", "receiver", attributes, c)
			r.name("self")
			r.leaf("type", "type", typeName(strings.TrimPrefix(strings.Replace(c.text(), "self", "Self", 1), "mut ")), c.from(), c.to())
			r.end()
		case "parameter":
			r.parameter(attributes, c)
		case "variadic_parameter":
			r.over("param", "param", c)
			r.leaf("type", "type", "...", c.from(), c.to())
			r.end()
		case "_":
			r.leaf("param", "param", "_", c.from(), c.to())
		default:
			if c.broken() {
				r.salvage("", c, r.node, rustSound)
			} else if c.named() {
				r.over("param", "param", c)
				r.typed("type", c)
				r.end()
			}
		}
		attributes = nil
	}
}

func (r *rustFile) parameter(attributes []piece, p piece) {
	pattern := p.get("pattern")
	role := "param"
	if pattern.is("self") {
		role = "receiver"
	}
	r.head("param", role, attributes, p)
	r.bound("pattern", pattern)
	r.typed("type", p.get("type"))
	r.end()
}

// bound names the open node by a pattern that is a name, or writes the pattern.
func (r *rustFile) bound(role string, pattern piece) {
	for pattern.is("mut_pattern", "ref_pattern") {
		next := pattern
		for c := range pattern.parts() {
			if !c.is("mutable_specifier") {
				next = c
			}
		}
		if next == pattern {
			break
		}
		pattern = next
	}
	switch {
	case pattern.is("identifier", "self", "_"):
		r.name(pattern.text())
		if role == "target" {
			r.leaf("name", role, pattern.text(), pattern.from(), pattern.to())
		}
	default:
		r.node(role, pattern)
	}
}

func (r *rustFile) constant(role string, attributes []piece, p piece) {
	name := p.get("name")
	r.head("assign", role, attributes, p)
	r.name(name.text())
	r.detail("=")
	r.flag(Declare)
	if !p.part("mutable_specifier").valid() {
		r.flag(Constant)
	}
	if r.owner.kind != "" {
		r.flag(Field | Static)
		if r.owner.open {
			r.flag(Exported)
		}
	}
	r.leaf("name", "target", name.text(), name.from(), name.to())
	r.typed("type", p.get("type"))
	r.node("value", p.get("value"))
	r.end()
}

func (r *rustFile) let(role string, attributes []piece, p piece) {
	r.head("assign", role, attributes, p)
	r.detail("=")
	r.flag(Declare)
	if !p.part("mutable_specifier").valid() {
		r.flag(Constant)
	}
	r.bound("target", p.get("pattern"))
	r.typed("type", p.get("type"))
	r.node("value", p.get("value"))
	r.node("else", p.get("alternative"))
	r.end()
}

func (r *rustFile) typed(role string, p piece) {
	if p.valid() {
		r.leaf("type", role, typeName(p.text()), p.from(), p.to())
	}
}
