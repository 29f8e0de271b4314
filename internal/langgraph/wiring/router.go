package wiring

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// maxOutcomes bounds what is kept of one router.
const maxOutcomes = 64

// maxNested bounds lists in each other.
const maxNested = 8

// dest is one thing that a router returns, before the path map.
type dest struct {
	key     string // a name, a terminal, or the rendering of another constant
	send    bool
	many    bool
	selects agentgraph.Truth
	at      agentgraph.Place
}

// outcome is what a router returns under a condition: destinations that fire together.
type outcome struct {
	dests []dest
	when  cond
}

// outcomes is what a router may return.
type outcomes struct {
	sets     []outcome
	complete bool
}

func (o *outcomes) join(p outcomes) {
	o.sets = append(o.sets, p.sets...)
	o.complete = o.complete && p.complete
	if len(o.sets) > maxOutcomes {
		o.sets, o.complete = o.sets[:maxOutcomes], false
	}
}

// both combines every alternative of one part with every one of another.
func (x *machine) both(o, p outcomes) outcomes {
	out := outcomes{complete: o.complete && p.complete}
	switch {
	case len(o.sets) == 0:
		out.sets = p.sets
		return out
	case len(p.sets) == 0:
		out.sets = o.sets
		return out
	}
	for _, a := range o.sets {
		for _, b := range p.sets {
			c := x.and(a.when, b.when)
			switch {
			case c == never:
			case len(out.sets) >= maxOutcomes:
				out.complete = false
				return out
			default:
				out.sets = append(out.sets, outcome{slices.Concat(a.dests, b.dests), c})
			}
		}
	}
	return out
}

// nowhere is the outcome of no destination.
func nowhere() outcomes { return outcomes{sets: []outcome{{when: always}}, complete: true} }

// asked is what a function gives that is called with a state of which nothing is known.
func (x *machine) asked(t *thing) value {
	if known, ok := x.answers[t]; ok {
		return known
	}
	turns, stack, fine := x.turns, x.stack, x.fine
	x.turns, x.stack, x.fine = nil, nil, len(x.nodes)+routerNodes
	limit, asking := x.limit, x.asking
	x.asking = true
	x.limit = x.steps + routerSteps
	f, _ := x.callable(t)
	var args []value
	var names []string
	for s := t; s.kind == partial; s = s.self {
		args, names = slices.Concat(s.args, args), slices.Concat(s.names, names)
	}
	if f.self != nil {
		args, names = append([]value{one(f.self)}, args...), append([]string{""}, names...)
	}
	v := x.enter(f, args, names, nil, always)
	if x.steps > x.limit {
		v = x.join(v, one(unknownOf("")))
	}
	x.turns, x.stack, x.fine, x.limit, x.asking = turns, stack, fine, limit, asking
	x.answers[t] = v
	return v
}

// outcomesOf is what a value leads to.
func (x *machine) outcomesOf(v value) outcomes {
	out := outcomes{complete: true}
	for _, a := range v {
		o := x.worth(a.thing)
		for _, s := range o.sets {
			if s.when = x.and(s.when, a.when); s.when != never {
				out.join(outcomes{sets: []outcome{s}, complete: true})
			}
		}
		out.complete = out.complete && o.complete
	}
	return out
}

// worth is what a thing leads to.
func (x *machine) worth(t *thing) outcomes {
	one := func(key string, complete bool) outcomes {
		d := dest{key: key}
		if t.at.in != nil {
			d.at = x.Place(t.at.f, t.at.in.Span)
		}
		return outcomes{sets: []outcome{{[]dest{d}, always}}, complete: complete}
	}
	if n := t.terminal(); n != "" {
		return one(n, true)
	}
	switch {
	case t.none():
		return nowhere()
	case t.kind == constant:
		return one(rendered(t), true)
	case t.kind == text:
		return one(t.label().text, false)
	case t.is(list) || t.is(table):
		return x.together(t)
	case t.kind == made && last(t.name) == "Send":
		return x.send(t)
	case t.truth:
		out := one("True", true)
		out.join(one("False", true))
		return out
	}
	return outcomes{}
}

