package intree

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// look goes through the instructions of one definition.
func (x *Program) look(d *code.Definition, f *il.Function) {
	var edges []edge
	for _, s := range x.all.Standing(f, 0) {
		x.marks[d] = append(x.marks[d], mark{int(s.At.Span.From), int(s.At.Span.To), x.all.Values.Dead(f, s.Block)})
	}
	for b, in := range f.Instructions() {
		dead := x.all.Values.Dead(f, b)
		for _, e := range x.instruction(f, in) {
			e.node = x.spelled(f, in, e)
			if e.node.Valid() {
				x.uses[e.to] = append(x.uses[e.to], e.node)
			}
			if !dead {
				edges = append(edges, e)
			}
		}
	}
	for _, s := range f.Dropped {
		x.marks[d] = append(x.marks[d], mark{int(s.From), int(s.To), true})
	}
	slices.SortStableFunc(x.marks[d], func(a, b mark) int { return cmp.Compare(a.from, b.from) })
	slices.SortStableFunc(edges, func(a, b edge) int { // calls first
		return cmp.Or(cmp.Compare(min(a.how, passes), min(b.how, passes)), cmp.Compare(a.from, b.from))
	})
	for _, e := range edges {
		x.handed[e.to] = x.handed[e.to] || e.how == passes || e.how == takes
		x.taken[e.to] = x.taken[e.to] || e.how == takes
		for _, to := range x.made(e) {
			if x.callees[d] = append(x.callees[d], to); e.how == calls {
				if c := x.call(e); c != nil {
					x.callers[to] = append(x.callers[to], c)
				}
			}
		}
	}
	seen := map[*code.Definition]bool{}
	x.callees[d] = slices.DeleteFunc(x.callees[d], func(to *code.Definition) bool {
		again := seen[to]
		seen[to] = true
		return again
	})
}

// edge is one place where a definition leads to another one.
type edge struct {
	from uint32
	at   int // which operand
	how  how
	to   *code.Definition
	node code.Node // what stands for it; zero where that is not written
}

// how a definition leads to another.
type how int

const (
	calls   how = iota
	passes      // hands it on
	takes       // applies a decorator to it that may call it
	defines     // the language runs it
)

// instruction lists what an instruction leads to.
func (x *Program) instruction(f *il.Function, in *il.Instr) (out []edge) {
	names := x.all.Names
	to := func(g *il.Function, i int, how how) {
		if d := x.of[g]; d != nil && !slices.ContainsFunc(out, func(e edge) bool { return e.to == d && e.at == i }) {
			out = append(out, edge{from: in.Span.From, at: i, how: how, to: d})
		}
	}
	switch in.Op {
	case il.Phi, il.Assume, il.Import:
		return nil
	case il.Define:
		if in.Ref.Kind == il.Lambda {
			to(in.Ref, -1, defines)
		}
	case il.Bind:
		if def := f.Def(in.Args[0]); def != nil && (def.Op == il.Define || def.Op == il.Import) {
			return nil
		}
		for _, written := range in.Names {
			for _, g := range names.InType(f, written) {
				to(g, -1, passes)
			}
		}
	default:
	}
	runs := 0
	if in.Op == il.Call {
		runs = names.Runs(f, in)
	}
	for i, o := range in.Args {
		how := passes
		switch {
		case in.Op == il.Define && !strings.HasPrefix(in.Names[i], "="), in.Mode == il.Decorate && i == 1 && names.Keeps(f, in):
			continue
		case in.Mode == il.Decorate && i == 1:
			how = takes
		case in.Op == il.Call && (i == 0 || i == runs || in.Names[i-1] == "target" && forks(in.Kind)):
			how = calls
		}
		stands := names.Stands(f, o)
		if len(stands) == 0 && how == calls {
			stands = x.given(f, o, in)
		}
		for _, g := range stands {
			to(g, i, how)
		}
	}
	return out
}

// forks tells a call that runs its target beside the program.
func forks(written string) bool {
	return strings.HasSuffix(written, "Thread") || strings.HasSuffix(written, "Process")
}

