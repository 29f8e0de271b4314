package judicial

import (
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// maxAnswer bounds how far an answer is followed through functions.
const maxAnswer = 6

// answer follows what a call gives to the calls that take it: through names,
// arguments of first-party functions, and returns.
type answer struct {
	b    *bench
	sink func(*code.Call) bool
	seen map[code.Node]bool
	into map[*code.Definition]map[string]bool
}

// follows reports whether what a call gives comes into an argument of a call
// that the sink accepts.
func (b *bench) follows(c *code.Call, sink func(*code.Call) bool) bool {
	a := &answer{b: b, sink: sink, seen: map[code.Node]bool{}, into: map[*code.Definition]map[string]bool{}}
	return a.value(c.Node, 0)
}

// value follows the value of an expression in the function where it stands.
func (a *answer) value(seed code.Node, depth int) bool {
	d := a.b.p.Enclosing(seed)
	if a.seen[seed] || depth > maxAnswer || d == nil {
		return false
	}
	a.seen[seed] = true
	if d.Kind == code.DefLambda { // what calls the function hands its result on
		call := around(d.Node, "call")
		return call.Valid() && a.value(call, depth+1)
	}
	return a.within(d, seed, map[string]bool{}, depth)
}

// within follows the names of a function that hold the value.
func (a *answer) within(d *code.Definition, seed code.Node, names map[string]bool, depth int) bool {
	holds := func(n code.Node) bool { return uses(n, names) || seed.Valid() && n.Contains(seed) }
	grow(a.b.marks.assignments(d), names, map[string]code.Node{}, func(s setting) bool { return holds(s.value) })
	for _, c := range a.b.p.CallsIn(d) {
		if a.b.p.Dead(c.Node) || !holds(c.Node.Field("arguments")) {
			continue
		}
		if a.sink(c) || a.handed(c, holds, depth) {
			return true
		}
	}
	if !slices.ContainsFunc(d.ReturnValues(), holds) {
		return false
	}
	for _, c := range a.b.p.Callers(d) {
		if a.value(c.Node, depth+1) {
			return true
		}
	}
	for _, n := range a.b.p.Uses(d) { // handed over to be called
		if call := around(n, "call"); call.Valid() && n.Parent().Is("argument_list") && a.value(call, depth+1) {
			return true
		}
	}
	return false
}

// handed follows the value into the functions that a call runs.
func (a *answer) handed(c *code.Call, holds func(code.Node) bool, depth int) bool {
	d := c.Callee.Def
	if d == nil || !d.IsFunction() || depth >= maxAnswer {
		return false
	}
	names, known := map[string]bool{}, a.into[d]
	more := false
	for name, v := range a.b.p.Parameters(c) {
		names[name] = known[name] || holds(v)
		more = more || names[name] && !known[name]
	}
	if !more {
		return false
	}
	a.into[d] = maps.Clone(names)
	return a.within(d, code.Node{}, names, depth+1)
}

// around is the nearest node of a kind around one; zero when there is none.
func around(n code.Node, kind string) code.Node {
	for a := range n.Around() {
		if a.Is(kind) {
			return a
		}
	}
	return code.Node{}
}

// grow adds the names whose settings qualify until no more come.
func grow(sets []setting, told map[string]bool, by map[string]code.Node, qualifies func(setting) bool) {
	for range 3 {
		for _, s := range sets {
			if !told[s.name] && qualifies(s) {
				told[s.name], by[s.name] = true, s.node
			}
		}
	}
}

// uses reports whether one of the names occurs in an expression.
func uses(n code.Node, names map[string]bool) bool {
	for x := range n.Walk() {
		if x.Is("identifier") && names[x.Text()] && !(x.Parent().Is("keyword_argument") && x.FieldName() == "name") {
			return true
		}
	}
	return false
}