// rendered writes a constant as a path map has it.
func rendered(t *thing) string {
	if s, ok := t.str(); ok {
		return s
	}
	if t.lit.Type == il.BoolConst {
		if t.lit.Num != 0 {
			return "True"
		}
		return "False"
	}
	return t.lit.String()
}

// together reads a collection: what is in it fires together.
func (x *machine) together(t *thing) outcomes {
	out := nowhere()
	if x.nested++; x.nested > maxNested {
		out = outcomes{}
	}
	defer func() { x.nested-- }()
	if !out.complete {
		return out
	}
	for _, i := range t.obj.items {
		v := i.value
		if t.is(table) {
			v = i.key
		}
		next := x.outcomesOf(v)
		if i.many { // turns may differ in what they choose: all of it together
			all := outcome{when: always}
			for _, s := range next.sets {
				for _, d := range s.dests {
					d.many = d.send
					all.dests = append(all.dests, d)
				}
			}
			next.sets = []outcome{all}
		}
		if i.when != always {
			for k := range next.sets {
				next.sets[k].when = x.and(next.sets[k].when, i.when)
			}
			next.sets = append(next.sets, outcome{when: x.not(i.when)})
		}
		out = x.both(out, next)
	}
	for i := range out.sets {
		set := slices.Clone(out.sets[i].dests)
		for k := range set {
			twice := slices.ContainsFunc(set[:k], func(d dest) bool { return d.key == set[k].key }) ||
				slices.ContainsFunc(set[k+1:], func(d dest) bool { return d.key == set[k].key })
			set[k].many = set[k].many || set[k].send && twice
		}
		out.sets[i].dests = set
	}
	out.complete = out.complete && !t.obj.open
	return out
}

// send reads Send("name", argument).
func (x *machine) send(t *thing) outcomes {
	o := operation{args: t.args, names: t.names}
	at := x.Place(t.at.f, t.at.in.Span)
	out := x.outcomesOf(o.given(0, "node"))
	if len(out.sets) == 0 {
		return outcomes{sets: []outcome{{[]dest{{key: "*", send: true, at: at}}, always}}}
	}
	selects := x.selects(t, o.given(1, "arg"))
	for i, set := range out.sets {
		dests := slices.Clone(set.dests)
		for k := range dests {
			dests[k].send, dests[k].at, dests[k].selects = true, at, selects
		}
		out.sets[i].dests = dests
	}
	return out
}

// selects says whether the argument of a Send in a loop chooses whom the node plays: it has
// a key for one reviewer, or the loop goes over the reviewers. A loop over something else
// leaves it Unknown.
func (x *machine) selects(t *thing, arg value) agentgraph.Truth {
	if x.Words == nil {
		return agentgraph.Unknown
	}
	for _, a := range arg {
		if x.choosing(a.thing, 0) {
			return agentgraph.Yes
		}
	}
	for _, l := range t.loops {
		if x.Words.NamesAll(l.over) || x.twoNamed(l.items) {
			return agentgraph.Yes
		}
	}
	return agentgraph.Unknown
}

// choosing reports whether a record has a key that names one reviewer.
func (x *machine) choosing(t *thing, depth int) bool {
	if depth > 3 {
		return false
	}
	inside := func(v value) bool {
		return slices.ContainsFunc(v, func(a alt) bool { return x.choosing(a.thing, depth+1) })
	}
	for i, name := range t.names {
		if x.Words.ChoosesOne(name) || inside(t.args[i]) {
			return true
		}
	}
	if t.kind != object {
		return false
	}
	for _, i := range t.obj.items {
		if key, ok := i.key.only().str(); ok && t.is(table) && x.Words.ChoosesOne(key) || inside(i.value) {
			return true
		}
	}
	return false
}

// twoNamed reports whether a collection holds the names of two reviewers.
func (x *machine) twoNamed(items []item) bool {
	seen := map[string]bool{}
	note := func(v value) {
		for _, a := range v {
			if s, ok := a.str(); ok {
				for _, part := range x.Words.PartsIn(s, x.Words.Reviewers) {
					seen[part] = true
				}
			}
		}
	}
	for _, i := range items {
		note(i.value)
		for _, a := range i.value {
			if a.is(list) || a.is(table) {
				for _, j := range a.obj.items {
					note(j.value)
				}
			}
		}
	}
	return len(seen) >= 2
}
