package intree

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// symbol is what a name of the lowered code stands for; nothing for a constant.
func (x *Program) symbol(s *analyse.Symbol) []Symbol {
	switch {
	case s == nil:
	case s.Outside != "":
		return []Symbol{external(s.Outside)}
	case s.Function != nil:
		if d := x.of[s.Function]; d != nil {
			return []Symbol{{Qualified: d.Qualified, Def: d}}
		}
	case len(s.Modules) > 0:
		if m := x.Module(s.Modules[0].Path); m != nil {
			return []Symbol{{Qualified: m.Name, Module: m}}
		}
	case s.Package != "":
		return []Symbol{{Qualified: s.Package}}
	}
	return nil
}

// object is an object, and the call that made it where one is known.
func (x *Program) object(o analyse.Object, made code.Node) []Symbol {
	switch {
	case o.Class != nil:
		if d := x.of[o.Class]; d != nil {
			return []Symbol{{Qualified: d.Qualified, Def: d, Instance: true, Node: made}}
		}
	case o.Outside == "builtins.object":
	case o.Outside == "functools.partial()" && made.Is("call"):
		args := x.arguments(made)
		if len(args) == 0 {
			return nil
		}
		out := slices.Clone(x.ResolveAll(args[0].Value))
		for i := range out {
			out[i].Bound = append(slices.Clip(out[i].Bound), args[1:]...)
		}
		return out
	case o.Outside == "builtins.super()":
		if class := x.Enclosing(made).Class(); class != nil && len(x.Bases(class)) > 0 {
			s := x.Bases(class)[0]
			s.Instance = true
			return []Symbol{s}
		}
	case o.Outside != "":
		s := external(o.Outside)
		s.Node = made
		if class, call := strings.CutSuffix(o.Outside, "()"); call {
			if builtinClass(class) {
				s.Qualified, s.Instance = class, true
			} else if of := builtinMethod(class); of != "" {
				s.Qualified, s.Instance = "builtins."+of, true
			}
		} else if name, ok := strings.CutPrefix(o.Outside, "typing."); ok {
			switch name {
			case "List", "Dict", "Set", "Tuple", "FrozenSet":
				s = external("builtins." + strings.ToLower(name))
			case "Text":
				s = external("builtins.str")
			case "DefaultDict", "OrderedDict", "Mapping", "MutableMapping":
				s = external("builtins.dict")
			default:
				return nil
			}
			s.Instance = true
		} else {
			s.Instance = !strings.HasSuffix(o.Outside, "]")
		}
		return []Symbol{s}
	}
	return nil
}

// functional make a class from a description.
var functional = []string{"typing.TypedDict", "typing_extensions.TypedDict", "typing.NamedTuple", "collections.namedtuple()", "pydantic.create_model()",
	"dataclasses.make_dataclass()", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "typing.NewType"}

// stands is what an operand stands for. A variable of a module or a class that only holds an
// object of a builtin class stands for itself.
func (x *Program) stands(f *il.Function, o il.Operand, use *il.Instr) []Symbol {
	out := x.means(f, o, use)
	if len(out) == 0 || slices.ContainsFunc(out, func(s Symbol) bool { return !s.plain() }) {
		return out
	}
	own := x.variables(x.bindings(f, o))
	if len(own) > 0 && own[0].Known() {
		return own
	}
	return out
}

// means is what names and types say of an operand, else what it comes from.
func (x *Program) means(f *il.Function, o il.Operand, use *il.Instr) []Symbol {
	if x.work++; x.work > maxWork || x.depth > maxHops {
		x.cuts++
		return nil
	}
	x.depth++
	defer func() { x.depth-- }()
	var out symbols
	names, def := x.all.Names, f.Def(f.Root(o))
	s := names.Operand(f, o)
	if s != nil && s.Function != nil && isProperty(def, s.Function) {
		return x.returned(s.Function)
	}
	if out.add(x.symbol(s)...); len(out) > 0 {
		return out
	}
	bound := x.bindings(f, o)
	if len(bound) == 1 && (bound[0].Function != f || bound[0].Value() != o) && (def == nil || def.Op != il.Get) {
		if out.add(x.stands(bound[0].Function, bound[0].Value(), nil)...); out.known() {
			return out
		}
		out = nil
	}
	object, maker := names.Instance(f, o), x.maker(f, o)
	if slices.Contains(functional, object.Outside) {
		if out.add(x.variables(bound)...); len(out) > 0 {
			return out
		}
	}
	if out.add(x.object(object, maker)...); len(out) > 0 {
		return out
	}
	if def != nil && def.Op == il.Call && maker.Is("call") && !x.asking[maker] {
		if out.add(x.ResolveAll(maker)...); out.known() {
			return out
		}
	}
	for _, g := range names.Stands(f, o) {
		if d := x.of[g]; d != nil {
			out.add(Symbol{Qualified: d.Qualified, Def: d})
		}
	}
	if len(out) > 0 {
		return out
	}
	return x.comes(f, o, use, bound)
}

