package langgraph

import (
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
)

// Limits on how far calls and loops are followed.
const (
	maxCalls  = 4      // calls from a helper back to its callers, or into a helper
	maxFrames = 256    // ways in which one function is called
	maxTurns  = 256    // turns of all loops around one statement
	maxSites  = 1024   // ways in which one statement runs, calls and turns together
	maxWork   = 20_000 // frames made in one Read: against code written to be slow
)

// reader is the state of one Read.
type reader struct {
	p      *intree.Program
	bodies body.Bodies
	words  *agentgraph.Profile
	memo   map[*code.Definition][]*frame
	traced map[code.Node][]found
	names  map[calling][]string // answers of called
	filled map[string]bool      // attributes that code sets or adds to, as far as it was asked
	work   int                  // frames made so far
	sides  map[*agentgraph.Graph]*side
}

// calling is a call, and whether what it hands on counts.
type calling struct {
	call    code.Node
	handing bool
}

// side is what the reader keeps beside a graph.
type side struct {
	call   *code.Call  // the constructor
	schema code.Symbol // what is passed as state; not Known when it is not resolved
}

// side returns what is kept beside a graph.
func (r *reader) side(g *agentgraph.Graph) *side {
	if r.sides[g] == nil {
		r.sides[g] = &side{}
	}
	return r.sides[g]
}

// frame is one way in which a function is called.
type frame struct {
	call code.Node            // the call site
	def  *code.Definition     // the function
	args map[string]code.Node // its parameters as written at the call site
	bind code.Binding         // what they are worth
	up   *frame               // how the function around the call site is called; nil when that does not matter
}

// site is a frame, and the turn of each loop, in which a statement runs.
type site struct {
	fr    *frame
	binds []code.Binding
}

// eval computes an expression at a site.
func (r *reader) eval(n code.Node, s site) code.Value { return r.p.Eval(n, s.binds...) }

// sites returns the ways in which a node runs: one for each way its function
// is called, if that matters to it, and each turn of the loops around it.
func (r *reader) sites(n code.Node) []site { return r.sitesAt(n, 0) }

func (r *reader) sitesAt(n code.Node, depth int) []site {
	frames := []*frame{nil}
	if d := r.p.Enclosing(n); d != nil && r.parametric(n, d) {
		frames = r.framesAt(d, depth)
	}
	var out []site
	for _, f := range frames {
		s := site{fr: f}
		if f != nil {
			s.binds = []code.Binding{f.bind}
		}
		for _, t := range r.turns(n, s) {
			out = append(out, r.left(n, t))
		}
	}
	if len(out) > maxSites {
		out = out[:maxSites]
		if d := r.p.Enclosing(n); d != nil { // the rest is not known one by one
			f := unknownFrame(d)
			out = append(out, site{fr: f, binds: []code.Binding{f.bind}})
		}
	}
	return out
}

// parametric reports whether a node, the loops and the conditions around it
// name a parameter of the function that it stands in.
func (r *reader) parametric(n code.Node, d *code.Definition) bool {
	if !d.IsFunction() {
		return false
	}
	names := map[string]bool{}
	for i, p := range d.Params() {
		if !(i == 0 && d.Kind == code.DefMethod && (p.Name == "self" || p.Name == "cls")) {
			names[p.Name] = true
		}
	}
	if mentions(n, names) {
		return true
	}
	for _, loop := range loopsAround(n, d) {
		if mentions(iterated(loop), names) {
			return true
		}
	}
	return false
}

// mentions reports whether one of the names occurs as an identifier.
func mentions(n code.Node, names map[string]bool) bool {
	if !n.Valid() || len(names) == 0 {
		return false
	}
	for m := range n.Walk() {
		if m.Is("identifier") && names[m.Text()] && !(m.FieldName() == "name" && m.Parent().Is("keyword_argument")) &&
			m.FieldName() != "attribute" {
			return true
		}
	}
	return false
}

// framesAt returns the ways in which a function is called, production callers
// only if there are any; a single nil when nobody is known to call it.
func (r *reader) framesAt(d *code.Definition, depth int) []*frame {
	if depth >= maxCalls || r.work > maxWork {
		return []*frame{nil}
	}
	if depth == 0 {
		if out, ok := r.memo[d]; ok {
			return out
		}
	}
	var out, tests []*frame
	for _, c := range r.p.Callers(d) {
		if len(out) > maxFrames || r.p.Dead(c.Node) {
			continue
		}
		for _, s := range r.sitesAt(c.Node, depth+1) {
			f := r.enter(c, d, s)
			if c.Node.Module().Scope == code.ScopeProduction {
				out = append(out, f)
			} else {
				tests = append(tests, f)
			}
		}
	}
	if out = append(out, r.mappedFrames(d)...); len(out) == 0 {
		out = tests
	}
	switch {
	case len(out) == 0:
		out = []*frame{nil}
	case len(out) > maxFrames:
		out = append(out[:maxFrames], unknownFrame(d))
	}
	if depth == 0 {
		r.memo[d] = out
	}
	return out
}

// unknownFrame stands for the calls of a function that are not looked at: its
// parameters may be anything.
func unknownFrame(d *code.Definition) *frame {
	f := &frame{def: d, bind: code.Binding{}}
	for _, p := range d.Params() {
		f.bind[p.Name] = code.Value{Node: p.Node}
	}
	return f
}

