package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// isSend reports whether a call makes a Send.
func (r *router) isSend(n code.Node) bool {
	s := r.p.Resolve(n.Field("function"))
	return s.Matches("langgraph.*.Send") || !s.Known() && lastName(n.Field("function")) == "Send"
}

// call reads a call in a router: a Send, a function of ours that returns
// destinations, a conversion, or a lookup in a table.
func (r *router) call(n code.Node, s site) outcomes {
	if r.isSend(n) {
		return r.send(n, s)
	}
	function, first := n.Field("function").Unparen(), n.Field("arguments").Child(0)
	if function.Is("attribute") && slices.Contains([]string{"get", "pop"}, function.Field("attribute").Text()) {
		if t := r.table(function.Field("object"), first, n.Field("arguments").Child(1), s); len(t.sets) > 0 {
			return t
		}
	}
	symbol := r.p.Resolve(function)
	if symbol.Matches("builtins.bool", "builtins.any", "builtins.all", "builtins.isinstance") {
		return yesOrNo(true)
	}
	if symbol.Matches("builtins.list", "builtins.tuple", "builtins.set", "builtins.sorted", "builtins.str", "typing.cast") {
		if symbol.Matches("typing.cast") {
			first = n.Field("arguments").Child(1)
		}
		if !first.Valid() {
			return outcomes{sets: [][]dest{{}}, complete: true}
		}
		return r.value(first, s)
	}
	if d := callable(r.p, symbol); d != nil {
		return r.outcomesOf(d, []code.Binding{r.passed(n, d, s)})
	}
	return r.constant(n, s)
}

// passed binds the parameters of a function to what a call passes.
func (r *router) passed(n code.Node, d *code.Definition, s site) code.Binding {
	out := code.Binding{}
	c := r.p.Call(n)
	if c == nil {
		return out
	}
	args := r.p.Parameters(c)
	for _, p := range d.Params() {
		if a, ok := args[p.Name]; ok && p.Star == 0 {
			out[p.Name] = r.eval(a, s)
		} else if p.Default.Valid() {
			out[p.Name] = r.p.Eval(p.Default)
		}
	}
	return out
}

// send reads Send("name", argument).
func (r *router) send(n code.Node, s site) outcomes {
	target := n.Field("arguments").Child(0)
	if c := r.p.Call(n); c != nil {
		target = given(c, 0, "node")
	}
	out := r.constant(target, s)
	if len(out.sets) == 0 {
		return outcomes{sets: [][]dest{{{key: "*", send: true, at: placeOf(n)}}}}
	}
	for i, set := range out.sets {
		set = slices.Clone(set)
		for k := range set {
			set[k].send, set[k].at = true, placeOf(n)
		}
		out.sets[i] = set
	}
	return out
}

// table reads an element of a table: the one that the key chooses, else any of
// its values or the default.
func (r *router) table(object, key, otherwise code.Node, s site) outcomes {
	v := r.eval(object, s)
	if v.Kind != code.ValueDict && v.Kind != code.ValueList && v.Kind != code.ValueTuple {
		return outcomes{}
	}
	if text, ok := r.eval(key, s).Str(); ok {
		if item, ok := v.Get(text); ok {
			return r.worth(item, key)
		}
	}
	out := outcomes{complete: true}
	for _, i := range v.Items {
		for _, c := range i.Choices() {
			out = out.join(r.worth(c, key))
		}
	}
	if otherwise.Valid() {
		out = out.join(r.value(otherwise, s))
	}
	return out
}

// local reads a name: a list that is filled step by step, a variable that is
// assigned in several places, or a constant.
func (r *router) local(n code.Node, s site) outcomes {
	d := r.p.Enclosing(n)
	if d == nil || !d.IsFunction() || r.active[n] {
		return r.constant(n, s)
	}
	r.active[n] = true
	defer delete(r.active, n)
	for _, b := range s.binds {
		if _, ok := b[n.Text()]; ok {
			return r.constant(n, s)
		}
	}
	values := assigned(d, n.Text(), n)
	grown := r.additions(d, n)
	if len(values) == 0 {
		return r.constant(n, s)
	}
	out := outcomes{complete: true}
	for _, v := range values {
		out = out.join(r.value(v, s))
	}
	for _, a := range grown {
		out = r.grow(out, a, s)
	}
	return out
}

// addition is a statement that adds to a list.
type addition struct {
	value  code.Node
	loop   code.Node // the innermost loop around it, zero when there is none
	always bool      // no condition guards it
}

// additions returns what a function appends to a list before a place.
func (r *router) additions(d *code.Definition, name code.Node) []addition {
	var out []addition
	add := func(v, at code.Node) {
		a := addition{value: v, always: true}
		if l := loopsAround(at, d); len(l) > 0 {
			a.loop = l[len(l)-1]
		}
		for _, g := range r.p.Guards(at) {
			if g.Kind == "if" || g.Kind == "match" || g.Kind == "except" {
				a.always = false
			}
		}
		out = append(out, a)
	}
	for n := range d.Body().WalkScope() {
		if n.Start() >= name.Start() || !n.Is("call", "augmented_assignment") {
			continue
		}
		if n.Is("augmented_assignment") {
			if n.Field("left").Text() == name.Text() {
				add(n.Field("right"), n)
			}
			continue
		}
		f := n.Field("function")
		if !f.Is("attribute") || f.Field("object").Text() != name.Text() {
			continue
		}
		switch args := n.Field("arguments"); f.Field("attribute").Text() {
		case "append", "extend", "add", "update":
			add(args.Child(0), n)
		case "insert":
			add(args.Child(1), n)
		}
	}
	return out
}

// grow adds an addition to the alternatives of a list.
func (r *router) grow(out outcomes, a addition, s site) outcomes {
	var more outcomes
	if a.loop.Valid() {
		turns, complete := r.unroll(a.loop, s.binds)
		if complete {
			more = r.each(a.value, a.loop, s, turns)
		} else {
			more = r.often(a.value, a.loop, s, turns)
		}
	} else {
		more = r.value(a.value, s)
	}
	if !a.always {
		return out.join(out.both(more))
	}
	return out.both(more)
}
