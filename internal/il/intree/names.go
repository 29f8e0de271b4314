package intree

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Resolve is what an expression stands for: the first thing of ResolveAll that is known.
func (x *Program) Resolve(n code.Node) Symbol {
	all := x.ResolveAll(n)
	if i := slices.IndexFunc(all, Symbol.Known); i >= 0 {
		return all[i]
	}
	if len(all) > 0 {
		return all[0]
	}
	return Symbol{Qualified: n.Unknown()}
}

// maxAsked bounds the expressions that the question for one leads to at a time.
const maxAsked = 60

// ResolveAll is everything that an expression may stand for, as far as is known.
func (x *Program) ResolveAll(n code.Node) []Symbol {
	n = n.Unparen()
	known, ok := x.symbols[n]
	switch {
	case ok:
		return known
	case x.asking[n] || len(x.asking) >= maxAsked: // it stands for itself, or is endless
		x.cuts++
		return nil
	}
	x.asking[n] = true
	cuts := x.cuts
	known = x.resolve(n)
	delete(x.asking, n)
	if x.cuts == cuts { // what a circle cuts short is not kept
		x.symbols[n] = known
	}
	return known
}

func (x *Program) resolve(n code.Node) []Symbol {
	var out symbols
	switch n.Kind() {
	case "":
		return nil
	case "await", "type":
		return x.ResolveAll(n.Child(0))
	case "named_expression":
		return x.ResolveAll(n.Field("value"))
	case "conditional_expression":
		out.add(x.ResolveAll(n.Child(0))...)
		out.add(x.ResolveAll(n.Child(2))...)
		return out
	case "boolean_operator":
		out.add(x.ResolveAll(n.Field("left"))...)
		out.add(x.ResolveAll(n.Field("right"))...)
		return out
	case "lambda":
		d := x.Definition(n)
		return []Symbol{{Qualified: d.Qualified, Def: d}}
	}
	if class := literalType(n); class != "" {
		return []Symbol{{Qualified: "builtins." + class, External: true, Instance: true, Node: n}}
	}
	f := x.typeScope(n)
	if f == nil && n.Is("attribute", "call") {
		if of := x.ResolveAll(n.Child(0)); len(of) > 1 {
			return x.each(of, n)
		}
	}
	if f == nil {
		if v, ok := x.value(n); ok {
			ways := v.Function.Alternatives(v.Operand)
			if len(ways) == 1 {
				ways[0] = v.Operand // the variable that it is read from
			}
			for _, one := range ways {
				out.add(x.stands2(v.Function, one, v.Use)...)
			}
		} else if d := x.Enclosing(n); d != nil {
			f = x.bodies[d]
		}
	}
	if n.Is("identifier", "attribute") {
		out.add(x.named(f, n.Text())...)
	}
	if out.known() {
		return out
	}
	return x.each(x.ResolveAll(n.Child(0)), n)
}

// each is what an attribute, an element or a call of each of some things is.
func (x *Program) each(of []Symbol, n code.Node) []Symbol {
	var out symbols
	for _, s := range of {
		switch n.Kind() {
		case "attribute":
			out.add(x.member2(s, n.Field("attribute").Text())...)
		case "subscript":
			if s.External && s.Known() {
				e := external(s.Qualified + "[]")
				e.Node = n
				out.add(e)
			}
		case "call":
			if s.Known() {
				out.add(x.result2(s, n)...)
			}
		}
	}
	return out
}

// named is what a dotted name stands for in a function, nothing in nil.
func (x *Program) named(f *il.Function, name string) []Symbol {
	if f == nil {
		return nil
	}
	if out := x.symbol2(x.all.Names.Typed(f, name)); len(out) > 0 || strings.Contains(name, ".") {
		return out
	}
	bound := x.all.Names.Bound(f, name)
	var out symbols
	if x.depth++; x.depth <= maxHops {
		for _, s := range bound {
			out.add(x.stands2(s.Function, s.Value(), nil)...)
		}
	}
	x.depth--
	if out.known() {
		return out
	}
	return x.bound2(bound)
}

// ResolveName says what a dotted name stands for in the scope of a node.
func (x *Program) ResolveName(name string, at code.Node) Symbol {
	if d := x.Enclosing(at); d != nil {
		if all := x.named(x.bodies[d], name); len(all) > 0 {
			return all[0]
		}
	}
	return Symbol{Qualified: "?" + name}
}

