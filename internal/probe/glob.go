package probe

import (
	"fmt"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// maxGlob bounds a pattern, in bytes.
const maxGlob = 512

// Glob compiles a pattern for paths relative to the repository root: "*" and
// "?" stay within one component, "**" crosses them, "[a-z]" is a class and
// "{a,b}" a choice. Case does not matter, as it does not for the paths that
// people write.
func Glob(pattern string) (*regexp.Regexp, error) {
	if pattern == "" || len(pattern) > maxGlob {
		return nil, fmt.Errorf("reading glob %q: between 1 and %d bytes are allowed", pattern[:min(len(pattern), 60)], maxGlob)
	}
	var b strings.Builder
	b.WriteString(`(?is)^`)
	depth := 0
	p := strings.TrimPrefix(pattern, "./")
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case strings.HasPrefix(p[i:], "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(p[i:], "**"):
			b.WriteString(`.*`)
			i++
		case c == '*':
			b.WriteString(`[^/]*`)
		case c == '?':
			b.WriteString(`[^/]`)
		case c == '[' && strings.IndexByte(p[i:], ']') > 1:
			end := i + strings.IndexByte(p[i:], ']')
			class := strings.NewReplacer(`\`, `\\`, `[`, `\[`).Replace(p[i+1 : end])
			if rest, ok := strings.CutPrefix(class, "!"); ok {
				class = "^" + rest
			}
			b.WriteString("[" + class + "]")
			i = end
		case c == '{':
			depth++
			b.WriteString(`(?:`)
		case c == '}' && depth > 0:
			depth--
			b.WriteString(`)`)
		case c == ',' && depth > 0:
			b.WriteString(`|`)
		default:
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		}
	}
	b.WriteString(strings.Repeat(`)`, depth) + `$`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, fmt.Errorf("reading glob %q: %w", pattern, err)
	}
	return re, nil
}
