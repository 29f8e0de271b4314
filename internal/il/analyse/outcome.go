package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Outcome tells how code ends: what a handler does with an exception, which
// functions never come back, and whether what is opened is closed on every way.
//
// "Drops" and "never returns" are sound: they are said where no way does
// otherwise. It trusts that the functions of a language that are said to leave do,
// and takes every edge of a branch for possible but for those that Dead excludes.
type Outcome struct {
	Names *Names
	// Dead excludes blocks that no run enters; nil: none.
	Dead func(*il.Function, *il.Block) bool
	// Failures are what raises whenever a run comes to it; nil: none is known.
	Failures func() []Failure

	busy     bool // a loop has a turn: what every turn ends is never left
	never    map[*il.Function]Tri
	known    map[*il.Function]map[*il.Block]bool // ways, once never is final; nil before
	failures map[*il.Instr]Failure
}

// Fate is what becomes of an exception in a handler.
type Fate uint8

// The fates. A handler that does one thing here and another there has the first
// that applies.
const (
	Handled Fate = iota // something is called, set, or given back
	Raised              // every way leaves by an exception or ends the program
	Dropped             // nothing happens on any way, or a constant that is empty is given back
)

// Handler is a place that catches exceptions.
type Handler struct {
	Function *il.Function
	Catch    *il.Instr
	Fate     Fate
	At       il.Place
	body     []*il.Block
}

// Handlers are those of a function, in the order of the text.
func (o *Outcome) Handlers(f *il.Function) (out []Handler) {
	for b, in := range f.Instructions() {
		if in.Op != il.Catch || o.Dead != nil && o.Dead(f, b) {
			continue
		}
		out = append(out, o.handler(f, b, in))
	}
	slices.SortFunc(out, func(a, b Handler) int { return int(a.Catch.Span.From) - int(b.Catch.Span.From) })
	return out
}

func (o *Outcome) handler(f *il.Function, b *il.Block, catch *il.Instr) Handler {
	h := Handler{Function: f, Catch: catch, At: f.Place(catch.Span)}
	for _, c := range f.Blocks {
		if b.Dominates(c) && within(catch.Span, c.Instrs[0].Span) {
			h.body = append(h.body, c)
		}
	}
	h.Fate = fate(f, h.body)
	return h
}

// within tells whether a span lies in another; one of nothing lies anywhere.
func within(outer, inner il.Span) bool {
	return inner.To == 0 || outer.From <= inner.From && inner.To <= outer.To
}

// fate is what happens in the blocks that a handler dominates.
func fate(f *il.Function, body []*il.Block) Fate {
	raises := len(body) > 0
	for _, b := range body {
		raises = raises && b.End().Op != il.Return
		for _, s := range b.Succs {
			raises = raises && (b.End().Op == il.Raise || slices.Contains(body, s))
		}
	}
	if raises {
		return Raised
	}
	for _, b := range body {
		if slices.ContainsFunc(b.Instrs, func(in *il.Instr) bool { return acts(f, in) }) {
			return Handled
		}
	}
	return Dropped
}

// acts tells an instruction that makes a difference.
func acts(f *il.Function, in *il.Instr) bool {
	switch in.Op {
	case il.Call, il.Set, il.Yield, il.Unknown, il.Define, il.Delete:
		return true
	case il.Bind:
		def := f.Def(in.Args[0])
		return in.Kind != "" || def == nil || def.Op != il.Catch // "except E as e" binds e
	case il.Return:
		return !hollow(f, in.Args[0])
	default:
		return false
	}
}

// hollow tells a constant that says nothing: none, a truth, nought, an empty text
// or container, a list of such. Keys say what is not there.
func hollow(f *il.Function, o il.Operand) bool {
	o = f.Root(o)
	if c, ok := f.Const(o); ok {
		return c.Num == 0 && (c.Type != il.StrConst || c.Text == "") || c.Type == il.BoolConst
	}
	def := f.Def(o)
	return def != nil && def.Op == il.Make && (def.Kind == "list" && !slices.ContainsFunc(def.Args, func(a il.Operand) bool { return !hollow(f, a) }) || def.Kind == "map" && len(def.Args) == 0)
}

