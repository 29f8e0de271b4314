package analyse

import (
	"math"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// wording is a type as it is written, and where: in a function, or of a model's field in the
// class's body.
type wording struct {
	text string
	at   *il.Function
}

// passed is the type of what all calls in sight hand to a parameter of Python that
// declares none.
func (v *Values) passed(f *il.Function, i, depth int) (string, *il.Function) {
	if f.Module.Language != "python" || f.Kind == il.Lambda || len(f.Decorators) > 0 || f.Class != "" && len(v.Names.methods[lastName(f.Name)]) > 1 {
		return "", nil
	}
	if v.blind() {
		return "", nil
	}
	var types agreement
	for _, s := range v.Names.Sites(f) {
		if !s.Call || s.spreads() {
			return "", nil
		}
		o, ok := s.Argument(i)
		if !ok {
			if c, is := f.Const(f.Params[i].Default); is && c.Type == il.NoneConst {
				continue
			}
			return "", nil
		}
		v.add(&types, s.Function, o, depth)
	}
	return types.first.text, types.first.at
}

// blind tells a program with a call of something, or with something, that was not lowered:
// it may be any function.
func (v *Values) blind() bool {
	if v.seesAll == Unknown {
		v.seesAll = Yes
		for f := range v.Names.program.All() {
			for _, in := range f.Instructions() {
				if in.Op == il.Call && slices.ContainsFunc(in.Args, func(o il.Operand) bool { return o.Kind == il.Opaque }) {
					v.seesAll = No
				}
			}
		}
	}
	return v.seesAll == No
}

// agreement is the one type of several values.
type agreement struct {
	first  wording
	differ bool
}

// add takes in the type of an operand. None is of every type.
func (v *Values) add(a *agreement, f *il.Function, o il.Operand, depth int) {
	if c, ok := f.Const(f.Root(o)); ok && c.Type == il.NoneConst {
		return
	}
	text, at := v.typeOf(f, o, depth+1)
	v.agree(a, wording{text, at})
}

func (v *Values) agree(a *agreement, w wording) {
	switch {
	case a.first.text == "" && !a.differ:
		a.first = w
		a.differ = w.text == ""
	case w.text == "" || !v.same(a.first, w):
		a.differ = true
	}
	if a.differ {
		a.first = wording{}
	}
}

// same tells two types that stand for the same, wherever they are written.
func (v *Values) same(a, b wording) bool {
	one, parts := cutType(plainType(a.text))
	other, others := cutType(plainType(b.text))
	if len(parts) != len(others) || len(parts) > 0 && !strings.EqualFold(lastName(one), lastName(other)) {
		return false
	}
	for i := range parts {
		if !v.same(wording{parts[i], a.at}, wording{others[i], b.at}) {
			return false
		}
	}
	if len(parts) > 0 {
		return true
	}
	if class := v.Names.Type(a.at, one); class != nil {
		return class == v.Names.Type(b.at, other)
	}
	return a.text == b.text && a.at == b.at
}

// held is the type of what a list of Python is filled with where it stands.
func (v *Values) held(f *il.Function, list il.Operand, depth int) (string, *il.Function) {
	if depth > maxTyped {
		return "", nil
	}
	var types agreement
	var seen []int32
	for work := []il.Operand{list}; len(work) > 0 && !types.differ; {
		o := f.Root(work[len(work)-1])
		work = work[:len(work)-1]
		if o.Kind == il.Opaque || o.Kind == il.Free {
			return "", nil
		}
		if o.Kind != il.Local || slices.Contains(seen, o.ID) {
			continue
		}
		seen = append(seen, o.ID)
		def := f.Def(o)
		switch {
		case len(seen) > maxHeld:
			return "", nil
		case def != nil && (def.Op == il.Phi || joined(def)):
			work = append(work, def.Args...)
		case def != nil && def.Op == il.Set && def.Kind == "add":
			work = append(work, def.Args[0])
			v.add(&types, f, def.Args[2], depth)
		case def != nil && def.Op == il.Make && def.Kind == "list" && !slices.Contains(def.Names, "*"):
			for _, a := range def.Args {
				v.add(&types, f, a, depth)
			}
		default:
			text, at := v.elementType(f, o, depth+1)
			v.agree(&types, wording{text, at})
		}
	}
	return types.first.text, types.first.at
}

// joined tells a list that may be made of two by +.
func joined(def *il.Instr) bool { return def.Op == il.Bind && def.Kind == "+" && len(def.Args) == 2 }

// maxHeld bounds how many versions of a list are looked at.
const maxHeld = 64

// elementType is the type of the elements of a list.
func (v *Values) elementType(f *il.Function, list il.Operand, depth int) (string, *il.Function) {
	if depth > maxTyped {
		return "", nil
	}
	if text, at := v.typeOf(f, list, depth); text != "" {
		return element(text), at
	}
	def := f.Def(f.Root(list))
	switch {
	case f.Module.Language != "python" || def == nil:
	case def.Op == il.Call:
		if get := f.Def(def.Args[0]); get != nil && get.Op == il.Get && lastName(def.Kind) == "values" {
			text, at := v.typeOf(f, get.Args[0], depth+1)
			if head, parts := cutType(plainType(text)); len(parts) == 2 && (lastName(head) == "Dict" || lastName(head) == "dict" || lastName(head) == "Mapping" || lastName(head) == "defaultdict") {
				return parts[1], at
			}
		}
	}
	return "", nil
}

// plainType is a type without what is only said about it.
func plainType(text string) string {
	if head, parts := cutType(text); len(parts) > 0 && (lastName(head) == "Annotated" || lastName(head) == "Optional") {
		return plainType(parts[0])
	}
	return text
}

func (v *Values) outside(f *il.Function, call *il.Instr) string {
	if s := v.Names.Operand(f, call.Args[0]); s != nil {
		return s.Outside
	}
	return ""
}

// callType is the type of what a call of Python gives: an element, a key of a typed
// table, or what the function called gives back.
func (v *Values) callType(f *il.Function, def *il.Instr, depth int) (string, *il.Function) {
	if f.Module.Language != "python" || depth > maxTyped {
		return "", nil
	}
	switch v.outside(f, def) {
	case "builtins.sorted", "builtins.list", "builtins.reversed", "builtins.tuple", "builtins.set", "builtins.filter":
		at := 1
		if def.Kind == "filter" {
			at = 2
		}
		if at < len(def.Args) {
			if text, of := v.elementType(f, def.Args[at], depth+1); text != "" {
				return "List[" + text + "]", of
			}
		}
	case "builtins.next", "builtins.max", "builtins.min":
		if len(def.Args) > 1 && (len(def.Args) == 2 || def.Names[1] != "" || def.Kind == "next") {
			return v.elementType(f, def.Args[1], depth+1)
		}
	}
	if get := f.Def(def.Args[0]); get != nil && get.Op == il.Get && lastName(def.Kind) == "get" && len(def.Args) > 1 {
		if _, ok := f.Str(def.Args[1]); ok {
			return v.fieldType(f, &il.Instr{Op: il.Get, Kind: "item", Args: []il.Operand{get.Args[0], def.Args[1]}}, depth)
		}
	}
	if s := v.Names.Operand(f, def.Args[0]); s != nil && s.Function != nil && s.Function.Kind == il.ClassBody {
		return lastName(s.Function.Name), s.Function.Outer
	}
	if g := v.callee(f, def); g != nil && len(g.Results) == 0 {
		var types agreement
		for _, in := range g.Instructions() {
			if in.Op == il.Return {
				v.add(&types, g, in.Args[0], depth)
			}
		}
		return types.first.text, types.first.at
	}
	return "", nil
}

// overall is what a function of Python's that takes a list of numbers gives, by what
// one of them can be.
func (r *run) overall(s *state, name string, in *il.Instr) (Value, bool) {
	if len(in.Args) != 2 || in.Names[0] != "" {
		return Value{}, false
	}
	text, at := r.v.elementType(s.f, in.Args[1], 0)
	if text == "" || at.Kind != il.ClassBody || !r.v.model(at, 0) {
		return Value{}, false
	}
	each := r.v.annotation(at, text)
	if !each.numeric() {
		return Value{}, false
	}
	width := each.Num.Hi - each.Num.Lo
	switch each.Exact = false; name {
	case "max", "min", "statistics.median_low", "statistics.median_high", "statistics.mode":
		return each, true
	case "statistics.mean", "statistics.fmean", "statistics.median", "numpy.mean", "numpy.median", "numpy.average":
		return numbers(each.Num, false), true
	case "statistics.pvariance", "numpy.var": // Popoviciu's inequality
		return numbers(Interval{0, width * width / 4}, false), true
	case "statistics.pstdev", "numpy.std":
		return numbers(Interval{0, width / 2}, false), true
	case "statistics.variance":
		return numbers(Interval{0, width * width / 2}, false), true
	case "statistics.stdev":
		return numbers(Interval{0, width / math.Sqrt2}, false), true
	}
	return Value{}, false
}

// mean is a sum of a list's numbers over how many they are.
func (r *run) mean(s *state, in *il.Instr) (Value, bool) {
	sum, count := s.f.Def(s.f.Root(in.Args[0])), s.f.Def(s.f.Root(in.Args[1]))
	if sum == nil || count == nil || sum.Op != il.Call || count.Op != il.Call || r.outside(s.f, sum.Args[0]) != "sum" || r.outside(s.f, count.Args[0]) != "len" ||
		len(sum.Args) != 2 || len(count.Args) != 2 || s.f.Root(sum.Args[1]) != s.f.Root(count.Args[1]) {
		return Value{}, false
	}
	return r.overall(s, "statistics.mean", sum)
}

// Bounds of one question for a type: how many steps it is followed, and how many
// operands are looked at.
const (
	maxTyped     = 32
	maxTypedWork = 2000
)
