package code

import "slices"

// maxChanges bounds the statements that change one container.
const maxChanges = 512

// mutated adds to a container what statements between its assignment and the
// use put into it. A change that is not followed makes the container open: it
// ends with an unknown rest.
func (q *query) mutated(v Value, name string, scope *Definition, use Node) Value {
	changes := scope.mutations[name]
	if len(changes) == 0 || !v.sequence() && v.Kind != ValueDict && v.Kind != ValueString {
		return v
	}
	if len(changes) > maxChanges {
		return opened(v, changes[0])
	}
	own := q.p.Enclosing(use) == scope
	out := v
	out.Items = append([]Value(nil), v.Items...)
	out.Keys = append([]Value(nil), v.Keys...)
	for _, n := range changes {
		if n.m == v.Node.m && n.Start() < v.Node.Start() && !sharedLoop(v.Node, n) {
			continue // before the assignment
		}
		if own && q.p.Enclosing(n) == scope && n.End() > use.Start() && !sharedLoop(n, use) {
			continue // after the use
		}
		if n.Contains(use) && !n.Is("call") {
			continue
		}
		out = q.mutate(out, n)
	}
	return out
}

// mutate applies one statement to a container, once for each turn of the
// loops around it.
func (q *query) mutate(v Value, n Node) Value {
	turns, complete := q.loopTurns(n)
	for _, turn := range turns {
		env, scope := q.env, q.envScope
		q.env, q.envScope = []Binding{turn}, q.p.Enclosing(n)
		v = q.change(v, n)
		q.env, q.envScope = env, scope
		if len(v.Items) > maxItems {
			return unknown(n)
		}
	}
	if !complete || conditional(n) && v.Kind == ValueString {
		v = opened(v, n)
	}
	return v
}

// loopTurns unrolls the for statements around a statement.
func (q *query) loopTurns(n Node) ([]Binding, bool) {
	turns, complete := []Binding{{}}, true
	for a := range n.Around() {
		if a.defines() {
			break
		}
		if a.Is("while_statement") {
			complete = false
		}
		if !a.Is("for_statement") {
			continue
		}
		inner, ok := q.turns(a.Field("left"), a.Field("right"))
		complete = complete && ok
		var next []Binding
		for _, t := range turns {
			for _, b := range inner {
				next = append(next, merge(b, t))
			}
			if len(next) > maxTurns {
				complete = false
				break
			}
		}
		turns = next[:min(len(next), maxTurns)]
	}
	return turns, complete
}

// conditional reports whether an if statement decides that a statement runs.
func conditional(n Node) bool {
	for a := range n.Around() {
		if a.defines() {
			return false
		}
		if a.Is("if_statement", "match_statement", "except_clause") {
			return true
		}
	}
	return false
}

// change applies one statement once.
func (q *query) change(v Value, n Node) Value {
	switch n.Kind() {
	case "augmented_assignment":
		if n.Field("operator").Text() == "+=" {
			right := q.eval(n.Field("right"))
			if v.Kind == ValueString {
				return concatStrings([]Value{v, right}, v.Node)
			}
			if v.sequence() {
				return extend(v, right, v.Node)
			}
		}
		return opened(v, n)
	case "assignment":
		left := n.Field("left")
		if v.Kind != ValueDict {
			return opened(v, n)
		}
		v.Keys = append(v.Keys, q.eval(left.Field("subscript")))
		v.Items = append(v.Items, q.eval(n.Field("right")))
		return v
	}
	return q.changeByCall(v, n)
}

// changeByCall applies a mutating method.
func (q *query) changeByCall(v Value, n Node) Value {
	method := n.Field("function").Field("attribute").Text()
	args := plainArguments(n)
	switch {
	case v.sequence() && (method == "append" || method == "add") && len(args) == 1:
		v.Items = append(v.Items, q.eval(args[0].Value))
		return v
	case v.sequence() && (method == "extend" || method == "update") && len(args) == 1:
		items, complete := q.iterate(args[0].Value)
		v.Items = append(v.Items, items...)
		if !complete {
			v = opened(v, args[0].Value)
		}
		return v
	case v.Kind == ValueDict && method == "setdefault" && len(args) == 2:
		v.Keys, v.Items = append(v.Keys, q.eval(args[0].Value)), append(v.Items, q.eval(args[1].Value))
		return v
	case v.Kind == ValueDict && method == "update" && len(args) > 0:
		return q.updated(v, n)
	}
	return opened(v, n)
}

func (q *query) updated(v Value, n Node) Value {
	more := q.dictValue(n)
	v.Keys, v.Items = append(v.Keys, more.Keys...), append(v.Items, more.Items...)
	return v
}

// opened adds an unknown rest to a container.
func opened(v Value, n Node) Value {
	rest := Value{Node: n, Rest: true}
	if v.Kind == ValueString {
		return concatStrings([]Value{v, {Node: n}}, v.Node)
	}
	v.Items = append(slices.Clip(v.Items), rest)
	if v.Kind == ValueDict {
		v.Keys = append(slices.Clip(v.Keys), rest)
	}
	return v
}