// Catches are the types that a handler names: dotted paths, and names of classes
// of the program; none where it catches all.
func (o *Outcome) Catches(h Handler) (types []string) {
	for _, a := range h.Catch.Args {
		s := o.Names.Operand(h.Function, a)
		switch {
		case s != nil && s.Outside != "":
			types = append(types, s.Outside)
		case s != nil && s.Function != nil:
			types = append(types, s.Function.Name)
		default:
			types = append(types, "?")
		}
	}
	return types
}

// Never answers whether a function never comes back by a return: every way ends in
// an exception, or in a function that never does.
func (o *Outcome) Never(f *il.Function) Answer {
	if o.never == nil {
		o.solve()
	}
	a := Answer{Is: o.never[f]}
	switch a.Is {
	case Yes:
		a.Why, a.Places = "every way raises", []il.Place{f.Place(f.Span)}
		ways := o.ways(f)
		for _, b := range f.Blocks {
			if end := b.End(); ways[b] && (end.Op == il.Raise || end.Op == il.Exit) && len(b.Succs) == 0 {
				a.Places = append(a.Places, f.Place(end.Span))
			}
		}
	case Unknown:
		a.Why = "its body is not known"
	default:
		a.Why = "a way returns"
	}
	return a
}

// solve finds the functions that never return: one more each round, until none is
// found. A function is asked again only where one that it calls was found.
func (o *Outcome) solve() {
	o.never = map[*il.Function]Tri{}
	callers := map[*il.Function][]*il.Function{}
	var work []*il.Function
	for f := range o.Names.program.All() {
		if len(f.Blocks) == 0 || f.Lost != "" {
			continue
		}
		o.never[f] = No
		work = append(work, f)
		for _, in := range f.Instructions() {
			if g := o.callee(f, in); g != nil {
				callers[g] = append(callers[g], f)
			}
			for _, m := range o.imported(f, in) {
				callers[m.Top] = append(callers[m.Top], f)
			}
		}
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		if o.never[f] != No || o.returns(f) {
			continue
		}
		o.never[f] = Yes
		work = append(work, callers[f]...)
	}
	o.known = map[*il.Function]map[*il.Block]bool{}
}

// callee is the function of the program that an instruction calls and waits for.
func (o *Outcome) callee(f *il.Function, in *il.Instr) *il.Function {
	if in.Op != il.Call || in.Mode == il.Spawned || in.Mode == il.Deferred || in.Mode == il.Decorate {
		return nil
	}
	s := o.Names.Operand(f, in.Args[0])
	if s == nil || s.Function == nil || s.Function.Kind == il.ClassBody || len(s.Function.Decorators) > 0 || s.Function.Async && in.Mode != il.Awaited || yields(s.Function) {
		return nil
	}
	return s.Function
}

// yields tells a generator: calling it runs nothing.
func yields(f *il.Function) bool {
	for _, in := range f.Instructions() {
		if in.Op == il.Yield && in.Kind != "await" {
			return true
		}
	}
	return false
}

func (o *Outcome) returns(f *il.Function) bool {
	if yields(f) {
		return true
	}
	for b, through := range o.ways(f) {
		if through && b.End().Op == il.Return {
			return true
		}
	}
	return false
}

// ways are the blocks that a run may come to, and whether it comes to their end, if
// calls that never return do not.
func (o *Outcome) ways(f *il.Function) map[*il.Block]bool {
	if known := o.known[f]; known != nil {
		return known
	}
	ways := map[*il.Block]bool{}
	for work := slices.Clone(f.Blocks[:min(1, len(f.Blocks))]); len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if _, seen := ways[b]; seen || o.Dead != nil && o.Dead(f, b) {
			continue
		}
		stop := o.stop(f, b)
		if ways[b] = stop == nil; !ways[b] {
			work = append(work, tried(b, stop)...)
			continue
		}
		for i, s := range b.Succs {
			switch {
			case o.busy && b.End().Op == il.Loop && i > 0:
			case o.busy && s.End().Op == il.Loop && s.Dominates(b): // a turn is over
				work = append(work, s.Succs[1:]...)
			default:
				work = append(work, s)
			}
		}
	}
	if o.known != nil {
		o.known[f] = ways
	}
	return ways
}
