package intree

import (
	"cmp"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Program is a program of Python with what its lowered code says of its runs: what is dead,
// what calls what, what an entry leads to. Calls, classes, entries and what runs are settled by
// Join and need no lock; who asks what an expression stands for or is worth holds it.
type Program struct {
	*code.Program
	Origins *Origins
	all     *analyse.Analyses
	bodies  map[*code.Definition]*il.Function
	of      map[*il.Function]*code.Definition
	marks   map[*code.Definition][]mark
	written map[code.Node][]*Call // a call, and the one that it makes by handing a function over
	callers map[*code.Definition][]*Call
	callees map[*code.Definition][]*code.Definition
	uses    map[*code.Definition][]code.Node
	handed  map[*code.Definition]bool
	taken   map[*code.Definition]bool // by a decorator
	hollow  map[*code.Definition]bool
	calls   []*Call
	byNode  map[code.Node]*Call
	within  map[*code.Definition][]*Call
	bases   map[*code.Definition][]Symbol
	below   map[*code.Definition][]*code.Definition
	symbols map[code.Node][]Symbol
	asking  map[code.Node]bool // what is being resolved
	settled bool               // bases are
	depth   int                // of operands that the question has led to
	work    int                // operands looked at for the question
	cuts    int                // how often a circle or a bound cut an answer short
	entries []Entry
	live    map[*code.Definition]bool
}

// mark is where something begins that is run, or is not.
type mark struct {
	from, to int
	dead     bool
}

// Join asks what is asked of the whole program, of which all are the analyses. The caller holds
// their lock.
func Join(p *code.Program, all *analyse.Analyses) *Program {
	x := &Program{Program: p, all: all, bodies: map[*code.Definition]*il.Function{}, of: map[*il.Function]*code.Definition{}, marks: map[*code.Definition][]mark{},
		byNode: map[code.Node]*Call{}, within: map[*code.Definition][]*Call{}, bases: map[*code.Definition][]Symbol{}, below: map[*code.Definition][]*code.Definition{}, symbols: map[code.Node][]Symbol{}, asking: map[code.Node]bool{},
		written: map[code.Node][]*Call{}, callers: map[*code.Definition][]*Call{}, callees: map[*code.Definition][]*code.Definition{},
		uses: map[*code.Definition][]code.Node{}, handed: map[*code.Definition]bool{}, taken: map[*code.Definition]bool{}, hollow: map[*code.Definition]bool{}}
	x.Origins = originsOf(x)
	var order []*code.Definition
	for _, m := range p.Modules {
		top := all.Names.Top(m.Path)
		if top == nil {
			continue
		}
		for f := range top.Module.All() {
			if d := x.Origins.Definition(f); d != nil {
				x.bodies[d], x.of[f] = f, d
				order = append(order, d)
			}
		}
	}
	x.derive()
	x.resolveCalls()
	for _, c := range x.calls {
		x.written[c.Node] = append(x.written[c.Node], c)
	}
	for _, d := range order {
		x.look(d, x.bodies[d])
		x.hollow[d] = d.IsFunction() && all.Outcome.Hollow(x.bodies[d])
	}
	for _, d := range order {
		slices.SortStableFunc(x.uses[d], before)
		x.uses[d] = slices.Compact(x.uses[d])
		slices.SortStableFunc(x.callers[d], func(a, b *Call) int { return before(a.Node, b.Node) })
		x.callers[d] = slices.Compact(x.callers[d])
	}
	x.entries = x.enter()
	x.live = x.LiveWithout()
	return x
}

// before is the order of the program's text.
func before(a, b code.Node) int {
	return cmp.Or(cmp.Compare(a.Path(), b.Path()), cmp.Compare(a.Start(), b.Start()))
}

// Body is the lowered code of a definition, nil where there is none.
func (x *Program) Body(d *code.Definition) *il.Function { return x.bodies[d] }

// Dead tells a node that no run comes to: see analyse.Analyses.Never.
func (x *Program) Dead(n code.Node) bool {
	if !n.Valid() {
		return false
	}
	if n.Module().Shadowed {
		return true
	}
	from, to := n.Start(), n.End()
	for d := x.Enclosing(n); d != nil; d = d.Parent {
		if passed(x.marks[d], from, to) {
			return true
		}
		if f := x.bodies[d]; f != nil {
			from, to = int(f.Span.From), int(f.Span.To)
		}
	}
	return false
}

// passed tells that no run comes to what stands in a stretch, or, where nothing does, to what
// begins last before it.
func passed(marks []mark, from, to int) bool {
	find := func(at int) int {
		i, _ := slices.BinarySearchFunc(marks, at, func(m mark, at int) int { return cmp.Compare(m.from, at) })
		return i
	}
	first := find(from)
	within := slices.DeleteFunc(slices.Clone(marks[first:find(to)]), func(m mark) bool { return m.to > to })
	if len(within) == 0 && first > 0 {
		within = marks[find(marks[first-1].from):first]
	}
	return len(within) > 0 && !slices.ContainsFunc(within, func(m mark) bool { return !m.dead })
}

// Callers are the calls that may run a definition and that a run may come to; for a class, the
// constructions.
func (x *Program) Callers(d *code.Definition) []*Call { return slices.Clone(x.callers[d]) }

// Callees are the definitions of the program that a definition calls, then those that it hands on.
func (x *Program) Callees(d *code.Definition) []*code.Definition { return slices.Clone(x.callees[d]) }

// Uses are the nodes that stand for a definition, imports and types apart, in source order.
func (x *Program) Uses(d *code.Definition) []code.Node { return slices.Clone(x.uses[d]) }

// PassedOn tells a definition that is stored, returned, handed to a call or registered by a
// decorator: what calls it may not be in sight.
func (x *Program) PassedOn(d *code.Definition) bool { return x.handed[d] }

// Hollow tells a function that does nothing, that no class below has another one of, and that no
// decorator may make more of.
func (x *Program) Hollow(d *code.Definition) bool {
	return x.hollow[d] && !x.taken[d] && (d.Kind != code.DefMethod || !slices.ContainsFunc(x.Subclasses(d.Parent), func(sub *code.Definition) bool {
		return slices.ContainsFunc(sub.Inner(), func(m *code.Definition) bool { return m.Name == d.Name })
	}))
}

// Entries are the entry points: see enter.
func (x *Program) Entries() []Entry { return slices.Clone(x.entries) }

// Live is what the entries may run: see Reachable.
func (x *Program) Live() map[*code.Definition]bool { return x.live }

// LiveWithout is Live but for what is reached only by way of some definitions. The caller holds
// the lock of the analyses.
func (x *Program) LiveWithout(without ...*code.Definition) map[*code.Definition]bool {
	var from []*code.Definition
	for _, e := range x.entries {
		if e.Def != nil {
			from = append(from, e.Def)
		}
	}
	return x.reach(from, without)
}

// Reachable is what may run when some definitions do, they and the modules around them among it:
// see analyse.Names.Leads. The caller holds the lock of the analyses.
func (x *Program) Reachable(from ...*code.Definition) map[*code.Definition]bool {
	return x.reach(from, nil)
}

// started tells a block of a file that only runs where the program is started with the file.
func started(f *il.Function, b *il.Block) bool {
	return f.Kind == il.Top && slices.ContainsFunc(f.Blocks, func(test *il.Block) bool {
		end := test.End()
		return end.Op == il.Branch && end.Kind == "==" && slices.ContainsFunc(end.Args, func(o il.Operand) bool { return f.Word(f.Root(o)) == "__name__" }) && test.Succs[0].Dominates(b)
	})
}

// leads tells a definition that may run what another file of production code defines.
func (x *Program) leads(d *code.Definition) bool {
	for to := range x.Reachable(d) {
		if to.Kind != code.DefModule && to.Module != d.Module && to.Module.Scope == code.ScopeProduction {
			return true
		}
	}
	return false
}

func (x *Program) reach(from, without []*code.Definition) map[*code.Definition]bool {
	not := map[*il.Function]bool{}
	for _, d := range without {
		not[x.bodies[d]] = true
	}
	var entries []*il.Function
	for _, d := range from {
		if f := x.bodies[d]; f != nil && !not[f] {
			entries = append(entries, f)
		}
	}
	dead := func(f *il.Function, b *il.Block) bool {
		return not[f] || x.all.Values.Dead(f, b) || !slices.Contains(entries, f) && started(f, b)
	}
	r := x.all.Names.Leads(dead, func(f *il.Function) (out []*il.Function) {
		if f.Kind == il.Top { // what it hands on is met where it runs
			return nil
		}
		more := x.callees[x.of[f]]
		if d := x.of[f]; d != nil && d.Kind == code.DefMethod { // somebody made the object
			more = append(slices.Clip(more), x.makers(d.Parent)...)
			out = slices.DeleteFunc(x.all.Names.Unlisted(x.bodies[d.Parent], d.Name), func(g *il.Function) bool { return not[g] })
		}
		for _, d := range more {
			if !not[f] {
				out = append(out, x.bodies[d])
			}
		}
		return out
	}, entries...)
	out := map[*code.Definition]bool{}
	for d, f := range x.bodies {
		if !not[f] && r.Of(f).Is == analyse.Yes {
			out[d] = true
		}
	}
	return out
}

// Lock is that of the analyses: who asks what a name stands for holds it.
func (x *Program) Lock() { x.all.Lock() }

// Unlock lets others ask.
func (x *Program) Unlock() { x.all.Unlock() }
