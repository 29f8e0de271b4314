package judicial

import (
	"iter"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// region is a part of the program: where it is entered, and every first-party
// function that may run then, nearest first.
type programPart struct {
	roots []*code.Definition
	wired bool // the roots are nodes of the graph
	defs  []*code.Definition
	depth map[*code.Definition]int
}

// Bounds of a part.
const (
	maxRoomDepth = 8
	maxRoomDefs  = 400
)

// enter collects what runs from the roots. Modules are left out: importing a
// file is not taking part. Code outside production is not entered.
func enter(p *intree.Program, l *lowered, roots []*code.Definition, wired bool) *programPart {
	r := &programPart{roots: roots, wired: wired, depth: map[*code.Definition]int{}}
	var queue []*code.Definition
	push := func(d *code.Definition, depth int) {
		if _, ok := r.depth[d]; ok || d.Kind == code.DefModule || d.Module.Scope != code.ScopeProduction ||
			depth > maxRoomDepth || len(r.defs) >= maxRoomDefs || l.off(d.Node) {
			return
		}
		r.depth[d] = depth
		r.defs = append(r.defs, d)
		queue = append(queue, d)
	}
	for _, root := range roots { // all that the first root leads to stands before the next
		push(root, 0)
		for len(queue) > 0 {
			d := queue[0]
			queue = queue[1:]
			for _, next := range r.next(p, d) {
				push(next, r.depth[d]+1)
			}
		}
	}
	return r
}

// next lists what a definition of the part may run: what it calls and hands
// on, what is defined inside, the constructor of its object, the function that
// it was made in, and of a class that is constructed the methods by which
// models are asked.
func (r *programPart) next(p *intree.Program, d *code.Definition) []*code.Definition {
	out := p.Callees(d)
	out = slices.Clone(out)
	switch d.Kind {
	case code.DefMethod:
		if m := p.Method(d.Parent, "__init__"); m != nil {
			out = append(out, m)
		}
	case code.DefClass:
		for _, m := range d.Inner() {
			if m.IsFunction() && (r.depth[d] == 0 || slices.Contains(asking, m.Name) || slices.Contains(binders, m.Name)) {
				out = append(out, m)
			}
		}
	default: // nothing more is run
	}
	if d.Parent != nil && d.Parent.IsFunction() && makes(d.Parent, d) {
		out = append(out, d.Parent)
	}
	if d.IsFunction() {
		for _, in := range d.Inner() {
			if in.IsFunction() {
				out = append(out, in)
			}
		}
	}
	return out
}

// makes reports whether a function returns the function inside it.
func makes(factory, inner *code.Definition) bool {
	return slices.ContainsFunc(factory.ReturnValues(), func(v code.Node) bool { return v.Is("identifier") && v.Text() == inner.Name })
}

func (r *programPart) holds(d *code.Definition) bool { _, ok := r.depth[d]; return ok }

// nodes are those of the functions of the part, functions inside them apart.
func (r *programPart) nodes() iter.Seq2[*code.Definition, code.Node] {
	return func(yield func(*code.Definition, code.Node) bool) {
		for _, d := range r.defs {
			if !d.IsFunction() {
				continue
			}
			for n := range d.Body().WalkScope() {
				if !yield(d, n) {
					return
				}
			}
		}
	}
}

// calls lists the live calls made in the room, nearest function first.
func (r *programPart) calls(p *intree.Program, l *lowered) []*intree.Call {
	var out []*intree.Call
	for _, d := range r.defs {
		if !d.IsFunction() || d.Kind == code.DefLambda && r.holds(d.Parent) {
			continue
		}
		for _, c := range p.CallsIn(d) {
			if !l.off(c.Node) {
				out = append(out, c)
			}
		}
	}
	return out
}
