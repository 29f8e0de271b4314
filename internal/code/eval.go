package code

import "slices"

// maxItems bounds the elements of a container that evaluation builds.
const maxItems = 4096

// Eval computes what an expression is worth where it is written, as far as it
// is known without running anything. Parameters are worth what the call sites
// pass, for production code those outside tests, examples and documents. Names are looked up first in the
// bindings, the last one first.
func (p *Program) Eval(n Node, with ...Binding) Value {
	keep := len(with) == 0 && n.Valid()
	if keep {
		if known, ok := n.m.evaluated.get(n); ok {
			return known
		}
	}
	q := p.query()
	q.bindWith(with, n)
	v := q.eval(n)
	if keep {
		n.m.evaluated.put(n, v)
	}
	return v
}

// bindWith makes bindings hold for the names of the scope in which n stands.
func (q *query) bindWith(with []Binding, n Node) {
	q.limit = maxEvalSteps
	q.env, q.envScope = with, q.p.Enclosing(n)
}

// eval computes an expression.
func (q *query) eval(n Node) Value {
	n = n.Unparen()
	if len(q.env) == 0 {
		if v, ok := q.worth[n]; ok {
			return v
		}
	}
	a := activity{node: n, name: "="}
	if !n.Valid() || !q.enter(a) {
		return unknown(n)
	}
	defer q.leave()
	hits := q.hits
	v := q.evalKind(n)
	if q.hits == hits && len(q.env) == 0 {
		if q.worth == nil {
			q.worth = map[Node]Value{}
		}
		q.worth[n] = v
	}
	return v
}

func (q *query) evalKind(n Node) Value {
	switch n.Kind() {
	case "string":
		return q.stringValue(n)
	case "concatenated_string":
		return q.concatenated(n)
	case "integer", "float":
		switch x, ok := n.Number(); {
		case ok && n.Is("integer"):
			return intValue(int64(x), n)
		case ok:
			return Value{Kind: ValueFloat, Float: x, Node: n}
		}
		return unknown(n)
	case "true", "false":
		return boolValue(n.Is("true"), n)
	case "none":
		return Value{Kind: ValueNone, Node: n}
	case "list":
		return q.container(ValueList, n)
	case "tuple", "expression_list", "pattern_list":
		return q.container(ValueTuple, n)
	case "set":
		return q.container(ValueSet, n)
	case "dictionary":
		return q.dictionary(n)
	case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension":
		return q.comprehension(n)
	}
	return q.evalCompound(n)
}

// evalCompound computes names, operators and calls.
func (q *query) evalCompound(n Node) Value {
	switch n.Kind() {
	case "identifier":
		return q.nameValue(n)
	case "attribute":
		return q.attributeValue(n)
	case "subscript":
		if v, ok := q.elementValue(n); ok {
			return v
		}
		return q.symbolic(n)
	case "call":
		return q.callValue(n)
	case "binary_operator":
		return q.operate(n.Field("operator").Text(), q.eval(n.Field("left")), q.eval(n.Field("right")), n)
	case "unary_operator":
		return q.unary(n)
	case "not_operator", "comparison_operator":
		if truth, known := q.condition(n); known {
			return boolValue(truth, n)
		}
	case "boolean_operator":
		return q.boolean(n)
	case "conditional_expression":
		if truth, known := q.condition(n.Child(1)); known {
			if truth {
				return q.eval(n.Child(0))
			}
			return q.eval(n.Child(2))
		}
		return choice([]Value{q.eval(n.Child(0)), q.eval(n.Child(2))}, n)
	case "named_expression":
		return q.eval(n.Field("value"))
	case "await":
		return q.eval(n.Child(0))
	case "lambda":
		return q.symbolic(n)
	}
	return unknown(n)
}

// symbolic is the value of an expression that stands for a definition or an
// external thing.
func (q *query) symbolic(n Node) Value {
	var out []Value
	for _, s := range q.expr(n) {
		out = append(out, q.symbolValue(s, n))
	}
	return choice(out, n)
}

// symbolValue is the value of a symbol: itself, or for a variable what it was
// assigned.
func (q *query) symbolValue(s Symbol, n Node) Value {
	switch {
	case s.plain():
		if s.Node.Valid() && s.Node != n && literalType(s.Node) != "" {
			return q.eval(s.Node)
		}
	case s.Def != nil || s.Module != nil || s.place.found || s.External:
		if s.Known() {
			return symbolValue(s, n)
		}
	case s.Node.Valid():
		if v := q.eval(s.Node); v.Kind != ValueUnknown {
			return v
		}
		if s.Known() && s.Node.Is("call") && (s.Instance || q.functionalClass(s.Node)) {
			return symbolValue(s, n)
		}
	}
	return unknown(n)
}