// enter makes the frame of a function for one call of it.
func (r *reader) enter(c *code.Call, d *code.Definition, s site) *frame {
	r.work++
	f := &frame{call: c.Node, def: d, args: r.p.Parameters(c), bind: code.Binding{}, up: s.fr}
	for _, p := range d.Params() {
		if a, ok := f.args[p.Name]; ok && p.Star == 0 {
			f.bind[p.Name] = r.eval(a, s)
		} else if p.Default.Valid() {
			f.bind[p.Name] = r.p.Eval(p.Default)
		}
	}
	return f
}

// turns multiplies a site by the turns of the loops around a node.
func (r *reader) turns(n code.Node, s site) []site {
	out := []site{s}
	for _, loop := range loopsAround(n, r.p.Enclosing(n)) {
		var next []site
		for _, o := range out {
			turns, complete := r.unroll(loop, o.binds)
			turns = r.carry(loop, n, o.binds, turns)
			for _, t := range turns {
				next = append(next, site{fr: o.fr, binds: append(slices.Clone(o.binds), t)})
			}
			// A field of an object that seems to be empty may have been filled later.
			if !complete || len(turns) == 0 && iterated(loop).Is("attribute") && r.filledLater(iterated(loop).Field("attribute").Text()) {
				next = append(next, o)
			}
			if len(next) > maxTurns {
				next = append(next[:maxTurns], o) // the rest is not known one by one
				break
			}
		}
		out = next
	}
	return out
}

// carry adds to the turns of a loop the names that it hands on from turn to
// turn: set before the loop, and set again in it after the node, as in
// "prev = START; for n in names: add_edge(prev, n); prev = n".
func (r *reader) carry(loop, n code.Node, binds []code.Binding, turns []code.Binding) []code.Binding {
	if !loop.Is("for_statement") || len(turns) == 0 {
		return turns
	}
	scope := r.p.Enclosing(loop)
	for statement := range loop.Field("body").Children() {
		set := statement
		if set.Is("expression_statement") {
			set = set.Child(0)
		}
		name := set.Field("left")
		if !set.Is("assignment") || !name.Is("identifier") || set.Start() < n.Start() && n != loop {
			continue
		}
		before := assigned(scope, name.Text(), loop)
		if len(before) != 1 || loop.Contains(before[0]) {
			continue
		}
		turns = slices.Clone(turns)
		value := r.p.Eval(before[0], binds...)
		for i, t := range turns {
			t = maps.Clone(t)
			t[name.Text()] = value
			turns[i] = t
			value = r.p.Eval(set.Field("right"), append(slices.Clone(binds), t)...)
		}
	}
	return turns
}

// left binds the names in a node to what the last turn of a loop before it left
// in them, as "previous" after "for n in names: ...; previous = n".
func (r *reader) left(n code.Node, s site) site {
	scope := r.p.Enclosing(n)
	if scope == nil {
		return s
	}
	for m := range n.Walk() {
		if !m.Is("identifier") {
			continue
		}
		loop, set := lastLoop(scope, m)
		if !loop.Valid() {
			continue
		}
		turns, complete := r.unroll(loop, s.binds)
		if turns = r.carry(loop, loop, s.binds, turns); !complete || len(turns) == 0 {
			continue
		}
		last := append(slices.Clone(s.binds), turns[len(turns)-1])
		s.binds = append(slices.Clone(s.binds), code.Binding{m.Text(): r.p.Eval(set.Field("right"), last...)})
	}
	return s
}

// lastLoop returns the loop before a name whose body sets it last, without a
// condition, and that assignment.
func lastLoop(scope *code.Definition, name code.Node) (loop, set code.Node) {
	for _, a := range scope.Setters(name.Text()) {
		if !a.Is("assignment") || a.Field("left").Text() != name.Text() || a.Start() > name.Start() || a.Contains(name) {
			continue
		}
		loop, set = code.Node{}, code.Node{}
		if l := a.Statement().Parent().Parent(); l.Is("for_statement") && !l.Contains(name) && len(loopsAround(l, scope)) == 0 {
			loop, set = l, a
		}
	}
	return loop, set
}

// loopsAround returns the loops around a node within a definition, the
// outermost first.
func loopsAround(n code.Node, d *code.Definition) []code.Node {
	var out []code.Node
	inner := n
	for a := range n.Around() {
		if d != nil && a == d.Node {
			break
		}
		if loops(a) && !iterated(a).Contains(inner) {
			out = append(out, a)
		}
		inner = a
	}
	slices.Reverse(out)
	return out
}

// loops reports whether a node is a loop over something.
func loops(n code.Node) bool {
	return n.Is("for_statement", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
}

// iterated returns what a loop goes over first.
func iterated(loop code.Node) code.Node {
	if loop.Is("for_statement") {
		return loop.Field("right")
	}
	for c := range loop.Children() {
		if c.Is("for_in_clause") {
			return c.Field("right")
		}
	}
	return code.Node{}
}

// placeOf is the place of a node.
func placeOf(n code.Node) agentgraph.Place {
	if !n.Valid() {
		return agentgraph.Place{}
	}
	return agentgraph.Place{Path: n.Path(), Line: n.Line(), End: n.EndLine()}
}

// placeOfDef is the place of a definition: its first line is the keyword's.
func placeOfDef(d *code.Definition) agentgraph.Place {
	if d == nil {
		return agentgraph.Place{}
	}
	return agentgraph.Place{Path: d.Module.Path, Line: d.Line(), End: d.Node.EndLine()}
}
