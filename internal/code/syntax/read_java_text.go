package syntax

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// literal writes a string, or a template where expressions lie inside.
func (j *javaFile) literal(role string, p piece) {
	if p.part("string_interpolation").valid() {
		j.over("template", role, p)
		for c := range p.parts() {
			if c.is("string_interpolation") {
				j.nodes("", c)
			} else {
				j.leaf("string", "", unescaped(c.text(), javaEscape), c.from(), c.to())
			}
		}
		j.end()
		return
	}
	text := p.text()
	if block, ok := strings.CutPrefix(text, `"""`); ok && len(block) >= 3 {
		text = unescaped(textBlock(strings.TrimSuffix(block, `"""`)), javaEscape)
	} else {
		text = unescaped(inside(text), javaEscape)
	}
	j.leaf("string", role, text, p.from(), p.to())
}

// inside is a text without its first and last byte.
func inside(s string) string {
	if len(s) < 2 {
		return ""
	}
	return s[1 : len(s)-1]
}

// textBlock takes the indentation from a text block, as the language says: what
// all lines have in common, the last one also where it is blank.
func textBlock(s string) string {
	_, s, _ = strings.Cut(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	lines := strings.Split(s, "\n")
	indent := -1
	for i, l := range lines {
		blank := strings.TrimSpace(l) == ""
		if blank && i < len(lines)-1 {
			continue
		}
		own := len(l) - len(strings.TrimLeft(l, " \t\f"))
		if indent < 0 || own < indent {
			indent = own
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l[min(len(l), max(indent, 0)):], " \t\f")
	}
	return strings.Join(lines, "\n")
}

// javaEscape writes what follows a backslash. What is not an escape stays as written.
func javaEscape(b *strings.Builder, s string) int {
	size := 1
	switch c := s[0]; {
	case c == 'u':
		return unicodeEscape(b, s)
	case c >= '0' && c <= '7':
		for size < len(s) && size < 3 && s[size] >= '0' && s[size] <= '7' {
			size++
		}
		n, _ := strconv.ParseUint(s[:size], 8, 16)
		b.WriteRune(rune(n))
	case c == '\n':
	case strings.IndexByte("btnfrs", c) >= 0:
		b.WriteByte("\b\t\n\f\r "[strings.IndexByte("btnfrs", c)])
	default:
		b.WriteByte(c)
	}
	return size
}

// unicodeEscape writes the character that s, which begins with u, stands for,
// and tells how much of s it took. Two halves of a pair make one character.
func unicodeEscape(b *strings.Builder, s string) int {
	first, size := codeUnit(s)
	if size == 0 {
		b.WriteString(`\u`)
		return 1
	}
	if utf16.IsSurrogate(first) && strings.HasPrefix(s[size:], `\u`) {
		second, more := codeUnit(s[size+1:])
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			b.WriteRune(r)
			return size + 1 + more
		}
	}
	b.WriteRune(first)
	return size
}

// codeUnit reads "uXXXX"; Java allows more than one u.
func codeUnit(s string) (r rune, size int) {
	digits := strings.TrimLeft(s, "u")
	if len(digits) < 4 || len(digits) == len(s) {
		return 0, 0
	}
	n, err := strconv.ParseUint(digits[:4], 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(n), len(s) - len(digits) + 4
}
