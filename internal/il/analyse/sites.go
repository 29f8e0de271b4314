package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Site is a place where a function is called or, Call aside, mentioned otherwise.
type Site struct {
	Function *il.Function // around it
	At       *il.Instr
	Call     bool
	skip     int     // of a Call: how many arguments stand before those of the function
	symbol   *Symbol // of a Call: what is called
}

// Value is what the instruction makes, Opaque where it makes nothing.
func (s Site) Value() il.Operand {
	if s.At.Dst == il.NoDst {
		return il.Operand{}
	}
	return local(s.At.Dst)
}

// Sites are the places where a function, or a class by its body, is called and handed
// on, in the order of the text. A call through a name that is not known is not a place.
func (n *Names) Sites(f *il.Function) []Site {
	if n.sites == nil {
		n.sites = map[*il.Function][]Site{}
		for g := range n.program.All() {
			for _, in := range g.Instructions() {
				n.site(g, in)
			}
		}
	}
	return n.sites[f]
}

// callers are functions outside of the program that call what they are given with
// the arguments behind it, by the position of the function.
var callers = map[string]int{"asyncio.to_thread": 0, "functools.partial": 0, "anyio.to_thread.run_sync": 0, "starlette.concurrency.run_in_threadpool": 0,
	"fastapi.concurrency.run_in_threadpool": 0, "asyncio.get_event_loop().run_in_executor": 1, "asyncio.get_running_loop().run_in_executor": 1,
	"concurrent.futures.ThreadPoolExecutor.submit": 0, "concurrent.futures.ProcessPoolExecutor.submit": 0, "contextvars.copy_context().run": 0}

// called is what a call calls, itself or by a function that calls what it is given.
func called(n *Names, f *il.Function, in *il.Instr) (s *Symbol, skip int) {
	s = n.Operand(f, in.Args[0])
	if s == nil {
		return &Symbol{}, 0
	}
	if at, ok := callers[s.Outside]; ok && len(in.Args) > at+1 {
		if g := n.Operand(f, in.Args[at+1]); g != nil && g.Function != nil {
			return g, at + 1
		}
	}
	return s, 0
}

func (n *Names) site(f *il.Function, in *il.Instr) {
	if in.Op == il.Bind {
		if def := f.Def(in.Args[0]); def != nil && (def.Op == il.Define || def.Op == il.Import) {
			return // a definition is no mention
		}
	}
	var direct *il.Function
	if in.Op == il.Call {
		sym, skip := called(n, f, in)
		if direct = sym.Function; direct != nil {
			n.sites[direct] = append(n.sites[direct], Site{f, in, true, skip, sym})
		} else if sym.empty() {
			for _, g := range n.choices(f, in.Args[0], nil, map[*il.Instr]int{}) {
				n.sites[g] = append(n.sites[g], Site{f, in, true, 0, &Symbol{Function: g}})
			}
		}
	}
	if in.Op == il.Phi || in.Op == il.Assume || in.Op == il.Define || in.Mode == il.Decorate {
		return
	}
	var seen []*il.Function
	for i, o := range in.Args {
		if i == 0 && in.Op == il.Call || i == 0 && in.Op == il.Get {
			continue
		}
		sym := n.Operand(f, o)
		if sym == nil || sym.Function == nil || sym.Function == direct || slices.Contains(seen, sym.Function) {
			continue
		}
		seen = append(seen, sym.Function)
		n.sites[sym.Function] = append(n.sites[sym.Function], Site{Function: f, At: in})
	}
}

// settersOf are the places that set a field of a name on anything but the object of
// their own method.
func (n *Names) settersOf(key string) []Site {
	if n.setters == nil {
		n.setters = map[string][]Site{}
		for f := range n.program.All() {
			for _, in := range f.Instructions() {
				if in.Op != il.Set || in.Kind != "attr" || receives(f) && n.self(f, in.Args[0]) {
					continue
				}
				if key, ok := f.Str(in.Args[1]); ok {
					n.setters[key] = append(n.setters[key], Site{Function: f, At: in})
				}
			}
		}
	}
	return n.setters[key]
}

// maxChoices bounds the elements of a table that are looked at, and the instructions of one question:
// what is behind it is not told.
const maxChoices = 256

