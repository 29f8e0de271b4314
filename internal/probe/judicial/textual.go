package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// prose are words of names of fields that hold sentences. What a model writes
// into such a field does not make the object's numbers the model's.
var prose = []string{"summary", "narrative", "rationale", "reasoning", "argument", "explanation", "comment", "comments", "note", "notes",
	"text", "prose", "advice", "remediation", "title", "description", "introduction", "conclusion", "markdown", "recommendation", "recommendations"}

// writing are methods whose result is a text, whatever they are given.
var writing = []string{"join", "format", "strip", "rstrip", "lstrip", "lower", "upper", "title", "format_map", "read_text", "model_dump_json", "str", "repr"}

// textual reports whether an expression is surely a text: such a thing is no
// score, whatever its name and whatever was written into it.
func (b *bench) textual(n code.Node) bool {
	v, ok := intree.Value(b.il.Analyses, n)
	if !ok {
		return n.Is("string", "concatenated_string")
	}
	shapes := b.il.Values.Shapes(v.Function, v.Operand, v.Use)
	return len(shapes) > 0 && !slices.ContainsFunc(shapes, func(s analyse.Shape) bool {
		if s.Kind != analyse.Single || len(s.Parts) != 1 {
			return s.Kind != analyse.Text
		}
		p := s.Parts[0]
		def := p.In.Def(p.In.Root(p.Of))
		if def == nil || def.Op != il.Call {
			return true
		}
		if g := b.il.callee(p.In, def); g != nil {
			return len(g.Results) != 1 || !onlyTexts(g.Results[0])
		}
		return !slices.Contains(writing, lastName(def))
	})
}

// onlyTexts reports whether what a function says to return is texts, or nothing:
// str, tuple[str, str] | None.
func onlyTexts(returns string) bool {
	some := false
	for _, w := range strings.FieldsFunc(returns, func(r rune) bool { return strings.ContainsRune("[](),.| \t\n\"'", r) }) {
		switch w {
		case "str":
			some = true
		case "tuple", "Tuple", "list", "List", "Optional", "Union", "typing", "None":
		default:
			return false
		}
	}
	return some
}
