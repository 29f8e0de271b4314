package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
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
			p.leaf("string", "", pythonUnescaped(c.text(), raw, true), c.from(), c.to())
		case "interpolation":
			p.interpolation(c)
		}
	}
}

// interpolation writes a field of a text: what it shows, and what its format reads. A
// constant that is formatted is a call of format: that fails for what was no field to whoever
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
			w.WriteString(pythonUnescaped(c.text(), raw, strings.Contains(strings.ToLower(s.part("string_start").text()), "f")))
		}
	}
	return w.String(), true
}

// pythonUnescaped resolves the escapes of a string, and the doubled braces of one
// with a format.
func pythonUnescaped(text string, raw, format bool) string {
	if format {
		text = strings.NewReplacer("{{", "{", "}}", "}").Replace(text)
	}
	if raw || !strings.Contains(text, `\`) {
		return text
	}
	var w strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			w.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case '\n':
		case 'n', 't', 'r', 'a', 'b', 'f', 'v':
			w.WriteByte("\n\t\r\a\b\f\v"[strings.IndexByte("ntrabfv", c)])
		case 'x', 'u', 'U':
			size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			n, err := strconv.ParseUint(text[i+1:min(i+1+size, len(text))], 16, 32)
			if err != nil || i+size >= len(text) && len(text)-i-1 < size || !utf8.ValidRune(rune(n)) {
				w.WriteByte('\\')
				w.WriteByte(c)
				continue
			}
			w.WriteRune(rune(n))
			i += size
		case '0', '1', '2', '3', '4', '5', '6', '7':
			end := i + 1
			for end < len(text) && end < i+3 && text[end] >= '0' && text[end] <= '7' {
				end++
			}
			n, _ := strconv.ParseUint(text[i:end], 8, 32) // digits of eight alone
			w.WriteRune(rune(n))
			i = end - 1
		case '\\', '\'', '"':
			w.WriteByte(c)
		default:
			w.WriteByte('\\')
			w.WriteByte(c)
		}
	}
	return w.String()
}