// choices are the functions that an operand may be one of: by joins, as an
// element of a list or table that is written out, and as what a function gives back. seen are the
// instructions on the way; asked says how far along a way each was asked: again, and no nearer, it
// has nothing new.
func (n *Names) choices(f *il.Function, o il.Operand, seen []*il.Instr, asked map[*il.Instr]int) (out []*il.Function) {
	if o = f.Root(o); o.Kind == il.Constant {
		return nil
	}
	if s := n.Operand(f, o); s != nil && s.Function != nil && s.Function.Kind != il.ClassBody {
		return []*il.Function{s.Function}
	}
	if o.Kind == il.Free {
		g, v, ok := n.Binding(f, f.Word(o))
		if !ok {
			return n.several(f, f.Word(o), seen, asked)
		}
		f, o = g, g.Root(v)
	}
	def := f.Def(o)
	if def == nil || slices.Contains(seen, def) || len(seen) > maxBases || len(asked) > maxChoices {
		return nil
	}
	if at, before := asked[def]; before && at <= len(seen) {
		return nil
	}
	asked[def] = len(seen)
	seen = append(seen, def)
	for i := 0; def != nil && def.Op == il.Set && def.Kind == "item" && i < maxChoices; i, def = i+1, f.Def(f.Root(def.Args[0])) {
		out = append(out, n.choices(f, def.Args[2], seen, asked)...)
	}
	switch {
	case def == nil:
	case def.Op == il.Phi, def.Op == il.Make && (def.Kind == "list" || def.Kind == "map"):
		for _, a := range def.Args {
			out = append(out, n.choices(f, a, seen, asked)...)
		}
	case def.Op == il.Get && def.Kind != "attr":
		out = n.choices(f, def.Args[0], seen, asked)
	case def.Op == il.Call && def.Mode != il.Decorate: // a function that another one made
		for _, g := range n.choices(f, def.Args[0], seen, map[*il.Instr]int{}) {
			for _, in := range g.Instructions() {
				if in.Op == il.Return {
					out = append(out, n.choices(g, in.Args[0], seen, asked)...)
				}
			}
		}
	}
	return out
}

// several are the functions that the top level binds a name to where it does so a few times,
// for a function inside.
func (n *Names) several(f *il.Function, name string, seen []*il.Instr, asked map[*il.Instr]int) (out []*il.Function) {
	if f.Kind == il.Top {
		return nil
	}
	for g := f.Outer; g != nil && g.Kind != il.Top; g = g.Outer {
		if slices.Contains(g.Vars, name) {
			return nil
		}
	}
	if all := n.tops[f.Module][name].all; len(all) <= maxBases {
		for _, o := range all {
			out = append(out, n.choices(f.Module.Top, o, seen, asked)...)
		}
	}
	return out
}

// argument is the operand that a call binds to a parameter of what it calls, and
// the keys under which a parameter that takes the rest holds it. ok is false where
// none is, or that is not known.
func (s Site) argument(param int, p path) (o il.Operand, rest path, ok bool) {
	in, f := s.At, s.symbol.Function
	if s.symbol.Bound && param == 0 {
		if get := s.Function.Def(s.Function.Root(in.Args[0])); s.skip == 0 && get != nil && get.Op == il.Get {
			return get.Args[0], p, true
		}
		return o, "", false
	}
	given := *in
	given.Names, given.Args = in.Names[min(s.skip, len(in.Names)):], in.Args[s.skip:]
	for i := range given.Args[1:] {
		at, key, known := parameter(s.symbol, &given, i)
		if !known || at != param {
			continue
		}
		switch head, rest := p.split(); {
		case f.Params[param].Spread == "", key == "":
			return given.Args[i+1], p, true
		case head == string(key):
			return given.Args[i+1], rest, true
		}
	}
	return o, "", false
}

// spreads tells a call that hands over arguments whose number or names are not
// written.
func (s Site) spreads() bool {
	return slices.ContainsFunc(s.At.Names, func(name string) bool { return name == "*" || name == "**" })
}

// Argument is the function of the program, and the position of its parameter, that
// take argument i of a call (0 is the first after the callee): of a class what makes its
// objects, and of a function that calls what it is given that. It is nil where either is
// not known.
func (n *Names) Argument(f *il.Function, call *il.Instr, i int) (callee *il.Function, param int) {
	s, skip := called(n, f, call)
	if s.Function != nil && s.Function.Kind == il.ClassBody {
		s = &Symbol{Function: n.Method(s.Function, "__init__"), Bound: true}
	}
	if s.Function == nil || i < skip {
		return nil, -1
	}
	given := *call
	given.Names, given.Args = call.Names[min(skip, len(call.Names)):], call.Args[skip:]
	at, _, known := parameter(s, &given, i-skip)
	if !known || at < 0 {
		return nil, -1
	}
	return s.Function, at
}

// Argument is what a call hands to a parameter of the function; false where nothing
// is, or that is not known.
func (s Site) Argument(param int) (il.Operand, bool) {
	if !s.Call {
		return il.Operand{}, false
	}
	o, _, ok := s.argument(param, "")
	return o, ok
}

// Callee is the function that a Call calls, nil for others.
func (s Site) Callee() *il.Function {
	if s.symbol == nil {
		return nil
	}
	return s.symbol.Function
}

// Runs is the argument of a call that it runs in its stead with those behind it, by its position
// among the operands; 0 where it runs none.
func (n *Names) Runs(f *il.Function, call *il.Instr) int {
	if s := n.Operand(f, call.Args[0]); s != nil && s.Outside != "functools.partial" {
		if at, ok := callers[s.Outside]; ok && len(call.Args) > at+1 {
			return at + 1
		}
	}
	return 0
}
