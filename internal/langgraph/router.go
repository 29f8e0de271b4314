package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// Limits of what is kept of one router.
const (
	maxOutcomes = 64
	maxDepth    = 24 // nesting of expressions that are looked into
)

// dest is one thing that a router returns, before the path map.
type dest struct {
	key     string // a name, a terminal, or the rendering of another constant
	send    bool
	many    bool
	selects agentgraph.Truth
	at      agentgraph.Place
}

// outcomes is what a router may return: alternatives of destinations that fire
// together.
type outcomes struct {
	sets     [][]dest
	complete bool
}

// join adds the alternatives of another expression.
func (o outcomes) join(p outcomes) outcomes {
	o.sets = append(slices.Clone(o.sets), p.sets...)
	o.complete = o.complete && p.complete
	if len(o.sets) > maxOutcomes {
		o.sets, o.complete = o.sets[:maxOutcomes], false
	}
	return o
}

// both combines every alternative of one expression with every one of another:
// what a list is made of.
func (o outcomes) both(p outcomes) outcomes {
	out := outcomes{complete: o.complete && p.complete}
	if len(o.sets) == 0 {
		out.sets = p.sets
		return out
	}
	if len(p.sets) == 0 {
		out.sets = o.sets
		return out
	}
	for _, a := range o.sets {
		for _, b := range p.sets {
			if len(out.sets) >= maxOutcomes {
				out.complete = false
				return out
			}
			out.sets = append(out.sets, append(slices.Clone(a), b...))
		}
	}
	return out
}

// unread is the outcome of an expression that cannot be read.
func unread() outcomes { return outcomes{} }

// router reads what functions that decide return.
type router struct {
	*reader
	active map[code.Node]bool
	depth  int
}

// outcomesOf reads the returns of a function; bound are what a call of it
// passes.
func (r *router) outcomesOf(d *code.Definition, binds []code.Binding) outcomes {
	out := outcomes{complete: true}
	if r.active[d.Node] || r.depth > maxDepth {
		return unread()
	}
	r.active[d.Node] = true
	r.depth++
	defer func() { delete(r.active, d.Node); r.depth-- }()
	values := d.ReturnValues()
	for _, v := range values {
		if r.p.Dead(v) {
			continue
		}
		if v.Is("return_statement") || v.Is("none") {
			out = out.join(outcomes{sets: [][]dest{{}}, complete: true})
			continue
		}
		out = out.join(r.value(v, site{binds: binds}))
	}
	if len(values) == 0 {
		out.complete = false
	}
	return out
}

// value reads an expression that a router returns.
func (r *router) value(n code.Node, s site) outcomes {
	n = n.Unparen()
	if !n.Valid() || r.depth > maxDepth {
		return unread()
	}
	r.depth++
	defer func() { r.depth-- }()
	switch n.Kind() {
	case "conditional_expression":
		return r.value(n.Child(0), s).join(r.value(n.Child(2), s))
	case "boolean_operator":
		return r.either(n, s)
	case "comparison_operator", "not_operator":
		return yesOrNo(true)
	case "list", "tuple", "set", "expression_list":
		return r.elements(n, s)
	case "list_splat":
		return r.value(n.Child(0), s)
	case "list_comprehension", "generator_expression", "set_comprehension":
		return r.comprehension(n, s)
	case "binary_operator":
		if n.Field("operator").Text() == "+" && !r.text(n, s) {
			return r.value(n.Field("left"), s).both(r.value(n.Field("right"), s))
		}
	case "named_expression":
		return r.value(n.Field("value"), s)
	case "await":
		return r.value(n.Child(0), s)
	case "call":
		return r.call(n, s)
	case "identifier":
		return r.local(n, s)
	case "subscript":
		if t := r.table(n.Field("value"), n.Field("subscript"), code.Node{}, s); len(t.sets) > 0 {
			return t
		}
	}
	return r.constant(n, s)
}

// text reports whether an expression is a string.
func (r *router) text(n code.Node, s site) bool {
	return anyString(r.eval(n, s).Choices())
}

// either reads "a or b" and "a and b": one of them. Two tests are a truth value.
func (r *router) either(n code.Node, s site) outcomes {
	left, right := n.Field("left").Unparen(), n.Field("right").Unparen()
	tests := func(m code.Node) bool { return m.Is("comparison_operator", "not_operator") }
	if tests(left) || tests(right) {
		return yesOrNo(tests(left) && tests(right))
	}
	return r.value(left, s).join(r.value(right, s))
}

