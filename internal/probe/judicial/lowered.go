package judicial

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// lowered is the code as questions about values, handlers and ways see it.
type lowered struct {
	*analyse.Analyses
	calls     map[stretch]call
	functions map[stretch]*il.Function
	given     map[*il.Function][]call // nil before it is asked for
}

// stretch is where in a file something is written.
type stretch struct {
	path     string
	from, to int
}

// call is a call in the function that makes it.
type call struct {
	f  *il.Function
	in *il.Instr
}

func newLowered(all *analyse.Analyses) *lowered {
	l := &lowered{Analyses: all, calls: map[stretch]call{}, functions: map[stretch]*il.Function{}}
	for f := range all.Program.All() {
		if f.Module.Language != "python" {
			continue
		}
		l.functions[within(f, f.Span)] = f
		for _, in := range f.Instructions() {
			if in.Op == il.Call && in.Mode != il.Decorate && in.Mode != il.Deferred {
				l.calls[within(f, in.Span)] = call{f, in}
			}
		}
	}
	return l
}

func within(f *il.Function, s il.Span) stretch {
	return stretch{f.Module.Path, int(s.From), int(s.To)}
}

// call is the call that a node writes; false where it was not lowered.
func (l *lowered) call(n code.Node) (call, bool) {
	c, ok := l.calls[stretch{n.Path(), n.Start(), n.End()}]
	return c, ok
}

// function is the function that a definition writes, nil where it was not lowered.
func (l *lowered) function(d *code.Definition) *il.Function {
	n := d.Node
	if n.Parent().Is("decorated_definition") {
		n = n.Parent()
	}
	return l.functions[stretch{n.Path(), n.Start(), n.End()}]
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
		for _, s := range append(l.Names.Sites(f), l.constructions(f)...) {
			if s.At.Op == il.Call {
				w.at[s.At] = true
			}
			enter(s.Function)
		}
		for _, c := range l.handed()[f] {
			w.at[c.in] = true
			enter(c.f)
		}
		if f.Kind == il.Lambda || f.Kind == il.ClassBody {
			enter(f.Outer)
		}
	}
	return w
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
		for _, next := range l.runs(g) {
			if !out[next] {
				out[next] = true
				work = append(work, next)
			}
		}
	}
	return out
}

// runs are the functions of the program that one calls, hands on, or defines inside.
func (l *lowered) runs(f *il.Function) (out []*il.Function) {
	for _, in := range f.Instructions() {
		switch in.Op {
		case il.Call:
			for _, o := range in.Args {
				if s := l.Names.Operand(f, o); s != nil && s.Function != nil {
					out = append(out, s.Function)
				}
			}
		case il.Define:
			out = append(out, in.Ref)
		}
	}
	return out
}

// constructions are the places where an object is made whose constructor is f.
func (l *lowered) constructions(f *il.Function) []analyse.Site {
	if f.Outer == nil || f.Outer.Kind != il.ClassBody || !strings.HasSuffix(f.Name, "__init__") {
		return nil
	}
	return l.Names.Sites(f.Outer)
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
	for f := range l.Program.All() {
		if f.Module.Path != n.Path() {
			continue
		}
		for _, in := range f.Instructions() {
			if within(f, in.Span) == (stretch{n.Path(), n.Start(), n.End()}) && !in.Op.Ends() {
				out = append(out, call{f, in})
			}
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
