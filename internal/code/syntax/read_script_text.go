package syntax

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
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
		return unescaped(text[1 : len(text)-1])
	case p.part("html_character_reference").valid():
		return html.UnescapeString(text[1 : len(text)-1])
	}
	return text[1 : len(text)-1]
}

// unescaped resolves the escapes of JavaScript's strings.
func unescaped(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		value, size := escape(text[i+1:])
		b.WriteString(value)
		text = text[i+1+size:]
	}
}

// escape is the value of what follows a backslash, and how long it is.
func escape(text string) (string, int) {
	switch c := text[0]; c {
	case 'n':
		return "\n", 1
	case 't':
		return "\t", 1
	case 'r':
		return "\r", 1
	case 'b':
		return "\b", 1
	case 'f':
		return "\f", 1
	case 'v':
		return "\v", 1
	case '\n':
		return "", 1
	case '\r':
		return "", 1 + len(text[1:min(len(text), 2)])*b2i(strings.HasPrefix(text[1:], "\n"))
	case 'x':
		return hexEscape(text, 1, 2)
	case 'u':
		return unicodeEscape(text)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := 1
		for n < min(3, len(text)) && text[n] >= '0' && text[n] <= '7' {
			n++
		}
		v, _ := strconv.ParseUint(text[:n], 8, 16)
		return string(rune(v)), n
	}
	for i := range text[1:] { // any other character stands for itself
		return text[:i+1], i + 1
	}
	return text, len(text)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hexEscape is the character of digits from..from+count.
func hexEscape(text string, from, count int) (string, int) {
	if len(text) < from+count {
		return text[:1], 1
	}
	v, err := strconv.ParseUint(text[from:from+count], 16, 32)
	if err != nil {
		return text[:1], 1
	}
	return string(rune(v)), from + count
}

// unicodeEscape is the character of \u0041, \u{41}, or of a pair of surrogates.
func unicodeEscape(text string) (string, int) {
	if strings.HasPrefix(text, "u{") {
		if end := strings.IndexByte(text, '}'); end > 2 {
			value, _ := hexEscape(text[:end], 2, end-2)
			return value, end + 1
		}
		return "u", 1
	}
	if len(text) >= 11 && text[5] == '\\' && text[6] == 'u' {
		high, err1 := strconv.ParseUint(text[1:5], 16, 16)
		low, err2 := strconv.ParseUint(text[7:11], 16, 16)
		if r := utf16.DecodeRune(rune(high), rune(low)); err1 == nil && err2 == nil && r != '\uFFFD' {
			return string(r), 11
		}
	}
	return hexEscape(text, 1, 4)
}

// template writes a text with expressions in it. The call around a tagged one
// has the tag.
func (s *script) template(role string, p, call piece) {
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
			s.leaf("string", "", unescaped(string(s.src[from:to])), from, to)
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
