package syntax

// take is the range and the flags of a declaration with what stands around it.
func (s *scriptWriter) take(p piece) (o outer) {
	o = s.outer
	if !o.valid {
		o = outer{from: p.from(), to: p.to()}
	}
	s.outer = outer{}
	o.flags |= s.docFlag(o.from)
	if p.from() != o.from {
		o.flags |= s.docFlag(p.from())
	}
	return o
}

func (s *scriptWriter) docFlag(from int) Flags {
	if s.documented(from) {
		return Documented
	}
	return 0
}

// exportFlag tells of a name of the top level.
func (s *scriptWriter) exportFlag(name string) Flags {
	if s.nested == 0 && s.exported[name] {
		return Exported
	}
	return 0
}

// variables writes a declaration of variables, a node a declarator.
func (s *scriptWriter) variables(role string, p piece) {
	o := s.take(p)
	kind := p.get("kind").text()
	constant := Flags(0)
	if kind == "const" || p.kind() == "using_declaration" {
		constant = Constant
	}
	count := 0
	for range p.parts() {
		count++
	}
	from := o.from
	for c := range p.parts() {
		if c.kind() != "variable_declarator" {
			s.expr(role, c)
			continue
		}
		to := c.to()
		if count == 1 {
			to = o.to
		}
		s.declarator(role, c, kind, outer{from: from, to: to, flags: o.flags | constant})
		from = c.to()
		for from < len(s.src) && (s.src[from] == ',' || s.src[from] == ' ' || s.src[from] == '\n' || s.src[from] == '\t' || s.src[from] == '\r') {
			from++
		}
	}
}

func (s *scriptWriter) declarator(role string, p piece, kind string, o outer) {
	name := p.get("name")
	if o.flags&Exported == 0 && s.loadInto(role, p, o.from, o.to) {
		return
	}
	s.begin("assign", role, o.from, o.to)
	s.damage(p)
	s.detail("=")
	if kind != "" && kind != "let" && kind != "const" {
		s.detail(kind)
	}
	flags := o.flags | Declare
	if name.kind() == "identifier" {
		s.name(name.text())
		flags |= s.exportFlag(name.text())
	}
	s.flag(flags)
	s.pattern("target", name, Declare)
	s.typed("type", p.get("type"))
	s.given("value", p.get("value"), flags&(Exported|Documented))
	s.end()
}

// given writes the value of a declaration; a function or class that is the value
// has the flags, too.
func (s *scriptWriter) given(role string, p piece, flags Flags) {
	v := p
	for v.is("parenthesized_expression") {
		v = v.part()
	}
	if v.is("arrow_function", "function_expression", "generator_function", "class") {
		s.outer = outer{valid: true, from: v.from(), to: v.to(), flags: flags}
		p = v
	}
	s.expr(role, p)
	s.outer = outer{}
}

// assign writes an assignment to what is there.
func (s *scriptWriter) assign(role string, p piece) {
	left, right := p.get("left"), p.get("right")
	flags := Flags(0)
	s.open("assign", role, p)
	s.detail("=")
	if p.kind() == "augmented_assignment_expression" {
		s.detail(p.get("operator").text())
	} else if exportsTarget(left) && s.inside == 0 {
		flags = Exported | s.docFlag(p.from())
		s.flag(flags)
	}
	s.pattern("target", left, 0)
	s.given("value", right, flags)
	s.end()
}

// pattern writes what is assigned to or declared: a name, a member, or a pattern
// of them.
func (s *scriptWriter) pattern(role string, p piece, flags Flags) {
	switch p.kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		s.over("name", role, p)
		s.name(p.text())
		s.flag(flags)
		s.end()
	case "object_pattern":
		s.over("record", role, p)
		for c := range p.parts() {
			s.patternEntry(c, flags)
		}
		s.end()
	case "array_pattern":
		s.over("list", role, p)
		s.elements(p, func(c piece) { s.pattern("", c, flags) })
		s.end()
	case "assignment_pattern", "object_assignment_pattern":
		s.open("binary", role, p)
		s.detail("=")
		s.pattern("left", p.get("left"), flags)
		s.expr("right", p.get("right"))
		s.end()
	case "rest_pattern":
		s.open("unary", role, p)
		s.detail("...")
		s.pattern("value", p.part(), flags)
		s.end()
	default:
		s.expr(role, p)
	}
}

func (s *scriptWriter) patternEntry(p piece, flags Flags) {
	switch p.kind() {
	case "pair_pattern":
		s.open("entry", "", p)
		s.key(p.get("key"))
		s.pattern("value", p.get("value"), flags)
		s.end()
	case "shorthand_property_identifier_pattern", "object_assignment_pattern":
		s.over("entry", "", p)
		if left := p.get("left"); !left.valid() || left.kind() == "shorthand_property_identifier_pattern" {
			s.name(left.text() + textUnless(left, p))
		}
		s.pattern("value", p, flags)
		s.end()
	default:
		s.pattern("", p, flags)
	}
}

// textUnless is the text of p where there is no other piece.
func textUnless(other, p piece) string {
	if other.valid() {
		return ""
	}
	return p.text()
}

// elements are the elements of an array, with a leaf for each that is left out.
func (s *scriptWriter) elements(p piece, write func(piece)) {
	filled := false
	for c := range p.all() {
		switch {
		case c.named():
			write(c)
			filled = true
		case c.kind() == ",":
			if !filled {
				s.leaf("nil", "", "", c.from(), c.from())
			}
			filled = false
		}
	}
}
