package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// outage is what happens to the judges when no model can be had.
type outage struct {
	b     *bench
	fails map[*il.Instr]bool // makes or asks a model, or refuses to go on without one
	gives map[*il.Instr]bool // makes an opinion that needs no answer
	spare map[*il.Instr]bool // known from spared
}

// caught is where an exception of a call on the way is caught for good.
type caught struct {
	call
	by analyse.Handler
}

func (b *bench) outage() *outage {
	return b.outages.get(func() *outage {
		o := &outage{b: b, fails: map[*il.Instr]bool{}, gives: map[*il.Instr]bool{}, spare: map[*il.Instr]bool{}}
		needs := b.demanding()
		known := map[code.Node]bool{}
		for _, x := range b.builds(b.judges) {
			known[x.call.Node] = true
			if c, ok := b.il.call(x.call.Node); ok && !x.asked && !x.quotes {
				o.gives[c.in] = true
			}
		}
		for _, c := range b.p.Calls() {
			x, ok := b.il.call(c.Node)
			if !ok || b.il.off(c.Node) {
				continue
			}
			if needs[c.Node] || b.models.calls(c) || b.bindsNone(x, c) {
				o.fails[x.in] = true
			}
			if !known[c.Node] && (c.Callee.Def == nil || !c.Callee.Def.IsFunction()) && b.standsIn(c) {
				o.gives[x.in] = true
			}
		}
		for f := range b.il.Program.All() {
			for k, in := range f.Instructions() {
				if in.Op == il.Raise && f.Module.Language == "python" && o.refuses(f, k) {
					o.fails[in] = true
				}
				if in.Op == il.Make && in.Kind == "map" && opinionKeys(in.Names) {
					o.gives[in] = true
				}
			}
		}
		return o
	})
}

// opinionKeys tells the keys of an opinion.
func opinionKeys(names []string) bool {
	has := func(kind string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return kindOfField(n) == kind })
	}
	return has("score") && has("argument")
}

// bindsNone reports whether a call binds a schema to a model that may be none.
func (b *bench) bindsNone(x call, c *intree.Call) bool {
	w := &analyse.Origins{Names: b.il.Names}
	return slices.Contains(binders, c.Name) && slices.ContainsFunc(w.Of(x.f, receiver(x.f, x.in), x.in), func(from analyse.Origin) bool {
		value, ok := from.Function.Const(from.Operand)
		return from.Kind == analyse.FromConst && !from.Part && ok && value.Type == il.NoneConst
	})
}

// exposed is a construction of a client that needs a key, a call of a model, or a
// refusal to go on without one, whose exception nothing catches on the way to it
// from a judge's function or from importing the judges' files.
func (b *bench) exposed() (court.Place, bool) {
	seen := map[*il.Function]bool{}
	for _, f := range b.entries() {
		if at, ok := b.outage().open(f, seen, 0); ok {
			return at, true
		}
	}
	for _, d := range b.judges.defs {
		if f := b.il.function(d); f != nil {
			if at, ok := b.outage().open(f.Module.Top, seen, 0); ok {
				return at, true
			}
		}
	}
	return court.Place{}, false
}

// entries are the functions in which the judges begin, behind the constructors of
// their objects.
func (b *bench) entries() (out []*il.Function) {
	for _, d := range b.judges.roots {
		f := b.il.function(d)
		if f == nil {
			continue
		}
		if m := b.il.constructor(f); m != nil {
			out = append(out, m)
		}
		out = append(out, f)
	}
	return out
}

func (o *outage) open(f *il.Function, seen map[*il.Function]bool, depth int) (court.Place, bool) {
	if seen[f] || depth > maxRoomDepth {
		return court.Place{}, false
	}
	seen[f] = true
	for k, in := range written(f) {
		next := o.b.il.next()[in]
		if o.b.il.Values.Dead(f, k) || !o.fails[in] && next == nil || o.spared(f, k) || len(next) > 1 && o.b.il.chosen(f, in) {
			continue
		}
		if _, ok := o.catcher(f, in); ok {
			continue
		}
		if o.fails[in] {
			return lies(f, in.Span), true
		}
		for _, next := range next {
			if at, ok := o.open(next, seen, depth+1); ok {
				return at, true
			}
		}
	}
	return court.Place{}, false
}

