package analyse

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Runs are the runs of a program from its entries, given what fails whenever it is
// run.
type Runs struct {
	a            *Analyses
	outcome      *Outcome // of runs that have something to do: each loop has a turn
	hoped, comes *Reach   // as if nothing failed, and as it is
	plain        *Reach   // see Off
	entries      []*il.Function
	run          func(*il.Function, *il.Block) []*il.Instr
	behind       map[*il.Function]Failure // see Behind
	beyond       *Reach
}

// Runs follows the runs from the entries: functions, or the top levels of modules.
func (a *Analyses) Runs(entries ...*il.Function) *Runs {
	outcome := &Outcome{Names: a.Names, Dead: a.Values.Dead, Failures: a.Failures, busy: true}
	outcome.solve()
	run := func(f *il.Function, b *il.Block) []*il.Instr {
		through, comes := outcome.ways(f)[b]
		switch {
		case !comes:
			return nil
		case through:
			return b.Instrs
		}
		return b.Instrs[:slices.Index(b.Instrs, outcome.stop(f, b))+1]
	}
	return &Runs{a: a, outcome: outcome, hoped: a.Reach(entries...), comes: reach(a.Names, run, nil, entries), entries: entries, run: run}
}

// Fails is the failure by which every run of a function ends.
func (r *Runs) Fails(f *il.Function) (Failure, bool) {
	if r.outcome.Never(f).Is != Yes {
		return Failure{}, false
	}
	return r.outcome.failing(f)
}

// Behind tells of functions that something outside of the program runs, and does not because
// of a failure. One that the program calls or hands on at other places than those is left out.
func (r *Runs) Behind(because map[*il.Function]Failure, there func(il.Place) bool) {
	r.behind, r.beyond = map[*il.Function]Failure{}, nil
	for f, x := range because {
		if !slices.ContainsFunc(r.a.Names.Sites(f), func(s Site) bool {
			_, comes := r.hoped.from[s.Function]
			return comes && (s.Call || !there(s.Function.Place(s.At.Span)))
		}) {
			r.behind[f] = x
		}
	}
	if len(r.behind) > 0 {
		r.beyond = reach(r.a.Names, func(f *il.Function, b *il.Block) []*il.Instr {
			if _, is := r.behind[f]; is {
				return nil
			}
			return r.run(f, b)
		}, nil, r.entries)
	}
}

// isBehind is the failure because of which what leads to a function is not run.
func (r *Runs) isBehind(f *il.Function) (Failure, bool) {
	if x, ok := r.behind[f]; ok || r.beyond == nil || r.beyond.Of(f).Is != No {
		return x, ok
	}
	for way, ok := r.hoped.from[f]; ok && way.by != nil; way, ok = r.hoped.from[way.by] {
		if x, ok := r.behind[way.by]; ok {
			return x, true
		}
	}
	return Failure{}, false
}

// Crash is the failure that keeps every run from an instruction of a function, or
// what the function gives back from its callers: it stands before it on all ways, the
// function or all its callers always fail, its file cannot be imported, or nothing comes
// to the function any more. Without an instruction it is asked of the function. False says
// nothing.
//
// It is sound as Failures is, and as far as runs begin with the entries; for files that are
// imported and not run by themselves.
func (r *Runs) Crash(f *il.Function, at *il.Instr) (Failure, bool) {
	top := f.Module.Top
	if x, ok := r.outcome.unimportable(f.Module); ok && (f != top || at == nil) {
		return x, true
	}
	for g, at := f, at; g != top; g, at = g.Outer, r.a.Definition(g) {
		if x, ok := r.a.never(g, at); ok {
			return x, true
		}
		if x, ok := r.outcome.before(g, at); ok {
			return x, true
		}
		if x, ok := r.vain(g, nil); ok {
			return x, true
		}
		if x, ok := r.isBehind(g); ok {
			return x, true
		}
	}
	if f == top {
		return r.outcome.before(top, at)
	}
	return r.cut(f)
}

// never is the condition that no value meets, and that an instruction stands under.
func (a *Analyses) never(f *il.Function, at *il.Instr) (Failure, bool) {
	if at == nil {
		return Failure{}, false
	}
	b := f.Block(at)
	if b == nil || !a.Values.Dead(f, b) {
		return Failure{}, false
	}
	for b != nil && a.Values.Dead(f, b) {
		b = b.Dominator()
	}
	if b == nil || b.End().Op != il.Branch {
		return Failure{}, false
	}
	return Failure{Answer: Answer{Yes, "no value meets the condition", []il.Place{f.Place(b.End().Span)}}, Function: f, At: b.End()}, true
}

