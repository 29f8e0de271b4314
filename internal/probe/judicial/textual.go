package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// prose are words of names of fields that hold sentences. What a model writes
// into such a field does not make the object's numbers the model's.
var prose = []string{"summary", "narrative", "rationale", "reasoning", "argument", "explanation", "comment", "comments", "note", "notes",
	"text", "prose", "advice", "remediation", "title", "description", "introduction", "conclusion", "markdown", "recommendation", "recommendations"}

// writing are methods whose result is a text, whatever they are given.
var writing = []string{"join", "format", "strip", "rstrip", "lstrip", "lower", "upper", "title", "format_map", "read_text", "model_dump_json"}

// maxTextual bounds how far a text is followed.
const maxTextual = 4

// textual reports whether an expression is surely a text: such a thing is no
// score, whatever its name and whatever was written into it.
func (b *bench) textual(n code.Node, depth int) bool {
	n = n.Unparen()
	if depth > maxTextual || !n.Valid() {
		return false
	}
	switch n.Kind() {
	case "string", "concatenated_string":
		return true
	case "binary_operator": // a number cannot be added to a text
		op := n.Field("operator").Text()
		return op == "+" && (b.textual(n.Field("left"), depth+1) || b.textual(n.Field("right"), depth+1)) ||
			op == "%" && b.textual(n.Field("left"), depth+1)
	case "conditional_expression":
		return b.textual(n.Child(0), depth+1) && b.textual(n.Child(2), depth+1)
	case "identifier":
		return b.textualName(n, depth)
	case "call":
		return b.textualCall(n, depth)
	}
	return false
}

// textualName reports whether a local name is only ever given texts.
func (b *bench) textualName(n code.Node, depth int) bool {
	found := false
	for _, s := range b.marks.settings(n) {
		if !s.node.Is("assignment", "augmented_assignment") || !s.node.Field("left").Is("identifier") || !b.textual(s.value, depth+1) {
			return false
		}
		found = true
	}
	return found
}

// textualCall covers str(), the methods of texts, and first-party functions
// that say, or show, that they return texts.
func (b *bench) textualCall(n code.Node, depth int) bool {
	c := b.p.Call(n)
	if c == nil {
		return false
	}
	if d := c.Callee.Def; d != nil {
		if !d.IsFunction() {
			return false
		}
		if onlyTexts(d.Node.Field("return_type").Text()) {
			return true
		}
		vs := d.ReturnValues()
		return len(vs) > 0 && !slices.ContainsFunc(vs, func(v code.Node) bool { return !b.textual(v, depth+1) })
	}
	if n.Field("function").Is("attribute") {
		return slices.Contains(writing, c.Name)
	}
	return c.Name == "str" || c.Name == "repr"
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
