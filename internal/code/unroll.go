package code

import (
	"maps"
	"slices"
)

// maxTurns bounds how often a loop is unrolled.
const maxTurns = 256

// Unroll returns the bindings of each turn of a for statement or of a
// comprehension's for clauses (nested clauses multiplied, conditions applied),
// at most 256. complete is false when what is iterated over is not, or not
// fully, known, or when it is longer; the known turns are returned all the
// same.
func (p *Program) Unroll(loop Node, with ...Binding) (turns []Binding, complete bool) {
	q := p.query()
	q.bindWith(with, loop)
	if loop.Is("for_statement") {
		return q.turns(loop.Field("left"), loop.Field("right"))
	}
	return q.clauses(loop)
}

func merge(outer, inner Binding) Binding {
	out := make(Binding, len(outer)+len(inner))
	maps.Copy(out, outer)
	maps.Copy(out, inner)
	return out
}

// turns iterates over one expression.
func (q *query) turns(left, right Node) (out []Binding, complete bool) {
	items, complete := q.iterate(right)
	q.steps += len(items)
	for _, item := range items {
		if item.Kind == ValueUnknown && item.Rest {
			complete = false
			continue
		}
		if len(out) == maxTurns {
			return out, false
		}
		b := Binding{}
		for _, t := range targetsOf(left, nil) {
			if !t.node.Is("identifier") {
				continue
			}
			v := item
			if t.splat {
				v = unknown(t.node)
			}
			for _, i := range t.path {
				v = at(v, i)
			}
			b[t.node.Text()] = v
		}
		out = append(out, b)
	}
	return out, complete
}

// iterate lists what iterating over an expression yields.
func (q *query) iterate(n Node) (items []Value, complete bool) {
	v := q.eval(n)
	if v.Kind == ValueChoice {
		// Any of several sequences: all their elements may come.
		for _, c := range v.Items {
			more, ok := iterated(q, c)
			items, complete = append(items, more...), complete && ok
		}
		return items, false
	}
	return iterated(q, v)
}

func iterated(q *query, v Value) (items []Value, complete bool) {
	switch v.Kind {
	case ValueList, ValueTuple, ValueSet:
		return v.Items, !v.open()
	case ValueDict:
		return v.Keys, !slices.ContainsFunc(v.Keys, func(k Value) bool { return k.Kind == ValueUnknown })
	case ValueSymbol:
		if v.Symbol.Def != nil && !v.Symbol.Instance && q.enum(v.Symbol.Def) {
			return q.enumMembers(v.Symbol.Def), true
		}
	case ValueString:
		text, known := v.Str()
		for _, r := range text {
			if len(items) == maxItems {
				return items, false
			}
			items = append(items, textValue(string(r), v.Node))
		}
		return items, known
	default: // not iterated over, or not known
	}
	return nil, false
}

// at returns an element of a value, unknown where it has none.
func at(v Value, i int) Value {
	if (v.Kind == ValueList || v.Kind == ValueTuple) && !v.open() {
		if i < 0 {
			i += len(v.Items)
		}
		if i >= 0 && i < len(v.Items) {
			return v.Items[i]
		}
	}
	if v.Kind == ValueChoice {
		var out []Value
		for _, c := range v.Items {
			out = append(out, at(c, i))
		}
		return choice(out, v.Node)
	}
	return unknown(v.Node)
}

// clauses iterates over the for and if clauses of a comprehension.
func (q *query) clauses(n Node) (turns []Binding, complete bool) {
	turns, complete = []Binding{{}}, true
	env, scope := q.env, q.envScope
	q.envScope = q.p.Enclosing(n)
	if scope != q.envScope {
		env = nil
	}
	outer := q.env
	defer func() { q.env, q.envScope = outer, scope }()
	for c := range n.Children() {
		if !c.Is("for_in_clause", "if_clause") {
			continue
		}
		var next []Binding
		for _, turn := range turns {
			q.env = append(slices.Clone(env), turn)
			if c.Is("if_clause") {
				truth, known := q.condition(c.Child(0))
				complete = complete && known
				if truth || !known {
					next = append(next, turn)
				}
				continue
			}
			inner, ok := q.turns(c.Field("left"), c.Field("right"))
			complete = complete && ok
			for _, b := range inner {
				next = append(next, merge(turn, b))
			}
			if len(next) > maxTurns {
				break
			}
		}
		if len(next) > maxTurns {
			next, complete = next[:maxTurns], false
		}
		turns = next
	}
	return turns, complete
}

// comprehension evaluates a comprehension turn by turn.
func (q *query) comprehension(n Node) Value {
	turns, complete := q.clauses(n)
	body := n.Field("body")
	v := Value{Kind: ValueList, Node: n}
	env, scope := q.env, q.envScope
	own := q.p.Enclosing(n)
	if scope != own {
		env = nil
	}
	outer := q.env
	q.envScope = own
	defer func() { q.env, q.envScope = outer, scope }()
	for _, turn := range turns {
		q.env = append(slices.Clone(env), turn)
		if n.Is("dictionary_comprehension") {
			v.Keys = append(v.Keys, q.eval(body.Field("key")))
			v.Items = append(v.Items, q.eval(body.Field("value")))
			continue
		}
		v.Items = append(v.Items, q.eval(body))
	}
	switch n.Kind() {
	case "dictionary_comprehension":
		v.Kind = ValueDict
	case "set_comprehension":
		v.Kind = ValueSet
	}
	if !complete {
		if len(v.Items) == 0 {
			return unknown(n)
		}
		rest := Value{Node: n, Rest: true}
		v.Items = append(v.Items, rest)
		if v.Kind == ValueDict {
			v.Keys = append(v.Keys, rest)
		}
	}
	return v
}

// unpack evaluates what a binding takes out of its value: each element when
// each is set, then the position given by the path.
func (q *query) unpack(b binding, each bool) []Value {
	values := []Value{}
	if each {
		values, _ = q.iterate(b.value)
	} else {
		values = append(values, q.eval(b.value))
	}
	if len(values) > maxTurns {
		values = values[:maxTurns]
	}
	if len(b.path) == 0 {
		return values
	}
	out := make([]Value, 0, len(values))
	for _, v := range values {
		for _, i := range b.path {
			v = at(v, i)
		}
		out = append(out, v)
	}
	return out
}