// yesOrNo is the outcome of a test.
func yesOrNo(complete bool) outcomes {
	return outcomes{sets: [][]dest{{{key: "True"}}, {{key: "False"}}}, complete: complete}
}

// elements reads a list: what is in it fires together.
func (r *router) elements(n code.Node, s site) outcomes {
	out := outcomes{sets: [][]dest{{}}, complete: true}
	for c := range n.Children() {
		out = out.both(r.value(c, s))
	}
	return out
}

// comprehension reads "[... for x in xs]": all turns together when they are
// known, else one destination, many times.
func (r *router) comprehension(n code.Node, s site) outcomes {
	body := n.Field("body")
	turns, complete := r.unroll(n, s.binds)
	if complete {
		return r.each(body, n, s, turns)
	}
	return r.often(body, n, s, turns)
}

// each reads an expression in every turn of a loop that is known: all of it
// fires together. What is sent to twice is sent to many times.
func (r *router) each(body, loop code.Node, s site, turns []code.Binding) outcomes {
	out := outcomes{sets: [][]dest{{}}, complete: true}
	for _, t := range turns {
		out = out.both(r.value(body, site{fr: s.fr, binds: append(slices.Clone(s.binds), t)}))
	}
	for i := range out.sets {
		set := slices.Clone(out.sets[i])
		for k := range set {
			twice := slices.IndexFunc(set, func(d dest) bool { return d.key == set[k].key }) != k ||
				slices.ContainsFunc(set[k+1:], func(d dest) bool { return d.key == set[k].key })
			if set[k].send && twice {
				set[k].many, set[k].selects = true, max(set[k].selects, r.selects(body, loop))
			}
		}
		out.sets[i] = set
	}
	return out
}

// often reads an expression that a loop runs several times.
func (r *router) often(body, loop code.Node, s site, turns []code.Binding) outcomes {
	if len(turns) == 0 {
		turns = []code.Binding{{}}
	}
	all := outcomes{sets: [][]dest{{}}, complete: true}
	for _, t := range turns {
		all = all.both(r.value(body, site{fr: s.fr, binds: append(slices.Clone(s.binds), t)}))
	}
	set := []dest{} // turns may differ in what they choose: all of it together
	for _, s := range all.sets {
		set = append(set, s...)
	}
	for k := range set {
		set[k].many = set[k].send
		if set[k].send {
			set[k].selects = max(set[k].selects, r.selects(body, loop))
		}
	}
	all.sets = [][]dest{set}
	return all
}

// constant reads what an expression is worth.
func (r *router) constant(n code.Node, s site) outcomes {
	v := r.eval(n, s)
	out := outcomes{complete: true}
	for _, c := range v.Choices() {
		out = out.join(r.worth(c, n))
	}
	return out
}

// worth turns a value into destinations.
func (r *router) worth(v code.Value, n code.Node) outcomes {
	one := func(key string) outcomes {
		return outcomes{sets: [][]dest{{{key: key, at: placeOf(n)}}}, complete: true}
	}
	switch v.Kind {
	case code.ValueString:
		if text, ok := v.Str(); ok {
			return one(text)
		}
		return outcomes{sets: [][]dest{{{key: v.Pattern(), at: placeOf(n)}}}}
	case code.ValueNone:
		return outcomes{sets: [][]dest{{}}, complete: true}
	case code.ValueBool, code.ValueInt:
		return one(v.String())
	case code.ValueList, code.ValueTuple, code.ValueSet, code.ValueDict:
		out := outcomes{sets: [][]dest{{}}, complete: true}
		items := v.Items
		if v.Kind == code.ValueDict { // list(table)
			items = v.Keys
		}
		for _, i := range items {
			next := outcomes{complete: true}
			for _, c := range i.Choices() {
				next = next.join(r.worth(c, n))
			}
			out = out.both(next)
		}
		return out
	case code.ValueSymbol:
		if t := terminalSymbol(v.Symbol); t != "" {
			return one(t)
		}
		if v.Symbol.Node.Is("call") && r.isSend(v.Symbol.Node) {
			return r.send(v.Symbol.Node, site{})
		}
	default: // a label is made of what is known of it
	}
	if l := r.labelOf(v, n); !l.pattern {
		return one(l.text)
	}
	return unread()
}
