package syntax

import (
	"html"
	"strings"
)

// jsx writes elements of JSX and what stands in them.
func (s *scriptWriter) jsx(role string, p piece) {
	switch p.kind() {
	case "jsx_element":
		s.open("element", role, p)
		tag := p.get("open_tag")
		s.damage(tag)
		s.tag(tag)
		for c := range p.parts() {
			if !c.is("jsx_opening_element", "jsx_closing_element", "ERROR") {
				s.expr("", c)
			}
		}
		s.end()
	case "jsx_self_closing_element":
		s.open("element", role, p)
		s.tag(p)
		s.end()
	case "jsx_expression":
		for c := range p.parts() {
			s.expr(role, c)
		}
	default:
		text := strings.TrimSpace(p.text())
		if text != "" {
			s.leaf("string", role, html.UnescapeString(strings.Join(strings.Fields(text), " ")), p.from(), p.to())
		}
	}
}

// tag says what an element is called and writes its attributes. A tag that is
// the name of a component is written as such.
func (s *scriptWriter) tag(p piece) {
	name := p.get("name")
	s.name(name.text())
	if text := name.text(); name.kind() == "member_expression" || text != "" && (text[0] < 'a' || text[0] > 'z') {
		s.expr("callee", name)
	}
	for t := range p.get("type_arguments").parts() {
		s.typed("type", t)
	}
	for c := range p.parts("attribute") {
		if c.kind() != "jsx_attribute" {
			s.expr("", c)
			continue
		}
		s.open("entry", "", c)
		first := true
		for part := range c.parts() {
			switch {
			case part.broken():
			case first:
				s.name(part.text())
				first = false
			default:
				s.expr("value", part)
			}
		}
		s.end()
	}
}
