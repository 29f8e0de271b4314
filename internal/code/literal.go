package code

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Literal is the text of a string literal without holes, adjacent literals joined.
func (n Node) Literal() (string, bool) {
	n = n.Unparen()
	switch n.Kind() {
	case "concatenated_string":
		var b strings.Builder
		for c := range n.Children() {
			text, ok := c.Literal()
			if !ok {
				return "", false
			}
			b.WriteString(text)
		}
		return b.String(), true
	case "string":
		if !isBytes(n) && !n.child("interpolation").Valid() {
			return literalText(n), true
		}
	}
	return "", false
}

// literalText decodes the constant text of a string literal.
func literalText(n Node) string {
	raw, format := stringPrefix(n)
	var b strings.Builder
	for c := range n.All() {
		if c.Is("string_content") {
			b.WriteString(Unescaped(c.Text(), raw, format))
		}
	}
	return b.String()
}

// stringPrefix reads the letters before the quote.
func stringPrefix(n Node) (raw, format bool) {
	prefix := strings.ToLower(strings.TrimRight(n.child("string_start").Text(), `"'`))
	return strings.Contains(prefix, "r"), strings.ContainsAny(prefix, "ft")
}

func isBytes(n Node) bool {
	return strings.ContainsAny(strings.TrimRight(n.child("string_start").Text(), `"'`), "bB")
}

// Unescaped decodes the escapes of a string literal, and doubled braces in a format
// string.
func Unescaped(text string, raw, format bool) string {
	if format {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "{{", "{"), "}}", "}")
	}
	if raw || strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			i++
			continue
		}
		decoded, n := escape(text[i:])
		b.WriteString(decoded)
		i += n
	}
	return b.String()
}

// escape decodes the escape sequence at the start of s and returns its length.
// What Python does not know stays as it is.
func escape(s string) (string, int) {
	const simple = `\\'"a` + "\a" + `b` + "\b" + `f` + "\f" + `n` + "\n" + `r` + "\r" + `t` + "\t" + `v` + "\v"
	switch c := s[1]; c {
	case '\n':
		return "", 2
	case '\\', '\'', '"':
		return s[1:2], 2
	case 'a', 'b', 'f', 'n', 'r', 't', 'v':
		i := strings.IndexByte(simple[4:], c) + 4
		return simple[i+1 : i+2], 2
	case 'x':
		return codePoint(s, 2)
	case 'u':
		return codePoint(s, 4)
	case 'U':
		return codePoint(s, 8)
	case 'N':
		if i := strings.IndexByte(s, '}'); i > 0 {
			return "\uFFFD", i + 1
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := 2
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
			n++
		}
		v, err := strconv.ParseUint(s[1:n], 8, 32)
		if err == nil {
			return string(rune(v)), n
		}
	}
	_, size := utf8.DecodeRuneInString(s[1:])
	return s[:1+size], 1 + size
}

// codePoint decodes an escape of a fixed number of hexadecimal digits.
func codePoint(s string, digits int) (string, int) {
	if len(s) >= 2+digits {
		if v, err := strconv.ParseUint(s[2:2+digits], 16, 32); err == nil && utf8.ValidRune(rune(v)) {
			return string(rune(v)), 2 + digits
		}
	}
	return s[:2], 2
}

// Number is the number of a literal.
func (n Node) Number() (float64, bool) {
	n = n.Unparen()
	text := strings.ReplaceAll(n.Text(), "_", "")
	switch n.Kind() {
	case "integer":
		i, err := strconv.ParseInt(text, 0, 64)
		return float64(i), err == nil
	case "float":
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	}
	return 0, false
}
