package syntax

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// text writes a string: a constant, or the parts of one with expressions.
func (p *pythonWriter) text(role string, s piece) {
	if value, ok := constantText(s); ok {
		p.leaf("string", role, value, s.from(), s.to())
		return
	}
	p.open("template", role, s)
	p.textParts(s)
	p.end()
}

func (p *pythonWriter) textParts(s piece) {
	if s.is("concatenated_string") {
		for c := range s.parts() {
			p.textParts(c)
		}
		return
	}
	raw, _ := textPrefix(s)
	for c := range s.parts() {
		switch c.kind() {
		case "string_content":
			p.leaf("string", "", code.Unescaped(c.text(), raw, true), c.from(), c.to())
		case "interpolation":
			p.interpolation(c)
		}
	}
}

// interpolation writes a field of a text: what it shows, and what its format reads. A
// constant that is formatted is a call of format: that fails for what was not a field to the one who
// wrote it.
func (p *pythonWriter) interpolation(c piece) {
	shown, format := c.get("expression"), c.part("format_specifier")
	value, constant := constantText(shown)
	if constant = constant && format.valid(); constant {
		p.open("call", "", c)
		p.leaf("name", "callee", "format", c.from(), c.from())
		p.leaf("string", "arg", value, shown.from(), shown.to())
		p.open("template", "arg", format)
		p.leaf("string", "", literal(format), format.from(), format.to())
	} else {
		p.expr("", shown)
	}
	for part := range format.parts() {
		p.expr("", part.get("expression"))
	}
	if constant {
		p.end()
		p.end()
	}
}

// literal is the text of a format without its fields.
func literal(format piece) string {
	var w strings.Builder
	text, at := format.text(), 0
	for part := range format.parts() {
		w.WriteString(text[at : part.from()-format.from()])
		at = part.to() - format.from()
	}
	return strings.TrimPrefix(w.String()+text[at:], ":")
}

// textPrefix tells a string whose backslashes are backslashes, and one of bytes.
func textPrefix(s piece) (raw, bytes bool) {
	prefix := strings.ToLower(s.part("string_start").text())
	return strings.Contains(prefix, "r"), strings.Contains(prefix, "b")
}

// constantText is the value of a string without expressions.
func constantText(s piece) (string, bool) {
	if s.is("concatenated_string") {
		var w strings.Builder
		for c := range s.parts() {
			part, ok := constantText(c)
			if !ok {
				return "", false
			}
			w.WriteString(part)
		}
		return w.String(), true
	}
	if !s.is("string") || s.part("interpolation").valid() {
		return "", false
	}
	raw, _ := textPrefix(s)
	var w strings.Builder
	for c := range s.parts() {
		if c.is("string_content") {
			w.WriteString(code.Unescaped(c.text(), raw, strings.Contains(strings.ToLower(s.part("string_start").text()), "f")))
		}
	}
	return w.String(), true
}
