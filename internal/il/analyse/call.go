package analyse

import (
	"math"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// get is the read of a field or key: declared, of a table of constants, or a
// setting of the environment.
func (r *run) get(s *state, in *il.Instr) Value {
	if in.Kind == "each" || in.Kind == "key" {
		return anything()
	}
	if v, is := r.unpacked(s, in); is {
		return v
	}
	if r.switches && in.Kind == "attr" {
		if r.v.offField(s.f, in) {
			return constant(il.Const{Type: il.BoolConst})
		}
		if v, ok := r.elsewhere(s.f, local(in.Dst)); ok {
			return v
		}
	}
	if key, ok := s.f.Str(in.Args[1]); ok {
		if v, is := r.setting(s, in, key); is {
			return v
		}
		if in.Kind == "item" {
			if v, is := r.looked(s, in.Args[0], key, nil); is {
				return v
			}
		}
	}
	return r.v.declared(s.f, il.Operand{Kind: il.Local, ID: in.Dst})
}

// unpacked is one of several values that a function of the program gives back together.
func (r *run) unpacked(s *state, in *il.Instr) (Value, bool) {
	def := s.f.Def(s.f.Root(in.Args[0]))
	at, ok := s.f.Const(in.Args[1])
	if in.Kind != "item" || def == nil || def.Op != il.Call || !ok || at.Type != il.IntConst || at.Num < 0 {
		return Value{}, false
	}
	g := r.v.callee(s.f, def)
	if g == nil || r.ring[g] == r.ring[s.f] {
		return Value{}, false
	}
	of, out := r.state(g), nothing()
	for b, in := range g.Instructions() {
		if in.Op != il.Return || of.lost != "" || !of.reached[b.ID] {
			continue
		}
		list := g.Def(g.Root(in.Args[0]))
		if list == nil || list.Op != il.Make || list.Kind != "list" || slices.Contains(list.Names, "*") || int(at.Num) >= len(list.Args) {
			return Value{}, false
		}
		out = out.join(r.operand(of, list.Args[int(at.Num)]))
	}
	out.Exact = false
	return out, !out.Empty()
}

// looked is what a table of constants has at a key; other: what is given where it
// has none.
func (r *run) looked(s *state, table il.Operand, key string, other *Value) (Value, bool) {
	g, def := r.v.collection(s.f, table)
	if def == nil || def.Kind != "map" || len(def.Args) == 0 {
		return Value{}, false
	}
	o, found, whole := entry(def, key)
	switch {
	case !whole || !found && other == nil:
		return Value{}, false
	case !found:
		return *other, true
	}
	if c, ok := g.Const(g.Root(o)); ok {
		return s.rules.written(constant(c)), true
	}
	return Value{}, false
}

// environment are the functions and objects that hand out settings, and what one
// is that is not set: nothing, or an empty text.
var environment = map[string]bool{"os.getenv": true, "os.environ.get": true, "process.env": true, "os.environ": true, "os.Getenv": false,
	"System.getenv": true, "Deno.env.get": true}

// setting is a read of a variable of the environment: process.env.X.
func (r *run) setting(s *state, in *il.Instr, key string) (Value, bool) {
	name := r.outside(s.f, in.Args[0])
	if name != "process.env" || key == "" {
		return Value{}, false
	}
	if r.defaults {
		return constant(il.Const{}), true
	}
	return anything(), true
}

// outside is the dotted path of an operand in a package that is not the program's,
// "" for others.
func (r *run) outside(f *il.Function, o il.Operand) string {
	if sym := r.v.Names.Operand(f, o); sym != nil {
		return strings.TrimPrefix(sym.Outside, "builtins.")
	}
	return ""
}

// call knows the results of a few functions of the languages, and of the program's
// own functions whatever their arguments.
func (r *run) call(s *state, in *il.Instr) Value {
	if g := r.v.callee(s.f, in); g != nil {
		if r.given != nil {
			return r.handed(s, in, g)
		}
		if r.switches && r.v.flagger(g) {
			alone := *r
			alone.given = r.within()
			return alone.handed(s, in, g)
		}
		if r.ring[g] == r.ring[s.f] {
			return anything()
		}
		return r.state(g).result
	}
	if in.Mode == il.Spawned || in.Mode == il.Deferred || in.Mode == il.Decorate {
		return anything()
	}
	args := in.Args[1:]
	name := r.outside(s.f, in.Args[0])
	if unset, is := environment[name]; is && len(args) > 0 {
		return r.env(s, in, unset)
	}
	if v, ok := r.retold(s, in); ok {
		return v
	}
	if lastName(in.Kind) == "get" && in.Kind != "get" && len(args) > 0 && s.f.Module.Language == "python" {
		if v, ok := r.tableGet(s, in); ok {
			return v
		}
	}
	if r.v.written[name] || name == "" {
		return anything()
	}
	switch s.f.Module.Language {
	case "python":
		return r.pythonCall(s, name, in)
	case "go":
		switch name {
		case "len", "cap":
			return numbers(Interval{0, math.Inf(1)}, true)
		case "strings.HasPrefix", "strings.HasSuffix", "strings.Contains":
			return truths()
		case "min", "max":
			return r.extreme(s, name == "min", args, in.Names)
		}
		return r.typed(s, name)
	case "javascript", "typescript":
		switch name {
		case "Boolean", "Array.isArray", "Number.isFinite", "Number.isNaN", "Number.isInteger", "isNaN", "isFinite":
			return truths()
		case "Math.min", "Math.max":
			return r.extreme(s, name == "Math.min", args, in.Names)
		case "Math.abs", "Math.sqrt":
			return r.positive(s, args, name == "Math.abs")
		}
	case "java":
		switch name {
		case "Math.min", "Math.max":
			return r.extreme(s, name == "Math.min", args, in.Names)
		}
	}
	return anything()
}

// env is a variable of the environment; by default it is not set.
func (r *run) env(s *state, in *il.Instr, unset bool) Value {
	args := in.Args[1:]
	if !r.defaults || r.switches && !r.switchRead(s, in) {
		return anything()
	}
	switch {
	case len(args) > 1:
		return r.operand(s, args[1])
	case unset:
		return constant(il.Const{})
	}
	return texts("")
}

// tableGet is "table.get(key, other)".
func (r *run) tableGet(s *state, in *il.Instr) (Value, bool) {
	def := s.f.Def(in.Args[0])
	key, ok := s.f.Str(s.f.Root(in.Args[1]))
	if def == nil || def.Op != il.Get || !ok || slices.ContainsFunc(in.Names, func(n string) bool { return n != "" }) {
		return Value{}, false
	}
	other := constant(il.Const{})
	if len(in.Args) > 2 {
		other = r.operand(s, in.Args[2])
	}
	return r.looked(s, def.Args[0], key, &other)
}

func (r *run) pythonCall(s *state, name string, in *il.Instr) Value {
	if out, ok := r.overall(s, name, in); ok {
		return out
	}
	args := in.Args[1:]
	plain := !slices.ContainsFunc(in.Names, func(n string) bool { return n != "" })
	switch name {
	case "len":
		return numbers(Interval{0, math.Inf(1)}, true)
	case "int":
		return r.converted(s, args, true)
	case "float":
		return r.converted(s, args, false)
	case "str", "repr", "ascii", "chr", "hex", "oct", "bin":
		if len(args) == 1 && plain && name == "str" {
			if v := r.operand(s, args[0]); len(v.Strs) == 1 && v.equal(texts(v.Strs[0])) {
				return v
			}
		}
		return someText()
	case "isinstance":
		return r.instance(s, args)
	case "any":
		if len(args) == 1 && plain && r.without(s, args[0], true) {
			return constant(il.Const{Type: il.BoolConst})
		}
		return truths()
	case "bool":
		if v := r.first(s, args); len(args) == 1 && plain {
			out := nothing()
			out.True, out.False = !s.rules.refine(v, "true", true, nothing()).Empty(), !s.rules.refine(v, "true", false, nothing()).Empty()
			return out
		}
		return truths()
	case "hasattr", "callable", "issubclass", "all":
		return truths()
	case "min", "max":
		return r.extreme(s, name == "min", args, in.Names)
	case "abs":
		return r.positive(s, args, true)
	case "round":
		if v := r.first(s, args); v.numeric() && len(args) == 1 {
			return numbers(Interval{math.RoundToEven(v.Num.Lo), math.RoundToEven(v.Num.Hi)}, true)
		}
	case "ord":
		return numbers(Interval{0, 0x10ffff}, true)
	}
	return anything()
}

func (r *run) first(s *state, args []il.Operand) Value {
	if len(args) == 0 {
		return anything()
	}
	return r.operand(s, args[0])
}

// converted is a number that is cut to an integer, or is not; of an integer, or of
// anything else, any number.
func (r *run) converted(s *state, args []il.Operand, whole bool) Value {
	v := r.first(s, args)
	switch {
	case len(args) != 1:
		return anything()
	case v.Empty():
		return v
	case v.numeric() && whole:
		v.Num = Interval{math.Trunc(v.Num.Lo), math.Trunc(v.Num.Hi)}
		v.Int, v.Exact = true, false
		return v
	case v.numeric():
		v.Int, v.Exact = false, false
		return v
	}
	out := numbers(everyNumber(), whole)
	out.Other = !whole // not a number
	return out
}

// positive is a number without its sign; of what is none, it is none that is below
// nought.
func (r *run) positive(s *state, args []il.Operand, same bool) Value {
	v := r.first(s, args)
	if !v.numeric() || s.rules.fixed {
		return anything()
	}
	out := numbers(Interval{0, math.Inf(1)}, v.Int && same)
	if same {
		out.Num = Interval{0, max(math.Abs(v.Num.Lo), math.Abs(v.Num.Hi))}
		if v.Num.Lo > 0 || v.Num.Hi < 0 {
			out.Num.Lo = min(math.Abs(v.Num.Lo), math.Abs(v.Num.Hi))
		}
	} else {
		out.Other = true
	}
	return out
}

// extreme is the least or the greatest of several numbers. A bound holds where only
// one of them is known: of what is less than 3 or anything, the least is no more
// than 3, if all are numbers.
func (r *run) extreme(s *state, least bool, args []il.Operand, names []string) Value {
	if len(args) < 2 || slices.ContainsFunc(names, func(n string) bool { return n != "" }) {
		return anything()
	}
	out, other := nothing(), false
	for i, a := range args {
		w := r.operand(s, a)
		switch {
		case w.Empty():
			return w
		case !w.numeric() && !w.any():
			return anything()
		case w.any(): // what has an order with a number is one, or is not a number
			w, other = numbers(everyNumber(), false), true
		}
		switch {
		case i == 0:
			out = w
			continue
		case least:
			out.Num = Interval{min(out.Num.Lo, w.Num.Lo), min(out.Num.Hi, w.Num.Hi)}
		default:
			out.Num = Interval{max(out.Num.Lo, w.Num.Lo), max(out.Num.Hi, w.Num.Hi)}
		}
		out.Int, out.Exact = out.Int && w.Int, false
	}
	if other {
		if !s.rules.strict {
			return anything()
		}
		out.Other = true
	}
	return out
}

// flagsOf names what a test's operands come from: parameters with defaults, names
// of the module, settings.
func (v *Values) flagsOf(f *il.Function, test *il.Instr) string {
	var found []string
	for _, o := range origins(f, test.Args) {
		switch {
		case o.Kind == il.Free:
			if _, _, ok := v.bound(f, o); ok {
				found = append(found, f.Word(o))
			}
		case f.Versions[o.ID].Param >= 0:
			if p := f.Params[f.Versions[o.ID].Param]; p.Filled {
				found = append(found, p.Name)
			}
		default:
			if name := v.settingOf(f, f.Def(o)); name != "" {
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), ", ")
}

// settingOf is the name of the environment's variable that an instruction reads.
func (v *Values) settingOf(f *il.Function, in *il.Instr) string {
	if in == nil || len(in.Args) < 2 || in.Op != il.Call && in.Op != il.Get {
		return ""
	}
	if s := v.Names.Operand(f, in.Args[0]); s != nil && s.Outside != "" {
		if _, is := environment[s.Outside]; is {
			name, _ := f.Str(in.Args[1])
			return name
		}
	}
	return ""
}