// vain is the failure by which what a function would give back is lost: it always
// fails, or all that call it do and lose what they would give back.
func (r *Runs) vain(f *il.Function, seen []*il.Function) (Failure, bool) {
	if !gives(f) || slices.Contains(seen, f) || len(seen) > maxCalls {
		return Failure{}, false
	}
	if x, ok := r.outcome.failing(f); ok && r.outcome.Never(f).Is == Yes {
		return x, true
	}
	var cause Failure
	for _, s := range r.a.Names.Sites(f) {
		if _, comes := r.hoped.from[s.Function]; !comes {
			continue // a test
		}
		x, ok := r.vain(s.Function, append(seen[:len(seen):len(seen)], f))
		if !s.Call || !ok {
			return Failure{}, false
		}
		cause = x
	}
	return cause, cause.At != nil
}

// gives tells a function that gives back more than a constant.
func gives(f *il.Function) bool {
	for _, in := range f.Instructions() {
		if in.Op == il.Return && f.Root(in.Args[0]).Kind != il.Constant {
			return true
		}
	}
	return false
}

// cut is the failure because of which no run comes to a function to which one would
// come without it.
func (r *Runs) cut(f *il.Function) (Failure, bool) {
	if r.comes.Of(f).Is != No {
		return Failure{}, false
	}
	for way, ok := r.hoped.from[f]; ok && way.by != nil; way, ok = r.hoped.from[way.by] {
		if _, comes := r.comes.from[way.by]; comes {
			return r.outcome.failing(way.by)
		}
	}
	return Failure{}, false
}

// Never tells a line that no run of any program comes to: no way leads to it, or none that
// a value takes, in its function or where that is defined. It is sound as Dead is.
func (a *Analyses) Never(path string, line int) bool {
	f, _ := a.At(path, line)
	if f == nil || line < 1 || line > len(f.Module.Lines) {
		return false
	}
	from, next := f.Module.Lines[line-1], uint32(math.MaxUint32) // the first that stands there, or behind it
	if behind := a.Standing(f, from); len(behind) > 0 {
		next = behind[0].At.Span.From
	}
	for _, s := range f.Dropped {
		if from <= s.From {
			next = min(next, s.From)
		}
	}
	if line < len(f.Module.Lines) && next >= f.Module.Lines[line] && !a.passed(f, from) {
		return false // nothing stands there, and what stands before it runs
	}
	return a.passed(f, next)
}

// passed tells that no run comes to what stands last before a place, or there, or to where
// the function is defined.
func (a *Analyses) passed(f *il.Function, at uint32) bool {
	for ; f != nil; f = f.Outer {
		live, dead := -1, -1
		before := a.Standing(f, 0)
		if at < math.MaxUint32 {
			before = before[:len(before)-len(a.Standing(f, at+1))]
		}
		for _, s := range slices.Backward(before) {
			if !a.Values.Dead(f, s.Block) {
				live = int(s.At.Span.From)
				break
			}
			dead = max(dead, int(s.At.Span.From))
		}
		for _, s := range f.Dropped {
			if s.From <= at {
				dead = max(dead, int(s.From))
			}
		}
		if dead > live {
			return true
		}
		at = f.Span.From
	}
	return false
}

// Definition is the instruction that defines a function.
func (a *Analyses) Definition(f *il.Function) *il.Instr {
	if !a.defining[f.Outer] {
		a.defining[f.Outer] = true
		for _, in := range f.Outer.Instructions() {
			if in.Op == il.Define && a.defined[in.Ref] == nil {
				a.defined[in.Ref] = in
			}
		}
	}
	return a.defined[f]
}

// before is the failure before an instruction on all ways to it.
func (o *Outcome) before(f *il.Function, at *il.Instr) (Failure, bool) {
	if at == nil {
		return Failure{}, false
	}
	b, ways := f.Block(at), o.ways(f)
	if through, comes := ways[b]; b == nil || comes && (through || !before(b, o.stop(f, b), at)) {
		return Failure{}, false
	}
	return o.failing(f)
}