// catcher is the innermost handler of a function that keeps any exception of an
// instruction in it.
func (o *outage) catcher(f *il.Function, in *il.Instr) (analyse.Handler, bool) {
	by, _ := o.b.il.Outcome.Thrown(f, in)
	for _, h := range by {
		if types := o.b.il.Outcome.Catches(h); len(types) > 0 && !slices.ContainsFunc(types, catchesAll) {
			continue
		}
		if h.Fate == analyse.Raised {
			return o.catcher(f, h.Catch)
		}
		return h, true
	}
	return analyse.Handler{}, false
}

func catchesAll(exception string) bool {
	return exception == "builtins.Exception" || exception == "builtins.BaseException"
}

// silenced is a place where making or asking the model fails inside a handler after
// which no opinion is made; false unless every judge has one.
func (b *bench) silenced() (first court.Place, ok bool) {
	for _, root := range b.judges.roots {
		f := b.il.function(root)
		if f == nil {
			return court.Place{}, false
		}
		at, found := b.outage().lost(f, f, caught{}, map[stop]bool{}, 0)
		if m := b.il.constructor(f); !found && m != nil {
			at, found = b.outage().lost(f, m, caught{}, map[stop]bool{}, 0)
		}
		if !found {
			return court.Place{}, false
		}
		if !ok {
			first, ok = at, true
		}
	}
	return first, ok
}

// stop is a function, and where what it raises is caught.
type stop struct {
	f  *il.Function
	by *il.Instr
}

// lost looks, from a judge's function, for a failure that is caught and leaves no
// opinion. What f raises is caught by what is given, if anything.
func (o *outage) lost(root, f *il.Function, by caught, seen map[stop]bool, depth int) (court.Place, bool) {
	if seen[stop{f, by.by.Catch}] || depth > maxRoomDepth {
		return court.Place{}, false
	}
	seen[stop{f, by.by.Catch}] = true
	for k, in := range written(f) {
		next := o.b.il.next()[in]
		if o.b.il.Values.Dead(f, k) || !o.fails[in] && next == nil || o.spared(f, k) || len(next) > 1 && o.b.il.chosen(f, in) {
			continue
		}
		by := by
		if own, ok := o.catcher(f, in); ok {
			by = caught{call{f, in}, own}
		}
		if o.fails[in] && by.f != nil && !o.speaks(root, by) {
			return lies(f, in.Span), true
		}
		for _, next := range next {
			if at, ok := o.lost(root, next, by, seen, depth+1); ok {
				return at, true
			}
		}
	}
	return court.Place{}, false
}

// speaks tells that an opinion without an answer may be made when a call fails and
// is caught: by what runs from the judge's function, but for what runs only when
// the call has come back.
func (o *outage) speaks(root *il.Function, by caught) bool {
	seen := map[*il.Function]bool{}
	var from func(f *il.Function, depth int) bool
	from = func(f *il.Function, depth int) bool {
		if seen[f] || depth > maxRoomDepth {
			return false
		}
		seen[f] = true
		runs := o.left(f, by)
		for k, in := range f.Instructions() {
			if !runs[k] || f == by.f && k == f.Block(by.in) && in.Span.From >= by.in.Span.From {
				continue
			}
			if o.gives[in] {
				return true
			}
			for _, next := range o.b.il.next()[in] {
				if from(next, depth+1) {
					return true
				}
			}
			if in.Op == il.Define && from(in.Ref, depth+1) {
				return true
			}
		}
		return f.Outer != nil && f.Outer.Kind == il.Plainly && from(f.Outer, depth+1)
	}
	m := o.b.il.constructor(root)
	return m != nil && from(m, 0) || from(root, 0)
}

// left are the blocks of a function that a run may come to though a call fails.
func (o *outage) left(f *il.Function, by caught) map[*il.Block]bool {
	out := map[*il.Block]bool{}
	if len(f.Blocks) == 0 {
		return out
	}
	var home *il.Block
	if f == by.f {
		home = f.Block(by.in)
	}
	for work := []*il.Block{f.Blocks[0]}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if out[k] || o.b.il.Values.Dead(f, k) {
			continue
		}
		out[k] = true
		if k == home {
			work = append(work, f.Block(by.by.Catch))
			continue
		}
		work = append(work, k.Succs...)
	}
	return out
}
