package langgraph

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// conditions are the conditions under which a statement runs.
type conditions struct {
	never   bool // they never hold at this site
	guarded bool
	when    []branch
}

// guards reads the conditions around a node at a site. A condition that
// depends on a loop or on what a helper was called with is computed; others
// are configuration, and what they guard counts as there.
func (r *reader) guards(n code.Node, s site) conditions {
	var c conditions
	for _, g := range r.p.Guards(n) {
		if g.Dead {
			c.never = true
			return c
		}
		switch g.Kind {
		case "if", "ternary", "and", "or", "match":
		case "except":
			c.guarded = true
			continue
		default:
			continue
		}
		if r.bindsAny(g.Condition, s) {
			switch r.holds(g.Condition, s, 0) {
			case truth(!g.Negated):
				continue
			case truth(g.Negated):
				c.never = true
				return c
			default: // not resolved
			}
		}
		c.guarded = true
		c.when = append(c.when, branch{at: placeOf(g.Condition), negated: g.Negated, value: r.configured(g.Condition)})
	}
	if r.skipped(n, s) {
		c.never = true
	}
	return c
}

// configured is the truth of a condition with constants, parameter defaults and
// what all callers pass.
func (r *reader) configured(n code.Node) Truth {
	d := r.p.Enclosing(n)
	if d == nil || !r.parametric(n, d) {
		return r.holds(n, site{}, 0)
	}
	var out Truth
	for i, f := range r.framesAt(d, 0) {
		s := site{fr: f}
		switch {
		case f != nil:
			s.binds = []code.Binding{f.bind}
		default:
			bind := code.Binding{}
			for _, p := range d.Params() {
				if p.Default.Valid() {
					bind[p.Name] = r.p.Eval(p.Default)
				}
			}
			s.binds = []code.Binding{bind}
		}
		now := r.holds(n, s, 0)
		if i > 0 && now != out {
			return Unknown
		}
		out = now
	}
	return out
}

// bindsAny reports whether a condition names something bound at the site.
func (r *reader) bindsAny(n code.Node, s site) bool {
	names := map[string]bool{}
	for _, b := range s.binds {
		for name := range b {
			names[name] = true
		}
	}
	return mentions(n, names)
}

// skipped reports whether a "continue" before the node surely runs in this
// turn of its loop.
func (r *reader) skipped(n code.Node, s site) bool {
	statement := n.Statement()
	for sibling := range statement.Parent().Children() {
		if sibling == statement {
			return false
		}
		if !sibling.Is("if_statement") || !sibling.Field("consequence").Child(0).Is("continue_statement") {
			continue
		}
		if c := sibling.Field("condition"); r.bindsAny(c, s) && r.holds(c, s, 0) == Yes {
			return true
		}
	}
	return false
}

// holds computes a condition at a site.
func (r *reader) holds(n code.Node, s site, depth int) Truth {
	n = n.Unparen()
	if depth > 10 {
		return Unknown
	}
	switch n.Kind() {
	case "not_operator":
		return not(r.holds(n.Field("argument"), s, depth+1))
	case "boolean_operator":
		a, b := r.holds(n.Field("left"), s, depth+1), r.holds(n.Field("right"), s, depth+1)
		if n.Field("operator").Text() == "and" {
			return and(a, b)
		}
		return not(and(not(a), not(b)))
	case "comparison_operator":
		return r.compare(n, s)
	case "call":
		return r.affix(n, s)
	default:
		return truthy(r.eval(n, s))
	}
}

// and combines two truths.
func and(a, b Truth) Truth {
	switch {
	case a == No || b == No:
		return No
	case a == Yes && b == Yes:
		return Yes
	default:
		return Unknown
	}
}

// truthy is the truth of a value in a condition.
func truthy(v code.Value) Truth {
	switch v.Kind {
	case code.ValueNone:
		return No
	case code.ValueBool, code.ValueInt:
		return truth(v.Int != 0)
	case code.ValueString:
		if v.Const() {
			return truth(v.Text != "")
		}
	case code.ValueSymbol:
		if thing(v) {
			return Yes
		}
	case code.ValueList, code.ValueTuple, code.ValueDict, code.ValueSet:
		if v.Const() {
			return truth(len(v.Items) > 0)
		}
	default: // nothing is known of it
	}
	return Unknown
}

// thing reports whether a value is a function, class or terminal, and so
// surely not None. What a call returns is not.
func thing(v code.Value) bool {
	return v.Kind == code.ValueSymbol && (v.Symbol.Def != nil && !v.Symbol.Instance || terminalSymbol(v.Symbol) != "")
}

// compare computes a comparison of two values that are fully known.
func (r *reader) compare(n code.Node, s site) Truth {
	operators := n.Fields("operators")
	var operands []code.Value
	for c := range n.Children() {
		operands = append(operands, r.eval(c, s))
	}
	if len(operands) != 2 || len(operators) == 0 {
		return Unknown
	}
	a, b := operands[0], operands[1]
	var words []string
	for _, o := range operators {
		words = append(words, o.Text())
	}
	switch op := strings.Join(words, " "); op {
	case "==", "is":
		return same(a, b)
	case "!=", "is not":
		return not(same(a, b))
	case "in":
		return contains(b, a)
	case "not in":
		return not(contains(b, a))
	default:
		return Unknown
	}
}

// same compares two values.
func same(a, b code.Value) Truth {
	if thing(a) && b.Kind == code.ValueNone || a.Kind == code.ValueNone && thing(b) {
		return No
	}
	if !a.Const() || !b.Const() {
		return Unknown
	}
	return truth(a.String() == b.String())
}

// contains reports whether a collection or string holds a value.
func contains(in, v code.Value) Truth {
	if text, ok := in.Str(); ok {
		if part, ok := v.Str(); ok {
			return truth(strings.Contains(text, part))
		}
		return Unknown
	}
	items := in.Items
	switch in.Kind {
	case code.ValueDict:
		items = in.Keys
	case code.ValueList, code.ValueTuple, code.ValueSet:
	default:
		return Unknown
	}
	out := No
	for _, i := range items {
		switch same(i, v) {
		case Yes:
			return Yes
		case Unknown:
			out = Unknown
		case No:
		}
	}
	return out
}

// affix computes startswith and endswith of known strings.
func (r *reader) affix(n code.Node, s site) Truth {
	function := n.Field("function")
	text, ok := r.eval(function.Field("object"), s).Str()
	part, known := r.eval(n.Field("arguments").Child(0), s).Str()
	if !function.Is("attribute") || !ok || !known {
		return truthy(r.eval(n, s))
	}
	switch function.Field("attribute").Text() {
	case "startswith":
		return truth(strings.HasPrefix(text, part))
	case "endswith":
		return truth(strings.HasSuffix(text, part))
	default:
		return truthy(r.eval(n, s))
	}
}