// failing is the first failure by which a run of a function ends, itself or in what
// it calls and imports; false where it may end by other means.
func (o *Outcome) failing(f *il.Function) (Failure, bool) {
	for range maxCalls {
		var first *il.Instr
		ways := o.ways(f)
		for _, b := range f.Blocks {
			through, comes := ways[b]
			if in := o.stop(f, b); comes && !through && (first == nil || in.Span.From < first.Span.From) {
				first = in
			}
		}
		if first == nil {
			return o.raises(f)
		}
		if x, ok := o.fails()[first]; ok {
			return x, true
		}
		if f = o.ended(f, first); f == nil {
			return Failure{}, false
		}
	}
	return Failure{}, false
}

// raises is the statement by which a function raises on every way.
func (o *Outcome) raises(f *il.Function) (Failure, bool) {
	if o.Never(f).Is != Yes {
		return Failure{}, false
	}
	for b := range o.ways(f) {
		if b.End().Op == il.Exit {
			return Failure{}, false
		}
	}
	for _, b := range f.Blocks {
		if in := b.End(); in.Op == il.Raise && len(b.Succs) == 0 {
			return Failure{Answer: Answer{Yes, "every way through " + cmp.Or(lastName(f.Name), "the file") + " raises", []il.Place{f.Place(in.Span)}}, Function: f, At: in}, true
		}
	}
	return Failure{}, false
}

// maxCalls bounds how deep a failure is looked for in what is called.
const maxCalls = 16

// fails are the failures by their instructions.
func (o *Outcome) fails() map[*il.Instr]Failure {
	if o.failures == nil {
		o.failures = map[*il.Instr]Failure{}
		if o.Failures != nil {
			for _, x := range o.Failures() {
				if x.Function.Module.Language == "python" {
					o.failures[x.At] = x
				}
			}
		}
	}
	return o.failures
}

// stop is the first instruction of a block behind which no run comes.
func (o *Outcome) stop(f *il.Function, b *il.Block) *il.Instr {
	i := slices.IndexFunc(b.Instrs, func(in *il.Instr) bool {
		_, fails := o.fails()[in]
		return fails || o.ended(f, in) != nil
	})
	if i < 0 {
		return nil
	}
	return b.Instrs[i]
}

// ended is the function that an instruction runs, and that never comes back: one
// that is called, or the top level of a file that is imported, or of a package around it.
func (o *Outcome) ended(f *il.Function, in *il.Instr) *il.Function {
	if g := o.callee(f, in); o.never[g] == Yes {
		return g
	}
	for _, m := range o.imported(f, in) {
		if o.never[m.Top] == Yes {
			return m.Top
		}
	}
	return nil
}

// imported are the files whose top levels an import runs.
func (o *Outcome) imported(f *il.Function, in *il.Instr) (out []*il.Module) {
	if in.Op != il.Import || f.Module.Language != "python" {
		return nil
	}
	out = slices.Clip(o.Names.loads(f.Module, in))
	for _, m := range out {
		out = append(out, slices.DeleteFunc(o.Names.around(m), func(p *il.Module) bool { return p == f.Module })...)
	}
	return out
}

// around are the packages that a file lies in, the innermost first: an import of it runs
// them, too.
func (n *Names) around(m *il.Module) (out []*il.Module) {
	for name := m.Name; strings.Contains(name, "."); {
		name = name[:strings.LastIndexByte(name, '.')]
		if p := n.parts[name]; p != nil {
			out = append(out, p)
		}
	}
	return out
}

// unimportable is the failure because of which a file cannot be imported. One that
// runs code of the program before it fails may be there to be run.
func (o *Outcome) unimportable(m *il.Module) (Failure, bool) {
	o.Never(m.Top)
	for _, t := range append([]*il.Module{m}, o.Names.around(m)...) {
		x, ok := o.failing(t.Top)
		if !ok || o.never[t.Top] != Yes {
			continue
		}
		for b := range o.ways(t.Top) {
			stop := o.stop(t.Top, b)
			for _, in := range b.Instrs {
				if g := o.callee(t.Top, in); g != nil {
					ok = false
				}
				if in == stop {
					break
				}
			}
		}
		if ok {
			return x, true
		}
	}
	return Failure{}, false
}
