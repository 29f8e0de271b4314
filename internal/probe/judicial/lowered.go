package judicial

import (
	"iter"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// lowered is the code as questions about values, handlers and ways see it.
type lowered struct {
	*analyse.Analyses
	given  map[*il.Function][]call         // nil before it is asked for
	makers map[*il.Function][]analyse.Site // nil before it is asked for
	nexts  map[*il.Instr][]*il.Function    // nil before it is asked for

	dropped map[string][]il.Span // by path: what no way leads to
}

// call is a call in the function that makes it.
type call struct {
	f  *il.Function
	in *il.Instr
}

// call is the call that a node writes; false where it was not lowered.
func (l *lowered) call(n code.Node) (c call, ok bool) {
	for _, s := range l.Written(n.Path(), n.Start(), n.End()) {
		if s.Call && s.At.Mode != il.Decorate && s.At.Mode != il.Deferred {
			c, ok = call{s.Function, s.At}, true
		}
	}
	return c, ok
}

// off tells a part of the tree that no run comes to.
func (l *lowered) off(n code.Node) bool {
	for _, s := range l.Written(n.Path(), n.Start(), n.End()) {
		return l.Values.Dead(s.Function, s.Function.Block(s.At))
	}
	dropped, known := l.dropped[n.Path()]
	if top := l.Names.Top(n.Path()); top != nil && !known {
		for f := range top.Module.All() {
			dropped = append(dropped, f.Dropped...)
		}
		l.dropped[n.Path()] = dropped
	}
	return slices.ContainsFunc(dropped, func(s il.Span) bool { return int(s.From) <= n.Start() && n.End() <= int(s.To) }) || n.Module().Shadowed
}

// function is the function that a definition writes, nil where it was not lowered.
func (l *lowered) function(d *code.Definition) *il.Function {
	n := d.Node
	if n.Parent().Is("decorated_definition") {
		n = n.Parent()
	}
	return l.Defined(n.Path(), n.Start(), n.End())
}

// way is what leads to certain instructions: the functions in which one of them is
// run in the end, and the calls there that run it or hand over who does.
type way struct {
	in map[*il.Function]bool
	at map[*il.Instr]bool
}

// leading follows instructions to all who call their functions, through objects,
// and through what is handed over to be called.
func (l *lowered) leading(to []call) *way {
	w := &way{map[*il.Function]bool{}, map[*il.Instr]bool{}}
	var work []*il.Function
	enter := func(f *il.Function) {
		if f != nil && f.Kind != il.Top && !w.in[f] {
			w.in[f] = true
			work = append(work, f)
		}
	}
	for _, c := range to {
		w.at[c.in] = true
		enter(c.f)
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		for _, c := range l.callers(f) {
			if c.in.Op == il.Call {
				w.at[c.in] = true
			}
			enter(c.f)
		}
		if f.Kind == il.Lambda || f.Kind == il.ClassBody {
			enter(f.Outer)
		}
	}
	return w
}

// callers are the calls that run a function, its constructions, and where it is handed on.
func (l *lowered) callers(f *il.Function) []call {
	out := slices.Clone(l.handed()[f])
	for _, s := range append(l.Names.Sites(f), l.constructions(f)...) {
		out = append(out, call{s.Function, s.At})
	}
	return out
}

// handed are, for a function, the calls of a parameter or of what a call gave that
// may be one of it.
func (l *lowered) handed() map[*il.Function][]call {
	if l.given != nil {
		return l.given
	}
	l.given = map[*il.Function][]call{}
	w := &analyse.Origins{Names: l.Names}
	for f := range l.Program.All() {
		for in := range calls(f) {
			callee := f.Root(in.Args[0])
			def := f.Def(callee)
			if f.Module.Language != "python" || l.Names.Operand(f, callee) != nil || def != nil && def.Op != il.Call {
				continue
			}
			for _, from := range w.Of(f, callee, in) {
				if g := from.Symbol.Function; g != nil && from.Kind == analyse.FromName {
					l.given[g] = append(l.given[g], call{f, in})
				}
			}
		}
	}
	return l.given
}

// below are the functions that a run may come to from one by calls that can be
// followed, without itself unless it is called again.
func (l *lowered) below(f *il.Function) map[*il.Function]bool {
	out := map[*il.Function]bool{}
	for work := []*il.Function{f}; len(work) > 0; {
		g := work[0]
		work = work[1:]
		for _, in := range g.Instructions() {
			for _, next := range l.next()[in] {
				if !out[next] {
					out[next] = true
					work = append(work, next)
				}
			}
		}
	}
	return out
}

// next are, for a call, the functions of the program that it runs, as far as they
// are known: what it calls or may call, constructors, and what it hands on.
func (l *lowered) next() map[*il.Instr][]*il.Function {
	if l.nexts != nil {
		return l.nexts
	}
	l.nexts = map[*il.Instr][]*il.Function{}
	add := func(in *il.Instr, f *il.Function) {
		if in.Op == il.Call && in.Mode != il.Decorate && !slices.Contains(l.nexts[in], f) {
			l.nexts[in] = append(l.nexts[in], f)
		}
	}
	for f := range l.Program.All() {
		for _, c := range l.callers(f) {
			if f.Kind != il.ClassBody {
				add(c.in, f)
			}
		}
	}
	return l.nexts
}

// chosen tells a call whose callee is one of several, as a table gives them.
func (l *lowered) chosen(f *il.Function, in *il.Instr) bool {
	s := l.Names.Operand(f, in.Args[0])
	return s == nil || s.Function == nil && s.Outside == ""
}

// constructions are the places where an object is made whose constructor is f, its
// own or that of a class above it.
func (l *lowered) constructions(f *il.Function) []analyse.Site {
	if l.makers == nil {
		l.makers = map[*il.Function][]analyse.Site{}
		for body := range l.Program.All() {
			if body.Kind != il.ClassBody {
				continue
			}
			if m := l.Names.Method(body, "__init__"); m != nil {
				l.makers[m] = append(l.makers[m], l.Names.Sites(body)...)
			}
		}
	}
	return l.makers[f]
}

// constructor is what makes the object of a method; nil for other functions, and
// where nothing does.
func (l *lowered) constructor(f *il.Function) *il.Function {
	if f.Outer == nil || f.Outer.Kind != il.ClassBody {
		return nil
	}
	return l.Names.Method(f.Outer, "__init__")
}

// lies is a place of at most ten lines.
func lies(f *il.Function, at il.Span) court.Place {
	p := f.Place(at)
	return court.Place{Path: p.Path, Line: p.Line, EndLine: min(p.EndLine, p.Line+9)}
}

// around are the instructions of the stretch that a node writes: its call, else
// what reads it, as calls of no other use than to say where they are.
func (l *lowered) around(n code.Node) (out []call) {
	if c, ok := l.call(n); ok {
		return []call{c}
	}
	for _, s := range l.Written(n.Path(), n.Start(), n.End()) {
		if !s.At.Op.Ends() {
			out = append(out, call{s.Function, s.At})
		}
	}
	return out
}

// outside is the full name of what a call calls outside of the program; "" for
// others.
func (l *lowered) outside(f *il.Function, in *il.Instr) string {
	if s := l.Names.Operand(f, in.Args[0]); s != nil {
		return s.Outside
	}
	return ""
}

// callee is the function of the program that a call calls; nil for others.
func (l *lowered) callee(f *il.Function, in *il.Instr) *il.Function {
	if s := l.Names.Operand(f, in.Args[0]); s != nil {
		return s.Function
	}
	return nil
}

// atMost is the largest of the numbers that an operand may be, where it comes from
// nothing but constants.
func (l *lowered) atMost(f *il.Function, o il.Operand, use *il.Instr) (most float64, ok bool) {
	w := &analyse.Origins{Names: l.Names}
	for i, from := range w.Of(f, o, use) {
		c, known := from.Function.Const(from.Operand)
		if from.Kind != analyse.FromConst || from.Part || !known || c.Type != il.IntConst {
			return 0, false
		}
		if i == 0 || c.Num > most {
			most = c.Num
		}
		ok = true
	}
	return most, ok
}

// written are the instructions of a function in the order of its text, with their
// blocks.
func written(f *il.Function) iter.Seq2[*il.Block, *il.Instr] {
	var all []*il.Instr
	home := map[*il.Instr]*il.Block{}
	for k, in := range f.Instructions() {
		all = append(all, in)
		home[in] = k
	}
	slices.SortStableFunc(all, func(x, y *il.Instr) int { return int(x.Span.From) - int(y.Span.From) })
	return func(yield func(*il.Block, *il.Instr) bool) {
		for _, in := range all {
			if !yield(home[in], in) {
				return
			}
		}
	}
}

// instructions are those of a function without their blocks, returns those that leave it.
func instructions(f *il.Function) iter.Seq[*il.Instr] {
	return func(yield func(*il.Instr) bool) {
		for _, in := range f.Instructions() {
			if !yield(in) {
				return
			}
		}
	}
}

func (b *bench) live(r *programPart) iter.Seq2[*il.Function, *il.Instr] {
	return func(yield func(*il.Function, *il.Instr) bool) {
		for _, d := range r.defs {
			f := b.il.function(d)
			if f == nil {
				continue
			}
			for k, in := range f.Instructions() {
				if !b.il.Values.Dead(f, k) && !yield(f, in) {
					return
				}
			}
		}
	}
}

func returns(f *il.Function) iter.Seq[*il.Instr] {
	return func(yield func(*il.Instr) bool) {
		for in := range instructions(f) {
			if in.Op == il.Return && !yield(in) {
				return
			}
		}
	}
}

// lastName is the last name of what a call calls, as it is written.
func lastName(in *il.Instr) string { return in.Kind[strings.LastIndexByte(in.Kind, '.')+1:] }

// keyOf is the key or attribute that an instruction reads; none for others.
func keyOf(in *il.Instr) il.Operand {
	at := 1
	switch {
	case in.Op == il.Call && lastName(in) == "getattr":
		at = 2
	case in.Op != il.Get && (in.Op != il.Call || !has([]string{lastName(in)}, "get", "pop")):
		return il.Operand{}
	}
	if at < len(in.Args) {
		return in.Args[at]
	}
	return il.Operand{}
}

// parts are the values that an instruction reads, of a call its object for its method.
func parts(f *il.Function, in *il.Instr) (out []analyse.Use) {
	args := in.Args
	if in.Op == il.Call {
		args = args[1:]
		if of := receiver(f, in); of != in.Args[0] {
			out = append(out, analyse.Use{Function: f, Operand: of, At: in})
		}
	}
	for _, o := range args {
		out = append(out, analyse.Use{Function: f, Operand: o, At: in})
	}
	return out
}