// container evaluates a display of elements.
func (q *query) container(kind ValueKind, n Node) Value {
	v := Value{Kind: kind, Node: n}
	for c := range n.Children() {
		if !c.Is("list_splat") {
			v.Items = append(v.Items, q.eval(c))
		} else if items, complete := q.iterate(c.Child(0)); complete || (Value{Items: items}).open() {
			v.Items = append(v.Items, items...)
		} else {
			v.Items = append(v.Items, Value{Node: c.Child(0), Rest: true})
		}
		if len(v.Items) > maxItems || q.spent() {
			q.hits++
			return unknown(n)
		}
	}
	return v
}

// dictionary evaluates a dict display; a later key wins when asked for.
func (q *query) dictionary(n Node) Value {
	v := Value{Kind: ValueDict, Node: n}
	for c := range n.Children() {
		switch c.Kind() {
		case "pair":
			v.Keys = append(v.Keys, q.eval(c.Field("key")))
			v.Items = append(v.Items, q.eval(c.Field("value")))
		case "dictionary_splat":
			inner := q.eval(c.Child(0))
			if inner.Kind == ValueDict {
				v.Keys = append(v.Keys, inner.Keys...)
				v.Items = append(v.Items, inner.Items...)
				continue
			}
			rest := Value{Node: c.Child(0), Rest: true}
			v.Keys, v.Items = append(v.Keys, rest), append(v.Items, rest)
		}
		if len(v.Items) > maxItems || q.spent() {
			q.hits++
			return unknown(n)
		}
	}
	return v
}

// nameValue evaluates a name: the iteration's binding, else the assignments
// that may be in force.
func (q *query) nameValue(n Node) Value {
	name := n.Text()
	bs, scope := q.p.lookup(name, n)
	if scope == q.envScope {
		for _, turn := range slices.Backward(q.env) {
			if v, ok := turn[name]; ok {
				return v
			}
		}
	}
	if len(bs) == 0 {
		return q.symbolic(n)
	}
	var out []Value
	for _, b := range bs {
		if q.spent() {
			q.hits++
			return unknown(n)
		}
		if b.kind == bindAnnotate && len(bs) > 1 || b.kind == bindAugment {
			continue
		}
		out = append(out, q.bindingValue(b, scope, name, n))
	}
	return q.mutated(choice(out, n), name, scope, n)
}

// bindingValue evaluates one binding of a name.
func (q *query) bindingValue(b binding, scope *Definition, name string, n Node) Value {
	switch b.kind {
	case bindAssign:
		if len(b.path) > 0 {
			return choice(q.unpack(b, false), n)
		}
		v := q.eval(b.value)
		if v.Kind != ValueUnknown {
			return v
		}
	case bindFor:
		if vs := q.unpack(b, true); len(vs) > 0 {
			return choice(vs, n)
		}
		return unknown(n)
	case bindParam:
		if v := q.paramValue(scope, name, n); v.Kind != ValueUnknown {
			return v
		}
	default: // what these bind is resolved below
	}
	var out []Value
	for _, s := range q.binding(b, scope, name) {
		if s.Node == b.value && !s.External && s.Def == nil && b.kind == bindAssign {
			if b.value.Is("call") && q.functionalClass(b.value) {
				out = append(out, symbolValue(s, n))
			}
			continue // its value was looked at above
		}
		out = append(out, q.symbolValue(s, n))
	}
	return choice(out, n)
}

// paramValue evaluates a parameter whose every call site passes the same
// constant, or that no call fills and that has a default.
func (q *query) paramValue(fn *Definition, name string, n Node) Value {
	position, p, ok := fn.param(name)
	if !ok || p.Star > 0 {
		return unknown(n)
	}
	if q.hops >= maxHops {
		q.hits++
		return unknown(n)
	}
	if position == 0 && fn.Kind == DefMethod && !fn.decorated("staticmethod") {
		return unknown(n)
	}
	sites := q.sites(fn)
	if len(sites) == 0 || len(sites) >= maxSites {
		return q.fallback(p, n, len(sites) == 0)
	}
	q.hops++
	defer func() { q.hops-- }()
	env := q.env
	q.env = nil
	defer func() { q.env = env }()
	var out []Value
	for _, site := range sites {
		arg := q.argumentFor(site, fn, p, position)
		switch {
		case arg.Valid():
			out = append(out, q.eval(arg))
		case p.Default.Valid() && !hasSplat(site):
			out = append(out, q.eval(p.Default))
		default:
			return unknown(n)
		}
	}
	return choice(out, n)
}

// fallback is the default of a parameter that nothing known fills.
func (q *query) fallback(p Param, n Node, unfilled bool) Value {
	if !unfilled || !p.Default.Valid() {
		return unknown(n)
	}
	v := q.eval(p.Default)
	if v.Kind == ValueNone {
		return unknown(n)
	}
	return v
}

func hasSplat(call Node) bool {
	return call.Field("arguments").child("list_splat", "dictionary_splat").Valid()
}
