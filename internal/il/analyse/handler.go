package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Empty tells a handler in which nothing is written: its blocks only go on.
func (h Handler) Empty() bool {
	for _, b := range h.body {
		for _, in := range b.Instrs {
			if !silent(h.Function, in) || in.Op == il.Jump && in.Span.To > 0 && !within(in.Span, h.Catch.Span) {
				return false
			}
		}
	}
	return true
}

// silent tells an instruction that no statement makes but a jump. What is caught is read,
// too.
func silent(f *il.Function, in *il.Instr) bool {
	if in.Op == il.Get {
		return !slices.ContainsFunc(f.Versions[in.Dst].Uses, func(u *il.Instr) bool { return u.Op != il.Catch && !(u.Op == il.Get && silent(f, u)) })
	}
	return in.Op == il.Catch || in.Op == il.Assume || in.Op == il.Phi || in.Op == il.Jump || in.Op == il.Bind && !acts(f, in)
}

// Empty tells a function without a statement.
func (o *Outcome) Empty(f *il.Function) bool {
	if len(f.Blocks) != 1 || f.Lost != "" {
		return false
	}
	end := f.Blocks[0].Instrs[0]
	return end.Op == il.Return && end.Span.From == f.Span.To
}

// Hollow tells a function that does nothing, whatever it is given: it says something, raises
// NotImplementedError, or gives back what is empty or a parameter.
func (o *Outcome) Hollow(f *il.Function) bool {
	if len(f.Blocks) == 0 || f.Lost != "" {
		return false
	}
	for b, in := range f.Instructions() {
		if o.Dead != nil && o.Dead(f, b) {
			continue
		}
		switch in.Op {
		case il.Phi, il.Assume, il.Jump, il.Get:
		case il.Make, il.Call, il.Bind:
			if !says(f, in) && !o.said(f, in, 0) {
				return false
			}
		case il.Return:
			if !idle(f, in.Args[0]) {
				return false
			}
		case il.Raise:
			if !unwritten(f, in.Args[0]) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// says tells a call that prints or logs.
func says(f *il.Function, in *il.Instr) bool {
	object, _, _ := strings.Cut(strings.ToLower(in.Kind), ".")
	return in.Op == il.Call && slices.Contains([]string{"print", "log", "logger", "_logger", "logging"}, object)
}

// said tells an instruction that makes something for the end of a function that does nothing: what is
// said or raised, its callee, or an empty value. What the program itself makes is done.
func (o *Outcome) said(f *il.Function, in *il.Instr, depth int) bool {
	if depth > maxDepth || in.Dst == il.NoDst || f.Versions[in.Dst].Var[0] != '%' {
		return false
	}
	if in.Op == il.Call {
		if _, own := o.Names.Called(f, in); own != nil || len(f.Versions[in.Dst].Uses) == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(f.Versions[in.Dst].Uses, func(use *il.Instr) bool {
		switch use.Op {
		case il.Raise:
			return !unwritten(f, use.Args[0])
		case il.Return:
			return !idle(f, use.Args[0])
		}
		return !says(f, use) && !o.said(f, use, depth+1)
	})
}

// unwritten tells an exception that says that nothing is there yet.
func unwritten(f *il.Function, o il.Operand) bool {
	o = f.Root(o)
	def := f.Def(o)
	return f.Word(o) == "NotImplementedError" || def != nil && def.Op == il.Call && def.Kind == "NotImplementedError"
}

// idle tells a value of nothing: none, a container of containers without an element, a parameter.
func idle(f *il.Function, o il.Operand) bool {
	o = f.Root(o)
	if c, ok := f.Const(o); ok {
		return c.Type == il.NoneConst
	}
	if o.Kind == il.Local && f.Versions[o.ID].Param >= 0 {
		return f.Params[f.Versions[o.ID].Param].Name != "self"
	}
	def := f.Def(o)
	return def != nil && def.Op == il.Make && (len(def.Args) == 0 || def.Kind == "map" && !slices.ContainsFunc(def.Args, func(a il.Operand) bool {
		return f.Root(a).Kind == il.Local && f.Versions[f.Root(a).ID].Param >= 0 || !idle(f, a)
	}))
}

// Does tells whether an instruction of one of some kinds is in the handler.
func (h Handler) Does(ops ...il.Op) bool {
	return slices.ContainsFunc(h.body, func(b *il.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in *il.Instr) bool { return slices.Contains(ops, in.Op) })
	})
}

// Idle tells a branch that makes no difference: both its sides go on at the same place
// at once, and neither says so by a statement of its own.
func (o *Outcome) Idle(b *il.Block) bool {
	for _, s := range b.Succs {
		if len(s.Succs) != 1 || s.Succs[0] != b.Succs[0].Succs[0] || !within(s.End().Span, b.End().Span) {
			return false
		}
		for _, in := range s.Instrs {
			if in.Op != il.Jump && in.Op != il.Assume {
				return false
			}
		}
	}
	return true
}

// Conditional tells whether a condition of the function asks for what an instruction
// makes, or for a part of it.
func (o *Outcome) Conditional(f *il.Function, in *il.Instr) bool {
	var tests []*il.Instr
	for _, b := range f.Blocks {
		if end := b.End(); end.Op == il.Branch {
			tests = append(tests, end)
		}
	}
	seen := map[int32]bool{}
	for work := []int32{in.Dst}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == il.NoDst || seen[v] {
			continue
		}
		seen[v] = true
		if slices.ContainsFunc(tests, func(t *il.Instr) bool { return asks(f, v, t) }) {
			return true
		}
		for _, u := range f.Versions[v].Uses {
			if u.Op == il.Phi || u.Op == il.Assume || u.Op == il.Bind {
				work = append(work, u.Dst)
			}
		}
	}
	return false
}

// tries is the stretch of text whose exceptions come to a handler: from the first
// statement of its try to the first handler.
func (o *Outcome) tries(h Handler) (at il.Span) {
	at = il.Span{From: h.Catch.Span.From, To: h.Catch.Span.From}
	seen := map[*il.Block]bool{}
	for work := []*il.Block{h.Function.Block(h.Catch)}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		for _, p := range b.Preds {
			end := p.End()
			if first := catch(p.Succs[0]); first != nil {
				at.To = min(at.To, first.Span.From)
			}
			switch {
			case end.Op == il.Raise, len(p.Succs) > 1 && p.Succs[0] != b && catch(p.Succs[0]) == nil:
				at.From = min(at.From, end.Span.From)
			case forwards(p):
				work = append(work, p)
			}
		}
	}
	return at
}

