package intree

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Resolve is what an expression stands for: the first thing of ResolveAll that is known. The caller
// holds the lock of the analyses, as for ResolveAll, ResolveName and Lookup.
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
	if known, ok := x.symbols[n]; ok {
		return known
	}
	x.begin()
	if len(x.asking) == 0 { // a long chain of calls is asked from its beginning
		var chain []code.Node
		for m := n.Child(0).Unparen(); m.Is("attribute", "call", "subscript"); m = m.Child(0).Unparen() {
			chain = append(chain, m)
		}
		for _, m := range slices.Backward(chain) {
			x.ask(m)
		}
	}
	return x.ask(n)
}

// begin starts the budget of a question, where none is being answered.
func (x *Program) begin() {
	if len(x.asking) == 0 && x.depth == 0 {
		x.work = 0
	}
}

func (x *Program) ask(n code.Node) []Symbol {
	known, ok := x.symbols[n]
	switch {
	case ok:
		return known
	case x.asking[n] || len(x.asking) >= maxAsked || x.work > maxWork: // it stands for itself, or is endless
		x.cuts++
		return nil
	}
	x.work++
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
	var of []Symbol
	if n.Is("attribute", "call", "subscript") {
		if of = x.ResolveAll(n.Child(0)); f == nil && len(of) > 1 && !n.Is("subscript") {
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
				out.add(x.stands(v.Function, one, v.Use)...)
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
	return x.each(of, n)
}

// each is what an attribute, an element or a call of each of some things is.
func (x *Program) each(of []Symbol, n code.Node) []Symbol {
	var out symbols
	for _, s := range of {
		switch n.Kind() {
		case "attribute":
			out.add(x.member(s, n.Field("attribute").Text())...)
		case "subscript":
			if s.External && s.Known() {
				e := external(s.Qualified + "[]")
				e.Node = n
				out.add(e)
			}
		case "call":
			if s.Known() {
				out.add(x.result(s, n)...)
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
	if out := x.symbol(x.all.Names.Typed(f, name)); len(out) > 0 || strings.Contains(name, ".") {
		return out
	}
	bound := x.all.Names.Bound(f, name)
	var out symbols
	for _, s := range bound {
		out.add(x.stands(s.Function, s.Value(), nil)...)
	}
	if out.known() {
		return out
	}
	return x.variables(bound)
}

// ResolveName says what a dotted name stands for in the scope of a node.
func (x *Program) ResolveName(name string, at code.Node) Symbol {
	x.begin()
	if d := x.Enclosing(at); d != nil {
		all := x.named(x.bodies[d], name)
		if i := slices.IndexFunc(all, Symbol.Known); i >= 0 {
			return all[i]
		}
	}
	return Symbol{Qualified: "?" + name}
}

// Lookup returns the symbol with a qualified name, following re-exports.
func (x *Program) Lookup(qualified string) Symbol {
	x.begin()
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
			return analyse.Step{Function: s.Function, Operand: x.all.Names.Unchanged(s.Function, s.At.Args[0]), Use: s.At}, true
		}
	}
	return analyse.Step{}, false
}

// member is an attribute of something.
func (x *Program) member(s Symbol, name string) []Symbol {
	switch {
	case !s.Known():
		return []Symbol{s}
	case s.External:
		return []Symbol{external(s.Qualified + "." + name)}
	case s.Def != nil && s.Def.Kind == code.DefClass:
		if m := x.Method(s.Def, name); m != nil {
			return []Symbol{{Qualified: m.Qualified, Def: m}}
		}
		fields := x.Fields(s)
		if i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); i >= 0 {
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

// result is what a call of something that is not followed further gives.
func (x *Program) result(s Symbol, call code.Node) (out symbols) {
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