// Lookup returns the symbol with a qualified name, following re-exports.
func (x *Program) Lookup(qualified string) Symbol {
	for i := len(qualified); i > 0; i = strings.LastIndexByte(qualified[:i], '.') {
		m := x.ModuleNamed(qualified[:i])
		if m == nil || x.all.Names.Top(m.Path) == nil {
			continue
		}
		if i == len(qualified) {
			return Symbol{Qualified: m.Name, Module: m}
		}
		if all := x.named(x.all.Names.Top(m.Path), qualified[i+1:]); len(all) > 0 {
			return all[0]
		}
	}
	return external(qualified)
}

// typeScope is the function in whose sight a name of a type or of a base class stands; nil for
// other expressions.
func (x *Program) typeScope(n code.Node) *il.Function {
	below := n
	for a := range n.Around() {
		switch {
		case a.Is("type"):
			return x.bodies[x.Enclosing(a)]
		case a.Is("class_definition") && a.Field("superclasses") == below && n.Parent() == below:
			return x.bodies[x.Definition(a).Parent]
		case !a.Is("generic_type", "type_parameter", "binary_operator", "union_type", "member_type", "subscript", "argument_list", "keyword_argument", "call", "attribute"):
			return nil
		}
		below = a
	}
	return nil
}

// value is Value, and what a call calls, and the decorator that is applied.
func (x *Program) value(n code.Node) (analyse.Step, bool) {
	p := n.Parent()
	for p.Is("parenthesized_expression") {
		p = p.Parent()
	}
	of := il.Call
	switch {
	case p.Is("call") && p.Field("function").Unparen() == n, p.Is("decorator"):
	case p.Is("attribute", "subscript") && p.Parent().Is("assignment") && p == p.Parent().Field("left") && n == p.Child(0):
		of = il.Set
	default:
		return Value(x.all, n)
	}
	for _, s := range x.all.Written(p.Path(), p.Start(), p.End()) {
		if s.At.Op == of && (s.At.Mode == il.Decorate) == p.Is("decorator") {
			return analyse.Step{Function: s.Function, Operand: s.At.Args[0], Use: s.At}, true
		}
	}
	return analyse.Step{}, false
}

// member2 is an attribute of something.
func (x *Program) member2(s Symbol, name string) []Symbol {
	switch {
	case !s.Known():
		return []Symbol{s}
	case s.External:
		return []Symbol{external(s.Qualified + "." + name)}
	case s.Def != nil && s.Def.Kind == code.DefClass:
		if m := x.Method(s.Def, name); m != nil {
			return []Symbol{{Qualified: m.Qualified, Def: m}}
		}
		if fields := x.Fields(s); slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
			return []Symbol{{Qualified: s.Qualified + "." + name, Node: fields[i].Default}}
		}
		for _, b := range x.Bases(s.Def) {
			if b.External && !b.Matches("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol") {
				return []Symbol{external(b.Qualified + "." + name)}
			}
		}
	}
	return []Symbol{{Qualified: s.Qualified + "." + name}}
}

// result2 is what a call of something that is not followed further gives.
func (x *Program) result2(s Symbol, call code.Node) (out symbols) {
	one := Symbol{Qualified: s.Qualified + "()", External: s.External, Node: call}
	switch {
	case s.Def != nil && s.Def.Kind == code.DefClass && !s.Instance:
		one.Qualified, one.Def, one.Instance = s.Qualified, s.Def, true
	case s.External && s.Instance:
		one.Qualified = s.Qualified + ".__call__()"
	case s.External && classLike(s.Qualified):
		one.Qualified, one.Instance = s.Qualified, true
	case s.External && builtinMethod(s.Qualified) != "":
		one.Qualified, one.Instance = "builtins."+builtinMethod(s.Qualified), true
	case s.Def != nil && x.bodies[s.Def] != nil:
		out.add(x.returned(x.bodies[s.Def])...)
	}
	if !out.known() {
		return symbols{one}
	}
	return out
}