// Tried are the instructions of the try statement whose exceptions come to a handler.
func (o *Outcome) Tried(h Handler) (out []*il.Instr) {
	at := o.tries(h)
	for _, in := range h.Function.Instructions() {
		if in.Span.To > 0 && within(at, in.Span) && in.Op != il.Jump {
			out = append(out, in)
		}
	}
	return out
}

// Apart tells whether what a handler goes on to is not run where all went well: it is
// what is done about the failure. With acts, it must do something.
func (o *Outcome) Apart(h Handler, acts bool) bool {
	f := h.Function
	var failed []*il.Block
	for _, b := range h.body {
		for _, s := range b.Succs {
			if !h.Holds(s) {
				failed = append(failed, s)
			}
		}
	}
	well := o.round(h, o.passed(h)...)
	if len(failed) == 0 || slices.ContainsFunc(failed, func(b *il.Block) bool { return well[b] }) {
		return false
	}
	if !acts {
		return true
	}
	at := o.tries(h)
	for _, b := range o.Onward(f, failed...) {
		if !well[b] && !lies(b, at) && !slices.Contains(o.Onward(f, b), f.Block(h.Catch)) && (b.End().Op == il.Raise || slices.ContainsFunc(b.Instrs, func(in *il.Instr) bool { return doing(f, in) })) {
			return true
		}
	}
	return false
}

// doing tells an instruction that makes a difference and binds no name only.
func doing(f *il.Function, in *il.Instr) bool { return in.Op != il.Bind && acts(f, in) }

