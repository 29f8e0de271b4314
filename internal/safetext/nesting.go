package safetext

// Nesting is how deep the brackets outside of strings nest in JSON, whether or
// not they match; it stops counting one beyond most.
func Nesting(raw []byte, most int) int {
	deep, deepest, quoted := 0, 0, false
	for i := 0; i < len(raw) && deepest <= most; i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			deep++
			deepest = max(deepest, deep)
		case c == '}' || c == ']':
			deep--
		}
	}
	return deepest
}
