package syntax

// class writes a class, as a declaration or as an expression.
func (s *scriptWriter) class(role string, p piece) {
	o := s.take(p)
	name := p.get("name").text()
	flags := o.flags
	if p.kind() != "class" {
		flags |= s.exportFlag(name)
	}
	s.begin("class", role, o.from, o.to)
	s.damage(p)
	s.name(name)
	s.detail("class")
	s.flag(flags)
	if p.kind() == "abstract_class_declaration" {
		s.flag(Abstract)
	}
	for _, d := range o.marks {
		s.decorator(d)
	}
	for d := range p.parts("decorator") {
		s.decorator(d)
	}
	s.heritage(p.part("class_heritage"))
	s.nested++
	s.members(p.get("body"), flags&Exported)
	s.nested--
	s.end()
}

// heritage writes what a class extends and implements.
func (s *scriptWriter) heritage(p piece) {
	s.damage(p)
	for c := range p.parts() {
		switch c.kind() {
		case "extends_clause":
			s.damage(c)
			for value := range c.parts("value") {
				s.base(value, c.get("type_arguments"))
			}
		case "implements_clause":
			for t := range c.parts() {
				s.typed("base", t)
			}
		case "ERROR":
		default:
			s.base(c, piece{})
		}
	}
}

// base writes a class that is extended. An expression that is more than a name
// is kept below.
func (s *scriptWriter) base(p, args piece) {
	s.begin("type", "base", p.from(), max(p.to(), args.to()))
	s.name(typeName(p.text() + args.text()))
	if !p.is("identifier", "member_expression") {
		s.expr("value", p)
	}
	s.end()
}

// members writes the members of a class or an interface; decorators may stand
// before them on their own.
func (s *scriptWriter) members(p piece, exported Flags) {
	var marks []piece
	for c := range p.parts() {
		if c.kind() == "decorator" {
			marks = append(marks, c)
			continue
		}
		from := c.from()
		if len(marks) > 0 {
			from = marks[0].from()
		}
		flags := exported
		if private(c) {
			flags = 0
		}
		s.outer = outer{valid: true, from: from, to: c.to(), flags: flags, marks: marks}
		s.member(c)
		s.outer, marks = outer{}, nil
	}
}

// private tells a member that only its class sees.
func private(p piece) bool {
	return p.part("accessibility_modifier").text() == "private" || p.get("name").kind() == "private_property_identifier" ||
		p.get("property").kind() == "private_property_identifier"
}

func (s *scriptWriter) member(p piece) {
	switch p.kind() {
	case "method_definition", "method_signature", "abstract_method_signature", "call_signature", "construct_signature":
		for d := range p.parts("decorator") {
			s.outer.marks = append(s.outer.marks, d)
		}
		s.function("member", p)
	case "public_field_definition", "field_definition", "property_signature":
		s.field(p)
	case "class_static_block":
		s.outer = outer{}
		s.over("block", "member", p)
		s.flag(Static)
		s.statements("", p.get("body"))
		s.end()
	case "enum_assignment", "property_identifier", "string", "computed_property_name", "private_property_identifier", "number":
		s.enumMember(p)
	case "index_signature":
		s.outer = outer{}
		s.open("other", "member", p)
		s.detail(p.kind())
		s.typed("type", p.get("type"))
		s.end()
	default:
		s.outer = outer{}
		s.statement("member", p)
	}
}

func (s *scriptWriter) field(p piece) {
	o := s.take(p)
	name := p.get("name")
	if !name.valid() {
		name = p.get("property")
	}
	s.begin("assign", "member", o.from, o.to)
	s.damage(p)
	s.detail("=")
	s.flag(o.flags | Declare | Field)
	for _, d := range o.marks {
		s.decorator(d)
	}
	for d := range p.parts("decorator") {
		s.decorator(d)
	}
	for c := range p.all() {
		switch c.kind() {
		case "static":
			s.flag(Static)
		case "readonly":
			s.flag(Constant)
		case "abstract":
			s.flag(Abstract)
		}
	}
	if text, constant := propertyName(name); constant {
		s.name(text)
		s.leaf("name", "target", text, name.from(), name.to())
	} else {
		s.expr("target", name.part())
	}
	s.typed("type", p.get("type"))
	s.inside++ // what a field is set to runs when a value is made
	s.given("value", p.get("value"), o.flags)
	s.inside--
	s.end()
}

func (s *scriptWriter) enumMember(p piece) {
	o := s.take(p)
	name := p
	if n := p.get("name"); n.valid() {
		name = n
	}
	text, _ := propertyName(name)
	s.begin("assign", "member", o.from, o.to)
	s.detail("=")
	s.name(text)
	s.flag(o.flags | Declare | Field | Static | Constant)
	s.leaf("name", "target", text, name.from(), name.to())
	s.expr("value", p.get("value"))
	s.end()
}

// typescript writes declarations that only TypeScript has.
func (s *scriptWriter) typescript(role string, p piece) {
	switch p.kind() {
	case "interface_declaration":
		s.shape(role, p, "interface", p.get("body"))
	case "enum_declaration":
		s.shape(role, p, "enum", p.get("body"))
	case "type_alias_declaration":
		s.shape(role, p, "alias", p.get("value"))
	case "import_alias":
		o := s.take(p)
		s.begin("assign", role, o.from, o.to)
		s.detail("=")
		s.flag(o.flags | Declare | Constant)
		parts := []piece{}
		for c := range p.parts() {
			parts = append(parts, c)
		}
		if len(parts) == 2 {
			s.name(parts[0].text())
			s.leaf("name", "target", parts[0].text(), parts[0].from(), parts[0].to())
			s.expr("value", parts[1])
		}
		s.end()
	default:
		s.namespace(role, p)
	}
}

// shape writes an interface, an enum or an alias.
func (s *scriptWriter) shape(role string, p piece, detail string, body piece) {
	o := s.take(p)
	name := p.get("name").text()
	flags := o.flags | s.exportFlag(name)
	s.begin("class", role, o.from, o.to)
	s.damage(p)
	s.name(name)
	s.detail(detail)
	s.flag(flags)
	for t := range p.part("extends_type_clause").parts() {
		s.typed("base", t)
	}
	if detail == "alias" && body.kind() != "object_type" {
		s.typed("base", body)
	} else {
		s.nested++
		s.members(body, flags&Exported)
		s.nested--
	}
	s.end()
}

// namespace writes a namespace, a declared module, or another ambient declaration.
func (s *scriptWriter) namespace(role string, p piece) {
	if d := p.part(); p.kind() == "ambient_declaration" && !d.is("statement_block", "property_identifier", "ERROR") {
		if !s.outer.valid {
			s.outer = outer{valid: true, from: p.from(), to: p.to()}
		}
		s.statement(role, d)
		s.outer = outer{}
		return
	}
	o := s.take(p)
	s.begin("other", role, o.from, o.to)
	s.damage(p)
	s.detail(p.kind())
	s.flag(o.flags)
	if name := p.get("name"); name.valid() {
		text, _ := propertyName(name)
		s.name(text)
	}
	for c := range p.parts() {
		if c.kind() == "statement_block" {
			s.statement("body", c)
		}
	}
	s.end()
}

func (s *scriptWriter) typed(role string, p piece) {
	if !p.valid() {
		return
	}
	if p.is("type_annotation", "asserts_annotation", "type_predicate_annotation", "opting_type_annotation") {
		p = p.part()
	}
	s.leaf("type", role, typeName(p.text()), p.from(), p.to())
}