// comes is what an operand that no name and no type explains comes from; bound are the
// instructions that bind its variable.
func (x *Program) comes(f *il.Function, o il.Operand, use *il.Instr, bound []analyse.Site) []Symbol {
	var out symbols
	def := f.Def(f.Root(o))
	element := def != nil && def.Op == il.Get && def.Kind != "attr"
	for _, from := range x.Origins.by.Of(f, o, use) {
		switch {
		case from.Part && !element || len(from.Keys) > 0:
		case from.Kind == analyse.FromCall && from.At != nil && from.At.Op == il.Call:
			dst := il.Operand{Kind: il.Local, ID: from.At.Dst}
			out.add(x.object(x.all.Names.Instance(from.Function, dst), x.maker(from.Function, dst))...)
		default:
			out.add(x.symbol(from.Symbol)...)
		}
	}
	if def != nil && def.Op == il.Import && len(def.Names) > 1 {
		out.add(Symbol{Qualified: def.Kind + "." + def.Names[1]})
	}
	if out.known() {
		return out
	}
	for _, s := range bound {
		if s.At.Op == il.Set {
			out.add(x.stands(s.Function, s.At.Args[2], s.At)...)
		}
	}
	if !out.known() {
		out.add(x.variables(bound)...)
	}
	return out
}

// Bounds on one question: functions and bindings that lead to each other, and operands looked at.
const (
	maxHops = 12
	maxWork = 2000
)

// isProperty tells a method that a read of an attribute runs.
func isProperty(def *il.Instr, g *il.Function) bool {
	return def != nil && def.Op == il.Get && g.Kind != il.ClassBody && slices.ContainsFunc(g.Decorators, func(name string) bool {
		return slices.Contains([]string{"property", "cached_property", "computed_field"}, name)
	})
}

// returned is what a function may give.
func (x *Program) returned(f *il.Function) []Symbol {
	var out symbols
	for _, in := range f.Instructions() {
		if in.Op == il.Return && len(in.Args) == 1 {
			out.add(x.stands(f, in.Args[0], in)...)
		}
	}
	return out
}

// maker is the call that makes an object, where one does.
func (x *Program) maker(f *il.Function, o il.Operand) code.Node {
	if bound := x.bindings(f, o); len(bound) == 1 {
		f, o = bound[0].Function, bound[0].Value()
	}
	if def := f.Def(f.Root(o)); def != nil && def.Op == il.Call {
		if m := x.Module(f.Module.Path); m != nil {
			return m.At(int(def.Span.From), int(def.Span.To))
		}
	}
	return code.Node{}
}

// bindings are the instructions that bind the variable that a value is read from.
func (x *Program) bindings(f *il.Function, o il.Operand) []analyse.Site {
	root := f.Root(o)
	switch def := f.Def(root); {
	case def != nil && def.Op == il.Import && len(def.Names) > 0:
		return x.all.Names.Bound(f, def.Names[0])
	case o.Kind == il.Local && f.Def(o) != nil && f.Def(o).Op == il.Bind && f.Versions[o.ID].Var[0] != '%':
		return []analyse.Site{{Function: f, At: f.Def(o)}}
	case root.Kind == il.Free:
		return x.all.Names.Bound(f, f.Word(root))
	case def == nil:
	case def.Op == il.Get:
		return x.all.Names.BoundBy(f, def)
	}
	return nil
}

// variables are the variables that instructions bind.
func (x *Program) variables(bound []analyse.Site) (out []Symbol) {
	for _, s := range bound {
		m := x.Module(s.Function.Module.Path)
		if m == nil || s.At.Op != il.Bind {
			continue
		}
		n := m.At(int(s.At.Span.From), int(s.At.Span.To))
		if !n.Is("identifier") || !n.Parent().Is("assignment") {
			continue
		}
		scope := x.of[s.Function]
		if scope == nil {
			continue
		}
		sym := Symbol{Qualified: n.Unknown(), Node: n.Parent().Field("right")}
		if scope.Kind == code.DefModule || scope.Kind == code.DefClass {
			sym.Qualified = scope.Qualified + "." + n.Text()
		}
		out = append(out, sym)
	}
	return out
}
