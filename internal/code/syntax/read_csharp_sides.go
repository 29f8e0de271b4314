package syntax

import "bytes"

// firstSides is the text of C# with only the first side of each #if, the rest and the
// directives blank, and what was taken away of it. What a build leaves out may not
// fit together with the rest: both heads of one method, a base of a class.
func firstSides(text []byte) ([]byte, []flaw) {
	out := bytes.Clone(text)
	var gone []flaw
	var sides []int // of the conditions around: which side it is
	for from := 0; from < len(text); {
		to := len(text)
		if i := bytes.IndexByte(text[from:], '\n'); i >= 0 {
			to = from + i + 1
		}
		word, directive := bytes.CutPrefix(bytes.TrimSpace(text[from:to]), []byte("#"))
		word = bytes.TrimSpace(word)
		top := len(sides) - 1
		blank := directive
		switch {
		case directive && bytes.HasPrefix(word, []byte("if")):
			sides = append(sides, 0)
		case directive && bytes.HasPrefix(word, []byte("el")) && top >= 0:
			sides[top]++
		case directive && bytes.HasPrefix(word, []byte("endif")) && top >= 0:
			sides = sides[:top]
		default:
			for _, s := range sides {
				if s > 0 && !blank {
					blank = true
					gone = append(gone, flaw{uint32(from), uint32(to)})
				}
			}
		}
		for i := from; blank && i < to; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
		from = to
	}
	return out, gone
}
