package syntax

// matchCase writes a case of match.
func (p *pythonWriter) matchCase(s piece) {
	if s.broken() {
		p.broken("", s)
		return
	}
	p.open("case", "case", s)
	var patterns []piece
	for c := range s.parts() {
		if c.is("case_pattern") {
			patterns = append(patterns, c)
		}
	}
	switch {
	case len(patterns) == 1 && bindsAll(patterns[0]) && !s.get("guard").valid():
		if name := patterns[0].text(); name != "_" {
			p.pattern("match", patterns[0])
		}
	case len(patterns) == 1:
		p.alternatives("match", patterns[0])
	case len(patterns) > 1:
		p.begin("list", "match", patterns[0].from(), patterns[len(patterns)-1].to())
		for _, c := range patterns {
			p.pattern("", c)
		}
		p.end()
	}
	if g := s.get("guard"); g.valid() {
		p.expr("cond", g.part())
	}
	p.block("body", s.get("consequence"))
	p.end()
}

// bindsAll tells a pattern that everything matches: a bare name.
func bindsAll(s piece) bool {
	for s.is("case_pattern") && s.part().valid() {
		s = s.part()
	}
	return s.is("dotted_name") && s.part().text() == s.text() || s.text() == "_"
}

// alternatives writes the patterns that | stands between, each by itself.
func (p *pythonWriter) alternatives(role string, s piece) {
	for s.is("case_pattern") && s.part().valid() {
		s = s.part()
	}
	if !s.is("union_pattern") {
		p.pattern(role, s)
		return
	}
	for c := range s.parts() {
		p.alternatives(role, c)
	}
}

// pattern writes one pattern of match in the words of patterns.
func (p *pythonWriter) pattern(role string, s piece) {
	switch s.kind() {
	case "":
	case "case_pattern":
		if inner := s.part(); inner.valid() {
			p.pattern(role, inner)
			return
		}
		p.leaf("name", role, s.text(), s.from(), s.to()) // "_" is a sign of the language
	case "dotted_name":
		p.dotted(role, s)
	case "list_pattern", "tuple_pattern":
		p.open("list", role, s)
		for c := range s.parts() {
			p.pattern("", c)
		}
		p.end()
	case "dict_pattern":
		p.mapping(role, s)
	case "class_pattern":
		p.open("record", role, s)
		p.typed("type", s.part())
		for c := range s.parts() {
			if c.is("case_pattern") {
				p.pattern("", c)
			}
		}
		p.end()
	case "keyword_pattern":
		p.open("entry", role, s)
		p.name(s.part().text())
		for c := range s.parts() {
			if c.from() > s.from() {
				p.pattern("value", c)
			}
		}
		p.end()
	case "as_pattern":
		p.open("binary", role, s)
		p.detail("@")
		first := s.part()
		for c := range s.parts() {
			if c.from() > first.from() {
				p.leaf("name", "left", c.text(), c.from(), c.to())
			}
		}
		p.pattern("right", first)
		p.end()
	case "splat_pattern":
		p.open("unary", role, s)
		p.detail("...")
		if name := s.part(); name.valid() {
			p.leaf("name", "value", name.text(), name.from(), name.to())
		}
		p.end()
	case "union_pattern":
		p.open("other", role, s)
		p.detail("union_pattern")
		for c := range s.parts() {
			p.pattern("", c)
		}
		p.end()
	default:
		p.expr(role, s)
	}
}

// mapping writes {"key": pattern, **rest}.
func (p *pythonWriter) mapping(role string, s piece) {
	p.open("record", role, s)
	var key piece
	for c := range s.parts() {
		switch {
		case c.is("splat_pattern"):
			p.pattern("", c)
		case !key.valid():
			key = c
		default:
			p.begin("entry", "", key.from(), c.to())
			if value, ok := constantText(key); ok {
				p.name(value)
			}
			p.pattern("value", c)
			p.end()
			key = piece{}
		}
	}
	p.end()
}

// dotted writes a name, or the members that dots reach.
func (p *pythonWriter) dotted(role string, s piece) {
	var names []piece
	for c := range s.parts() {
		names = append(names, c)
	}
	for i := len(names) - 1; i > 0; i-- {
		p.begin("member", role, s.from(), names[i].to())
		p.name(names[i].text())
		role = "object"
	}
	if len(names) > 0 {
		p.leaf("name", role, names[0].text(), names[0].from(), names[0].to())
	}
	for range max(0, len(names)-1) {
		p.end()
	}
}
