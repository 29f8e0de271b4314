package langgraph

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// conditions are the conditions under which a statement runs.
type conditions struct {
	never   bool // they never hold at this site
	guarded bool
	when    []agentgraph.Branch
}

// guards reads the conditions around a node at a site. A condition that
// depends on a loop or on what a helper was called with is computed; others
// are configuration, and what they guard counts as there.
func (r *reader) guards(n code.Node, s site) conditions {
	var c conditions
	if r.p.Dead(n) {
		c.never = true
		return c
	}
	for _, g := range r.p.Guards(n) {
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
			case agentgraph.Decided(!g.Negated):
				continue
			case agentgraph.Decided(g.Negated):
				c.never = true
				return c
			default: // not resolved
			}
		}
		c.guarded = true
		c.when = append(c.when, agentgraph.Branch{At: placeOf(g.Condition), Negated: g.Negated, Value: r.configured(g.Condition)})
	}
	if r.skipped(n, s) {
		c.never = true
	}
	return c
}

// configured is the truth of a condition with constants, parameter defaults and
// what all callers pass.
func (r *reader) configured(n code.Node) agentgraph.Truth {
	d := r.p.Enclosing(n)
	if d == nil || !r.parametric(n, d) {
		return r.holds(n, site{}, 0)
	}
	var out agentgraph.Truth
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
			return agentgraph.Unknown
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
		if c := sibling.Field("condition"); r.bindsAny(c, s) && r.holds(c, s, 0) == agentgraph.Yes {
			return true
		}
	}
	return false
}

// holds computes a condition at a site.
func (r *reader) holds(n code.Node, s site, depth int) agentgraph.Truth {
	n = n.Unparen()
	if depth > 10 {
		return agentgraph.Unknown
	}
	switch n.Kind() {
	case "not_operator":
		return r.holds(n.Field("argument"), s, depth+1).Not()
	case "boolean_operator":
		a, b := r.holds(n.Field("left"), s, depth+1), r.holds(n.Field("right"), s, depth+1)
		if n.Field("operator").Text() == "and" {
			return and(a, b)
		}
		return and(a.Not(), b.Not()).Not()
	case "comparison_operator":
		return r.compare(n, s)
	case "call":
		return r.affix(n, s)
	default:
		return truthy(r.eval(n, s))
	}
}

// and combines two truths.
func and(a, b agentgraph.Truth) agentgraph.Truth {
	switch {
	case a == agentgraph.No || b == agentgraph.No:
		return agentgraph.No
	case a == agentgraph.Yes && b == agentgraph.Yes:
		return agentgraph.Yes
	default:
		return agentgraph.Unknown
	}
}

// truthy is the truth of a value in a condition.
func truthy(v code.Value) agentgraph.Truth {
	switch v.Kind {
	case code.ValueNone:
		return agentgraph.No
	case code.ValueBool, code.ValueInt:
		return agentgraph.Decided(v.Int != 0)
	case code.ValueString:
		if v.Const() {
			return agentgraph.Decided(v.Text != "")
		}
	case code.ValueSymbol:
		if thing(v) {
			return agentgraph.Yes
		}
	case code.ValueList, code.ValueTuple, code.ValueDict, code.ValueSet:
		if v.Const() {
			return agentgraph.Decided(len(v.Items) > 0)
		}
	default: // nothing is known of it
	}
	return agentgraph.Unknown
}

// thing reports whether a value is a function, class or terminal, and so
// surely not None. What a call returns is not.
func thing(v code.Value) bool {
	return v.Kind == code.ValueSymbol && (v.Symbol.Def != nil && !v.Symbol.Instance || terminalSymbol(v.Symbol) != "")
}

// compare computes a comparison of two values that are fully known.
func (r *reader) compare(n code.Node, s site) agentgraph.Truth {
	operators := n.Fields("operators")
	var operands []code.Value
	for c := range n.Children() {
		operands = append(operands, r.eval(c, s))
	}
	if len(operands) != 2 || len(operators) == 0 {
		return agentgraph.Unknown
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
		return same(a, b).Not()
	case "in":
		return contains(b, a)
	case "not in":
		return contains(b, a).Not()
	default:
		return agentgraph.Unknown
	}
}

// same compares two values.
func same(a, b code.Value) agentgraph.Truth {
	if thing(a) && b.Kind == code.ValueNone || a.Kind == code.ValueNone && thing(b) {
		return agentgraph.No
	}
	if !a.Const() || !b.Const() {
		return agentgraph.Unknown
	}
	return agentgraph.Decided(a.String() == b.String())
}

// contains reports whether a collection or string holds a value.
func contains(in, v code.Value) agentgraph.Truth {
	if text, ok := in.Str(); ok {
		if part, ok := v.Str(); ok {
			return agentgraph.Decided(strings.Contains(text, part))
		}
		return agentgraph.Unknown
	}
	items := in.Items
	switch in.Kind {
	case code.ValueDict:
		items = in.Keys
	case code.ValueList, code.ValueTuple, code.ValueSet:
	default:
		return agentgraph.Unknown
	}
	out := agentgraph.No
	for _, i := range items {
		switch same(i, v) {
		case agentgraph.Yes:
			return agentgraph.Yes
		case agentgraph.Unknown:
			out = agentgraph.Unknown
		case agentgraph.No:
		}
	}
	return out
}

// affix computes startswith and endswith of known strings.
func (r *reader) affix(n code.Node, s site) agentgraph.Truth {
	function := n.Field("function")
	text, ok := r.eval(function.Field("object"), s).Str()
	part, known := r.eval(n.Field("arguments").Child(0), s).Str()
	if !function.Is("attribute") || !ok || !known {
		return truthy(r.eval(n, s))
	}
	switch function.Field("attribute").Text() {
	case "startswith":
		return agentgraph.Decided(strings.HasPrefix(text, part))
	case "endswith":
		return agentgraph.Decided(strings.HasSuffix(text, part))
	default:
		return truthy(r.eval(n, s))
	}
}
