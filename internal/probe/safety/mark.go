package safety

import (
	"github.com/automaton-auditor/automaton/internal/code"
)

// mark is what a node leaves in the state when a test fails.
type mark struct {
	key   string
	truth tri    // how it counts in a condition
	text  string // the constant that it is, "" when it is none
}

// marks are what a block of a node leaves in the state: entries that it writes,
// and lists or flags that it changes and the node returns.
func (v *survey) marks(fn *code.Definition, b code.Node) []mark {
	var out []mark
	changed := map[string]mark{}
	for n := range b.WalkScope() {
		if k, value := v.stored(n); k != "" && value.Valid() {
			out = append(out, v.worth(k, value))
		}
		switch n.Kind() {
		case "assignment":
			if left := n.Field("left"); left.Is("identifier") {
				changed[left.Text()] = v.worth("", n.Field("right"))
			}
		case "augmented_assignment":
			changed[n.Field("left").Text()] = mark{truth: yes}
		case "call":
			if f := n.Field("function"); f.Is("attribute") && isOneOf(f.Field("attribute").Text(), "append", "extend", "add", "insert") {
				object := f.Field("object")
				if k := key(object); k != "" {
					out = append(out, mark{key: k, truth: yes}) // state["errors"].append(...)
				}
				changed[object.Text()] = mark{truth: yes}
			}
		}
	}
	if len(changed) == 0 {
		return out
	}
	for n := range fn.Body().WalkScope() {
		if k, value := v.stored(n); k != "" && value.Valid() {
			for x := range value.Walk() {
				m, ok := changed[x.Text()]
				if ok && x.Is("identifier") && (x == value || m.truth == yes && !value.Is("not_operator", "comparison_operator")) {
					m.key = k
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// worth is the mark that a value makes.
func (v *survey) worth(k string, n code.Node) mark {
	m := mark{key: k, truth: unsure}
	value := v.p.Eval(n)
	switch value.Kind {
	case code.ValueString:
		m.text, _ = value.Str()
		m.truth = yes // also one with unknown parts
		if text, ok := value.Str(); ok && text == "" {
			m.truth = no
		}
	case code.ValueBool, code.ValueInt:
		m.truth, m.text = no, label(value)
		if value.Int != 0 {
			m.truth = yes
		}
	case code.ValueNone:
		m.truth = no
	case code.ValueList, code.ValueTuple, code.ValueSet, code.ValueDict:
		m.truth = no
		if len(value.Items) > 0 {
			m.truth = yes
		}
	default:
		if n.Is("list", "dictionary") && n.Child(0).Valid() || n.Is("binary_operator") || n.Is("string", "concatenated_string") {
			m.truth = yes // what it holds is not known, but it holds something
		}
	}
	return m
}

// marked is a router that meets a mark.
type marked struct {
	*survey
	fn      *code.Definition
	mark    mark
	decided bool // a condition on the mark was decided
}

// returned are the expressions that the router may return with the mark set.
func (m *marked) returned() []code.Node {
	if m.fn.Kind == code.DefLambda {
		return []code.Node{m.fn.Body()}
	}
	var out []code.Node
	m.run(m.fn.Body(), &out)
	return out
}

// run collects what a block may return; open tells whether it can be left at
// its end.
func (m *marked) run(b code.Node, out *[]code.Node) (open bool) {
	for n := range b.Children() {
		switch n.Kind() {
		case "return_statement":
			*out = append(*out, n.Child(0))
			return false
		case "raise_statement":
			return false
		case "if_statement":
			if !m.choose(n, out) {
				return false
			}
		case "function_definition", "class_definition", "decorated_definition":
		default:
			for x := range n.WalkScope() {
				if x.Is("return_statement") {
					*out = append(*out, x.Child(0))
				}
			}
		}
	}
	return true
}

// choose runs the branches of an if statement that may be taken.
func (m *marked) choose(n code.Node, out *[]code.Node) (open bool) {
	for _, arm := range append([]code.Node{n}, n.Fields("alternative")...) {
		t := yes
		if !arm.Is("else_clause") {
			t = m.holds(arm.Field("condition"), 0)
		}
		if t == no {
			continue
		}
		open = m.run(block(arm), out) || open
		if t == yes {
			return open
		}
	}
	return true
}

// maxCondition bounds how deep a condition is looked into.
const maxCondition = 12

// holds is the outcome of a condition where the mark is set.
func (m *marked) holds(n code.Node, depth int) tri {
	n = n.Unparen()
	if depth > maxCondition {
		return unsure
	}
	if k := key(n); k != "" && k == m.mark.key {
		m.decided = m.decided || m.mark.truth != unsure
		return m.mark.truth
	}
	switch n.Kind() {
	case "not_operator":
		return m.holds(n.Field("argument"), depth+1).opposite()
	case "boolean_operator":
		a, b := m.holds(n.Field("left"), depth+1), m.holds(n.Field("right"), depth+1)
		if n.Field("operator").Text() == "and" {
			return min(a, b)
		}
		return max(a, b)
	case "list", "dictionary", "none", "false":
		if !n.Child(0).Valid() {
			return no
		}
	case "call":
		if c := m.p.Call(n); c != nil && c.Callee.Matches("builtins.len", "builtins.bool", "builtins.list", "builtins.any") {
			return m.holds(c.Arg("", 0), depth+1)
		}
	case "identifier":
		return m.named(n, depth)
	case "comparison_operator":
		return m.compares(n, depth)
	}
	return unsure
}

// named follows a name of the router to the one value that it gets.
func (m *marked) named(n code.Node, depth int) tri {
	var value code.Node
	for x := range m.fn.Body().WalkScope() {
		if x.Is("assignment", "named_expression") && (x.Field("left").Text() == n.Text() || x.Field("name").Text() == n.Text()) {
			if value.Valid() {
				return unsure
			}
			value = x.Field("right")
			if x.Is("named_expression") {
				value = x.Field("value")
			}
		}
	}
	if !value.Valid() {
		return unsure
	}
	return m.holds(value, depth+1)
}

// compares decides a comparison of the mark with nothing, with a constant, or
// of its length with nought.
func (m *marked) compares(n code.Node, depth int) tri {
	left, right, op := n.Child(0), n.Child(1), ""
	for _, o := range n.Fields("operators") {
		op += o.Text()
	}
	if text, ok := plain(left); ok && op == "in" && text == m.mark.key && right.Is("identifier") && m.mark.truth == yes {
		m.decided = true // "error" in state
		return yes
	}
	t := m.holds(left, depth+1)
	if t == unsure {
		return unsure
	}
	value := m.p.Eval(right)
	word := label(value)
	answer := unsure
	switch {
	case right.Is("none") && t == yes, right.Text() == "0" || right.Text() == "[]" || right.Text() == `""`:
		answer = t.opposite() // equal to nothing
	case word != "" && m.mark.text != "" && left.Kind() != "call" || word != "" && m.mark.text != "" && key(left) == m.mark.key:
		answer = no
		if word == m.mark.text {
			answer = yes
		}
	case right.Text() == "1" && op == ">=":
		return t
	}
	switch op {
	case "==", "is":
		return answer
	case "!=", "isnot", "is not", ">":
		return answer.opposite()
	}
	return unsure
}
