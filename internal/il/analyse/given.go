package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// maxOpen bounds calls within calls, of which each is computed with its arguments.
const maxOpen = 3

// given are the values of some parameters of the function that a run solves.
type given struct {
	args  map[int]Value
	depth int // calls that are open
	until int // of Values.Work: beyond, calls are computed whatever their arguments
}

// Given is what a function gives back when some of its parameters, by their
// positions, have certain values, all else is as it is by default, and nothing
// raises but what says so. The functions of the program that it calls are computed
// with the arguments that they get.
//
// It is sound as Values is.
func (v *Values) Given(f *il.Function, args map[int]il.Const) Value {
	values := map[int]Value{}
	for i, c := range args {
		values[i] = constant(c)
	}
	return v.runs(true).gives(f, &given{args: values, until: v.Work + v.limit()*v.limit()})
}

func (r *run) gives(f *il.Function, with *given) Value {
	g := *r
	g.given = with
	return g.solve(f).result
}

// argument is what is given for a parameter, or a default that is not a constant; false
// where there is neither.
func (r *run) argument(f *il.Function, i int) (Value, bool) {
	if v, ok := r.given.args[i]; ok || !f.Params[i].Filled {
		return v, ok
	}
	for _, in := range f.Outer.Instructions() {
		if k := slices.Index(in.Names, "="+f.Params[i].Name); in.Op == il.Define && in.Ref == f && k >= 0 {
			usual := r.v.runs(true)
			return usual.operand(usual.state(f.Outer), in.Args[k]), true
		}
	}
	return Value{}, false
}

// handed is what a function of the program gives for the arguments of a call.
func (r *run) handed(s *state, in *il.Instr, g *il.Function) Value {
	if r.given.depth >= maxOpen || r.v.Work > r.given.until {
		return anything()
	}
	args := map[int]Value{}
	for i, a := range in.Args[1:] {
		to, param := r.v.Names.Argument(s.f, in, i)
		if to != g || g.Params[param].Spread != "" {
			return anything()
		}
		if args[param] = r.operand(s, a); args[param].Empty() {
			return nothing()
		}
	}
	return r.gives(g, &given{args: args, depth: r.given.depth + 1, until: r.given.until})
}

// thrown tells a way from the end of a block that only an exception takes, and no
// statement that raises one.
func thrown(end *il.Instr, to *il.Block) bool {
	return end.Op == il.Jump && (catch(to) != nil || to.End().Op == il.Jump && slices.ContainsFunc(to.Succs, func(b *il.Block) bool { return catch(b) != nil }))
}

// instance tells whether a number is of one of some types of Python. One that is an
// integer is of that type; of others, int and float are not told apart.
func (r *run) instance(s *state, args []il.Operand) Value {
	v := r.first(s, args)
	if r.given == nil || len(args) != 2 || !v.numeric() {
		return truths()
	}
	types := map[string]bool{}
	for work := args[1:]; len(work) > 0; work = work[1:] {
		if def := s.f.Def(work[0]); def != nil && (def.Op == il.Make && def.Kind == "list" || def.Op == il.Bind && def.Kind == "|") {
			work = append(slices.Clone(work), def.Args...)
			continue
		}
		types[r.outside(s.f, work[0])] = true
	}
	whole, broken := types["int"], types["float"]
	is := whole && (v.Int || broken) || types["numbers.Real"] || types["numbers.Number"] || types["numbers.Complex"]
	for _, other := range []string{"int", "float", "bool", "str", "bytes", "dict", "list", "tuple", "set"} {
		delete(types, other)
	}
	if !is && (len(types) > 0 || (whole || broken) && !v.Int) {
		return truths()
	}
	out := nothing()
	out.True, out.False = is, !is
	return out
}
