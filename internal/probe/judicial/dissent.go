package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var dissentWords = regexp.MustCompile(`(?i)dissent|disagree|minority|diverg|conflict(ing)? (between|among|opinion|view)|high variance|contested`)

// minDissent is the fewest words of a text on disagreement: fewer are a label.
const minDissent = 3

// dissents lists the texts on the judges' disagreement that the chief's code
// builds and that reach a result.
func (b *bench) dissents() []code.Node {
	var out []code.Node
	for _, d := range b.chief.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().WalkScope() {
			if dissent(n) && !b.deads.never(n) && !b.always(n) && b.lands(n, 0, map[code.Node]bool{}) {
				out = append(out, n)
			}
		}
	}
	if slices.ContainsFunc(out, b.apart) {
		out = slices.DeleteFunc(out, func(n code.Node) bool { return !b.apart(n) })
	}
	return append(out, b.drafted("dissent", "disagreement")...)
}

// always reports whether a text is a constant that is there whatever the
// judges said: it may point at dissent, but tells of none.
func (b *bench) always(n code.Node) bool {
	if !n.Is("string") || len(b.p.Guards(n)) > 0 || n.Parent().Is("binary_operator", "concatenated_string", "attribute") {
		return false
	}
	for c := range n.Walk() {
		if c.Is("interpolation") || c.Is("string_content") && strings.ContainsAny(c.Text(), "{%") {
			return false
		}
	}
	return true
}

// apart reports whether a node stands under a condition on how far the scores
// are apart: of several texts those are the ones on dissent.
func (b *bench) apart(n code.Node) bool {
	return slices.ContainsFunc(b.p.Guards(n), func(g code.Guard) bool { return says(g) && b.weighs.condition(g.Condition)&spread != 0 })
}

// dissent recognises a text on the disagreement: by its words, or by the name
// that it is given.
func dissent(n code.Node) bool {
	switch n.Kind() {
	case "string":
		return dissentWords.MatchString(contents(n)) && len(split(spoken(n))) >= minDissent && !isDoc(n) && !n.Parent().Is("comparison_operator")
	case "assignment", "augmented_assignment":
		right := n.Field("right")
		if right.Is("string") && strings.TrimSpace(contents(right)) == "" { // where a text may come
			return false
		}
		return has(split(last(n.Field("left"))), "dissent", "dissents", "disagreement") && right.Is("call", "string", "concatenated_string", "binary_operator", "conditional_expression", "parenthesized_expression") &&
			n.Field("left").Is("identifier", "attribute")
	}
	return false
}

// isDoc reports whether a string is a statement of its own: a docstring or a
// text commented out.
func isDoc(n code.Node) bool {
	p := n.Parent()
	if p.Is("concatenated_string") {
		p = p.Parent()
	}
	return p.Is("expression_statement", "block", "module")
}

// maxLands bounds how far a text is followed.
const maxLands = 10

// silent are calls that only tell people who watch the program.
var silent = []string{"print", "debug", "info", "warning", "error", "exception", "critical", "log"}

// lands reports whether a value is used for more than messages: it is
// returned, stored or handed on, as far as that can be followed.
func (b *bench) lands(n code.Node, depth int, seen map[code.Node]bool) bool {
	if depth > maxLands || seen[n] {
		return false
	}
	seen[n] = true
	if n.Is("assignment", "augmented_assignment") {
		return b.stored(n, depth, seen)
	}
	below := n
	for a := range n.Around() {
		switch a.Kind() {
		case "call":
			f := a.Field("function")
			switch {
			case f == below || f.Contains(below): // a method of the value
			case slices.Contains(silent, last(a)), a.Parent().Is("raise_statement"):
				return false
			case f.Is("attribute") && slices.Contains([]string{"append", "extend", "insert", "add"}, f.Field("attribute").Text()):
				return b.readLater(f.Field("object"), a, depth, seen)
			case slices.Contains([]string{"len", "bool", "any", "all", "isinstance"}, last(a)):
				return false
			default:
				if c := b.p.Call(a); c != nil && c.Callee.Def != nil && c.Callee.Def.IsFunction() {
					break // what it returns is followed on
				}
				if f.Is("attribute") && slices.Contains([]string{"join", "format", "strip", "replace", "get"}, f.Field("attribute").Text()) || last(a) == "str" {
					break
				}
				return true
			}
		case "assignment", "augmented_assignment", "named_expression":
			return b.stored(a, depth, seen)
		case "return_statement", "yield":
			return b.returnedTo(a, depth, seen)
		case "lambda":
			return true
		case "raise_statement":
			return false
		case "if_statement", "while_statement", "elif_clause":
			if a.Field("condition") == below {
				return false
			}
			return false
		case "expression_statement", "block", "function_definition", "for_statement":
			return false
		}
		below = a
	}
	return false
}

// stored follows a value into what it is assigned to.
func (b *bench) stored(a code.Node, depth int, seen map[code.Node]bool) bool {
	left := a.Field("left")
	if !left.Valid() {
		left = a.Field("name")
	}
	if left.Is("attribute", "subscript") {
		if root := left; root.Is("subscript") && root.Field("value").Is("identifier") && root.Field("value").Text() != "state" {
			return b.readLater(root.Field("value"), a, depth, seen)
		}
		return true
	}
	for _, name := range targets(left) {
		if b.read(name, a, depth, seen) {
			return true
		}
	}
	return false
}

func (b *bench) readLater(object, at code.Node, depth int, seen map[code.Node]bool) bool {
	if !object.Is("identifier") {
		return true // a container that lives outside
	}
	return b.read(object.Text(), at, depth, seen)
}

// read reports whether some use of a name in the function lands.
func (b *bench) read(name string, at code.Node, depth int, seen map[code.Node]bool) bool {
	d := b.p.Enclosing(at)
	if d == nil {
		return false
	}
	for n := range d.Body().Walk() {
		if !n.Is("identifier") || n.Text() != name || n.FieldName() == "name" && n.Parent().Is("keyword_argument") ||
			n.FieldName() == "left" || n.FieldName() == "attribute" || at.Contains(n) {
			continue
		}
		if n.FieldName() == "object" && n.Parent().Is("attribute") && slices.Contains([]string{"append", "extend", "insert", "add"}, n.Parent().Field("attribute").Text()) {
			continue
		}
		if b.lands(n, depth+1, seen) {
			return true
		}
	}
	return false
}

// returnedTo follows a returned value to the calls of its function; a root of
// the room returns to the graph.
func (b *bench) returnedTo(ret code.Node, depth int, seen map[code.Node]bool) bool {
	d := b.p.Enclosing(ret)
	if d == nil || slices.Contains(b.chief.roots, d) || d.Name == "__call__" {
		return true
	}
	for _, c := range b.p.Callers(d) {
		if b.chief.holds(c.Func) && b.lands(c.Node, depth+1, seen) {
			return true
		}
	}
	return d.Kind == code.DefMethod && len(b.p.Callers(d)) == 0
}