// given are the functions that a callee may be where only those who call its function, or what
// made its object, know.
func (x *Program) given(f *il.Function, o il.Operand, use *il.Instr) (out []*il.Function) {
	names := x.all.Names
	if class := names.Instance(f, o).Class; class != nil {
		return []*il.Function{names.Method(class, "__call__")}
	}
	get := f.Def(f.Root(o))
	member := get != nil && get.Op == il.Get && get.Kind == "attr"
	if !member || names.Instance(f, get.Args[0]).Class != nil {
		for g, object := range x.from(f, o, use) {
			if !object {
				out = append(out, g)
			} else if g.Kind == il.ClassBody {
				out = append(out, names.Method(g, "__call__"))
			}
		}
	}
	if len(out) == 0 && member {
		key, _ := f.Str(get.Args[1])
		for g := range x.from(f, get.Args[0], get) {
			if g.Kind == il.ClassBody {
				out = append(out, names.Method(g, key))
			}
		}
	}
	return slices.DeleteFunc(out, func(g *il.Function) bool { return g == nil })
}

// from are the functions and classes that a value comes from, and whether it is what a call of
// them gives.
func (x *Program) from(f *il.Function, o il.Operand, use *il.Instr) iter.Seq2[*il.Function, bool] {
	taken := f.Def(f.Root(o))
	element := taken != nil && taken.Op == il.Get && taken.Kind != "attr"
	return func(yield func(*il.Function, bool) bool) {
		for _, from := range x.Origins.by.Of(f, o, use) {
			if from.Part && !element {
				continue // of what it is made
			}
			call := from.Kind == analyse.FromCall && from.At != nil && from.At.Op == il.Call
			list := []*il.Function{}
			if call {
				list = x.all.Names.Stands(from.Function, from.At.Args[0])
			} else if from.Symbol != nil && from.Symbol.Function != nil {
				list = append(list, from.Symbol.Function)
			}
			for _, g := range list {
				if !yield(g, call) {
					return
				}
			}
		}
	}
}

// made are what an edge runs: of a class, what makes its objects, too.
func (x *Program) made(e edge) []*code.Definition {
	out := []*code.Definition{e.to}
	if e.how == calls && e.to.Kind == code.DefClass {
		out = append(out, x.makers(e.to)...)
	}
	return out
}

// makers are the methods that the making of an object of a class runs.
func (x *Program) makers(class *code.Definition) (out []*code.Definition) {
	for _, name := range []string{"__init__", "__new__", "__post_init__"} {
		if m := x.Method(class, name); m != nil {
			out = append(out, m)
		}
	}
	return out
}

// call is the call of an edge: of one that runs what it is given, that one.
func (x *Program) call(e edge) *Call {
	n := e.node
	for n.Valid() && !n.Is("call") {
		n = n.Parent()
	}
	list := x.written[n]
	if len(list) == 0 {
		return nil
	}
	if e.at > 0 {
		return list[len(list)-1]
	}
	return list[0]
}

// maxSpelled bounds the text in which a name is looked for, in bytes.
const maxSpelled = 4096

// spelled is the node that stands for what an edge leads to.
func (x *Program) spelled(f *il.Function, in *il.Instr, e edge) code.Node {
	m := x.Module(f.Module.Path)
	n := m.At(int(in.Span.From), int(in.Span.To))
	switch {
	case n.Is("decorator") && e.at == 0:
		if n = n.Child(0); n.Is("call") {
			n = n.Field("function")
		}
		return n
	case n.Is("call") && e.at == 0:
		return n.Field("function").Unparen()
	case n.Parent().Is("assignment") && n == n.Parent().Field("left"):
		n = n.Parent().Field("right")
	}
	if e.at >= 0 {
		if given := x.Origins.given(m, analyse.Step{Function: f, Operand: in.Args[e.at], Use: in}); given.Is("identifier", "attribute", "lambda") {
			return given
		}
	}
	if n.End()-n.Start() > maxSpelled {
		return code.Node{}
	}
	for name := range n.Walk() {
		if !name.Is("identifier", "attribute") {
			continue
		}
		if v, ok := Value(x.all, name); ok && v.Function == f && slices.ContainsFunc(x.all.Names.Stands(f, v.Operand), func(g *il.Function) bool { return x.of[g] == e.to }) {
			return name
		}
	}
	return code.Node{}
}
