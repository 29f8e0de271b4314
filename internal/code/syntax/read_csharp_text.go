package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// csharpText is the value of a constant text or character.
func csharpText(p piece) string {
	text := strings.TrimSuffix(strings.TrimSuffix(p.text(), "u8"), "U8")
	switch p.kind() {
	case "verbatim_string_literal":
		return strings.ReplaceAll(inside(strings.TrimPrefix(text, "@")), `""`, `"`)
	case "raw_string_literal":
		return dedented(p.part("raw_string_content").text())
	}
	return unescaped(inside(text), csharpEscape)
}

// dedented is the text of a raw literal: where it has lines of its own, without
// the first and the last line break and the white space that the last line has.
func dedented(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	end := strings.LastIndexByte(s, '\n')
	if end < 0 {
		return s
	}
	indent := s[end:]
	if strings.TrimSpace(indent) != "" {
		return s
	}
	_, s, _ = strings.Cut(s, "\n")
	s = strings.ReplaceAll("\n"+s, indent, "\n")
	return strings.TrimSuffix(strings.TrimPrefix(s, "\n"), "\n")
}

// template writes a text with expressions inside.
func (c *csharpFile) template(role string, p piece) {
	start, _, _ := strings.Cut(p.text(), `"`)
	raw := strings.HasPrefix(p.text()[len(start):], `"""`)
	indent := ""
	if at := strings.LastIndexByte(p.text(), '\n'); raw && at >= 0 {
		indent = strings.TrimRight(p.text()[at:], `"`)
	}
	value := func(s string) string {
		switch {
		case raw:
			if indent != "" {
				s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), indent, "\n")
			}
			return s
		case strings.Contains(start, "@"):
			s = strings.ReplaceAll(s, `""`, `"`)
		default:
			s = unescaped(s, csharpEscape)
		}
		return strings.NewReplacer("{{", "{", "}}", "}").Replace(s)
	}
	c.over("template", role, p)
	var from, to piece
	flush := func(last bool) {
		if from.valid() {
			s := value(p.g.text[from.from():to.to()])
			if raw && indent != "" && from.i == p.part("string_content").i {
				s = strings.TrimPrefix(s, "\n")
			}
			if raw && indent != "" && last {
				s = strings.TrimSuffix(s, "\n")
			}
			c.leaf("string", "", s, from.from(), to.to())
		}
		from = piece{}
	}
	for x := range p.parts() {
		switch {
		case x.is("string_content", "escape_sequence"):
			if !from.valid() {
				from = x
			}
			to = x
		case x.is("interpolation"):
			flush(false)
			c.hole(x)
		}
	}
	flush(true)
	c.end()
}

// hole writes an expression inside of a text. One that is given a width or a
// format is another text then.
func (c *csharpFile) hole(p piece) {
	formatted := p.part("interpolation_alignment_clause", "interpolation_format_clause").valid()
	for x := range p.all() {
		if !c.value(x) || x.is("interpolation_brace", "interpolation_alignment_clause", "interpolation_format_clause") {
			continue
		}
		if formatted {
			c.over("cast", "", p)
			c.leaf("type", "type", "string", p.from(), p.from())
			c.node("value", x)
			c.end()
		} else {
			c.node("", x)
		}
	}
}

// csharpEscape writes what follows a backslash. What is not an escape stays as written.
func csharpEscape(b *strings.Builder, s string) int {
	switch at := strings.IndexByte("abfnrtve0", s[0]); {
	case at >= 0:
		b.WriteByte("\a\b\f\n\r\t\v\x1b\x00"[at])
	case s[0] == 'u':
		return unicodeEscape(b, s)
	case s[0] == 'x':
		return 1 + hexDigits(b, s[1:], 4)
	case s[0] == 'U':
		return 1 + hexDigits(b, s[1:], 8)
	default:
		b.WriteByte(s[0])
	}
	return 1
}

// hexDigits writes the character of up to so many digits, and tells how many
// there were.
func hexDigits(b *strings.Builder, s string, most int) int {
	size := 0
	for size < min(most, len(s)) && strings.IndexByte("0123456789abcdefABCDEF", s[size]) >= 0 {
		size++
	}
	n, err := strconv.ParseUint(s[:size], 16, 32)
	if err != nil || n > utf8.MaxRune {
		return size
	}
	b.WriteRune(rune(n))
	return size
}
