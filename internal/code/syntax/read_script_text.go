package syntax

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// propertyName is the name of a property, and whether it is constant.
func propertyName(p piece) (string, bool) {
	switch p.kind() {
	case "string":
		return stringValue(p), true
	case "computed_property_name":
		inner := p.part()
		return stringValue(inner), plainText(inner)
	}
	return p.text(), true
}

// plainText tells a string, or a template without expressions.
func plainText(p piece) bool {
	return p.kind() == "string" || p.kind() == "template_string" && !p.part("template_substitution").valid()
}

// stringValue is the value of a string or of a template without expressions.
func stringValue(p piece) string {
	if !plainText(p) {
		return ""
	}
	text := p.text()
	if len(text) < 2 {
		return ""
	}
	switch {
	case p.part("escape_sequence").valid():
		return unescaped(text[1:len(text)-1], scriptEscape)
	case p.part("html_character_reference").valid():
		return html.UnescapeString(text[1 : len(text)-1])
	}
	return text[1 : len(text)-1]
}

// scriptEscape writes what s, which follows a backslash, begins with, and tells
// how much of s it took.
func scriptEscape(b *strings.Builder, s string) int {
	switch c := s[0]; {
	case strings.IndexByte("btnfrv", c) >= 0:
		b.WriteByte("\b\t\n\f\r\v"[strings.IndexByte("btnfrv", c)])
		return 1
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case c == '\n' || c == '\r':
		return 1
	case c == 'x' && len(s) > 2:
		return hexEscape(b, s, 1, 3, 3)
	case strings.HasPrefix(s, "u{"):
		end := max(strings.IndexByte(s, '}'), 2)
		return hexEscape(b, s, 2, end, end+1)
	case c == 'u':
		return unicodeEscape(b, s)
	case c >= '0' && c <= '7':
		size := 1
		for size < min(3, len(s)) && s[size] >= '0' && s[size] <= '7' {
			size++
		}
		n, _ := strconv.ParseUint(s[:size], 8, 16)
		b.WriteRune(rune(n))
		return size
	}
	r, size := utf8.DecodeRuneInString(s) // any other character stands for itself
	b.WriteRune(r)
	return size
}

// hexEscape writes the character whose digits are s[from:to] and gives size
// back; where they are none, the first character stands for itself.
func hexEscape(b *strings.Builder, s string, from, to, size int) int {
	n, err := strconv.ParseUint(s[from:to], 16, 32)
	if err != nil {
		b.WriteByte(s[0])
		return 1
	}
	b.WriteRune(rune(n))
	return size
}

// template writes a text with expressions in it. The call around a tagged one
// has the tag.
func (s *scriptWriter) template(role string, p, call piece) {
	if !call.valid() && plainText(p) {
		s.leaf("string", role, stringValue(p), p.from(), p.to())
		return
	}
	if call.valid() {
		s.open("template", role, call)
		s.detail("tagged")
		s.expr("callee", call.get("function"))
	} else {
		s.over("template", role, p)
	}
	from := p.from() + 1
	text := func(to int) {
		if to > from {
			s.leaf("string", "", unescaped(string(s.src[from:to]), scriptEscape), from, to)
		}
	}
	for c := range p.parts() {
		switch {
		case c.kind() == "template_substitution":
			text(c.from())
			for e := range c.parts() {
				s.expr("", e)
			}
			from = c.to()
		case c.broken():
			s.broken("", c)
		}
	}
	text(p.to() - 1)
	s.end()
}