func (x *Program) symbol2(s *analyse.Symbol) []Symbol {
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

func (x *Program) object2(o analyse.Object, made code.Node) []Symbol {
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

// stands2 is what an operand stands for. A variable of a module or a class that only holds an
// object of a builtin class stands for itself.
func (x *Program) stands2(f *il.Function, o il.Operand, use *il.Instr) []Symbol {
	out := x.means(f, o, use)
	if len(out) == 0 || slices.ContainsFunc(out, func(s Symbol) bool { return !s.plain() }) {
		return out
	}
	own := x.bound2(x.binding2(f, o))
	if len(own) > 0 && own[0].Known() {
		return own
	}
	return out
}

func (x *Program) means(f *il.Function, o il.Operand, use *il.Instr) []Symbol {
	var out symbols
	names := x.all.Names
	s := names.Operand(f, o)
	if s != nil && s.Function != nil && s.Function.Kind != il.ClassBody && x.isProperty(f, o, s.Function) {
		return x.returned(s.Function)
	}
	if out.add(x.symbol2(s)...); len(out) > 0 {
		return out
	}
	bound := x.binding2(f, o)
	def := f.Def(f.Root(o))
	if len(bound) == 1 && x.depth < maxHops && (bound[0].Function != f || bound[0].Value() != o) && (def == nil || def.Op != il.Get) {
		x.depth++
		out = x.stands2(bound[0].Function, bound[0].Value(), nil)
		x.depth--
		if out.known() {
			return out
		}
		out = nil
	}
	object := names.Instance(f, o)
	if slices.Contains(functional, object.Outside) {
		if out.add(x.bound2(bound)...); len(out) > 0 {
			return out
		}
	}
	if out.add(x.object2(object, x.made2(f, o))...); len(out) > 0 {
		return out
	}
	if made := x.made2(f, o); def != nil && def.Op == il.Call && made.Is("call") && !x.asking[made] {
		if out.add(x.ResolveAll(made)...); out.known() {
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
	element := def != nil && def.Op == il.Get && def.Kind != "attr"
	for _, from := range x.Origins.by.Of(f, o, use) {
		if from.Part && !element || len(from.Keys) > 0 {
			continue
		}
		if from.Kind == analyse.FromCall && from.At != nil && from.At.Op == il.Call {
			dst := il.Operand{Kind: il.Local, ID: from.At.Dst}
			out.add(x.object2(names.Instance(from.Function, dst), x.made2(from.Function, dst))...)
			continue
		}
		out.add(x.symbol2(from.Symbol)...)
	}
	if def != nil && def.Op == il.Import && len(def.Names) > 1 {
		out.add(Symbol{Qualified: def.Kind + "." + def.Names[1]})
	}
	if out.known() || x.depth > maxHops {
		return out
	}
	x.depth++
	for _, s := range bound {
		if s.At.Op == il.Set {
			out.add(x.stands2(s.Function, s.At.Args[2], s.At)...)
		}
	}
	x.depth--
	if !out.known() {
		out.add(x.bound2(bound)...)
	}
	return out
}

// maxHops bounds the bindings that lead to each other.
const maxHops = 8

// isProperty tells a method that a read of an attribute runs.
func (x *Program) isProperty(f *il.Function, o il.Operand, g *il.Function) bool {
	def := f.Def(f.Root(o))
	return def != nil && def.Op == il.Get && slices.ContainsFunc([]string{"property", "cached_property", "computed_field"}, func(name string) bool { return slices.Contains(g.Decorators, name) })
}

// returned is what a function may give.
func (x *Program) returned(f *il.Function) []Symbol {
	var out symbols
	for _, in := range f.Instructions() {
		if in.Op == il.Return && len(in.Args) == 1 {
			out.add(x.stands2(f, in.Args[0], in)...)
		}
	}
	return out
}

// made2 is the call that makes an object, where one does.
func (x *Program) made2(f *il.Function, o il.Operand) code.Node {
	if bound := x.binding2(f, o); len(bound) == 1 {
		f, o = bound[0].Function, bound[0].Value()
	}
	if def := f.Def(f.Root(o)); def != nil && def.Op == il.Call {
		if m := x.Module(f.Module.Path); m != nil {
			return m.At(int(def.Span.From), int(def.Span.To))
		}
	}
	return code.Node{}
}

// binding2 are the instructions that bind the variable that a value is read from.
func (x *Program) binding2(f *il.Function, o il.Operand) []analyse.Site {
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

// bound2 are the variables that instructions bind.
func (x *Program) bound2(bound []analyse.Site) (out []Symbol) {
	for _, s := range bound {
		m := x.Module(s.Function.Module.Path)
		if m == nil || s.At.Op != il.Bind {
			continue
		}
		n := m.At(int(s.At.Span.From), int(s.At.Span.To))
		if !n.Parent().Is("assignment") {
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