// passed are the blocks where a run goes on when nothing of what was tried has failed.
func (o *Outcome) passed(h Handler) (out []*il.Block) {
	at := o.tries(h)
	for _, b := range h.Function.Blocks {
		if !lies(b, at) || b.End().Op == il.Raise {
			continue
		}
		for _, s := range b.Succs {
			if !lies(s, at) && !dispatches(s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// lies tells a block with an instruction from a stretch of text.
func lies(b *il.Block, at il.Span) bool {
	return slices.ContainsFunc(b.Instrs, func(in *il.Instr) bool { return in.Span.To > 0 && within(at, in.Span) })
}

// dispatches tells a block that exceptions go through to their handlers.
func dispatches(b *il.Block) bool {
	return catch(b) != nil || forwards(b) && slices.ContainsFunc(b.Succs, func(s *il.Block) bool { return catch(s) != nil })
}

// forwards tells a block that only goes on.
func forwards(b *il.Block) bool {
	return !slices.ContainsFunc(b.Instrs, func(in *il.Instr) bool { return in.Op != il.Phi && in.Op != il.Jump })
}

// round are the blocks that a run may come to from some before it comes to one that
// is before the handler on every way: that one begins another turn of a loop.
func (o *Outcome) round(h Handler, from ...*il.Block) map[*il.Block]bool {
	seen := map[*il.Block]bool{}
	home := h.Function.Block(h.Catch)
	for work := from; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b] {
			seen[b] = true
			if !b.Dominates(home) {
				work = append(work, b.Succs...)
			}
		}
	}
	return seen
}

// RaisesBehind tells whether something is raised behind the loop that a handler stands in, where it
// has had its last turn.
func (o *Outcome) RaisesBehind(h Handler) bool {
	home := h.Function.Block(h.Catch)
	for b := home; b != nil; b = b.Dominator() {
		if !slices.ContainsFunc(b.Preds, b.Dominates) || !slices.Contains(o.Onward(h.Function, home), b) {
			continue
		}
		for _, s := range b.Succs {
			if s.Dominates(home) {
				continue
			}
			for x := range o.round(h, s) {
				if end := x.End(); end.Op == il.Raise && end.Args[0].Kind != il.Opaque { // otherwise what no handler has caught goes on
					return true
				}
			}
		}
		return false
	}
	return false
}

// Asked tells whether the first thing behind a handler, or a function inside, asks for a
// name that was bound in its try.
func (o *Outcome) Asked(h Handler) bool {
	f := h.Function
	behind := map[*il.Block]bool{}
	for work := slices.Clone(h.body); len(work) > 0; work = work[1:] {
		for _, s := range work[0].Succs {
			if !behind[s] && !h.Holds(s) {
				behind[s] = true
				if forwards(s) {
					work = append(work, s)
				}
			}
		}
	}
	for _, in := range o.Tried(h) {
		if in.Op != il.Bind || !binds(f.Versions[in.Dst]) {
			continue
		}
		if def := f.Def(in.Args[0]); def != nil && def.Op == il.Set { // of a part
			continue
		}
		name := f.Versions[in.Dst].Var
		for b := range behind {
			end := b.End()
			for _, phi := range b.Instrs {
				if phi.Op == il.Phi && f.Versions[phi.Dst].Var == name && end.Op == il.Branch && asks(f, phi.Dst, end) {
					return true
				}
			}
		}
		if o.askedInside(f, name) {
			return true
		}
	}
	return false
}

// asks tells a branch whose condition reads a version.
func asks(f *il.Function, v int32, branch *il.Instr) bool {
	return slices.ContainsFunc(f.Versions[v].Uses, func(u *il.Instr) bool {
		return u == branch || u.Op != il.Phi && u.Op != il.Assume && u.Span.To > 0 && within(branch.Span, u.Span)
	})
}

// askedInside tells whether a function inside of another asks for a name of it.
func (o *Outcome) askedInside(f *il.Function, name string) bool {
	for _, g := range o.Names.inside[f] {
		for _, in := range g.Instructions() {
			if in.Op == il.Branch && slices.ContainsFunc(in.Args, func(a il.Operand) bool { return a.Kind == il.Free && g.Word(a) == name }) {
				return true
			}
		}
		if o.askedInside(g, name) {
			return true
		}
	}
	return false
}

// After tells whether every way to an instruction has passed a condition that hangs on one
// of some calls.
func (o *Outcome) After(f *il.Function, in *il.Instr, asks func(*il.Instr) bool) bool {
	for b := f.Block(in).Dominator(); b != nil; b = b.Dominator() {
		if end := b.End(); end.Op == il.Branch && slices.ContainsFunc(origins(f, end.Args), func(v il.Operand) bool {
			def := f.Def(v)
			return def != nil && def.Op == il.Call && asks(def)
		}) {
			return true
		}
	}
	return false
}
