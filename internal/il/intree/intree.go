// Package intree joins the lowered code of Python with its tree: what an expression stands for
// and is worth there, what calls what, and where in the tree a value comes from.
//
// A qualified name is a dotted name from the outermost module inward:
// "subprocess.run", "langgraph.graph.StateGraph", "builtins.eval", or for
// first-party code "src.tools.git.clone". A method of an object is named
// through its class ("src.agent.Agent.run", "langgraph.graph.StateGraph.add_node"),
// and what a function returns is written with parentheses
// ("subprocess.run().stdout").
// What cannot be resolved is named, never dropped: it renders as "?expr@path:line".
package intree

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Origin is one place that the value of an expression in Python's tree comes from.
type Origin struct {
	analyse.Origin
	Node code.Node   // the constant, call or read there; zero where none is written
	Path []code.Node // expressions on the way, from the question to there
}

// Origins asks the lowered code where the values of expressions in Python's tree come
// from. Parameters are filled by production code: tests may pass anything. Who asks holds
// the lock of the analyses.
type Origins struct {
	x  *Program
	by analyse.Origins
}

func originsOf(x *Program) *Origins {
	return &Origins{x, analyse.Origins{Names: x.all.Names, Counts: func(s analyse.Site) bool {
		m := x.Module(s.Function.Module.Path)
		return m != nil && m.Scope == code.ScopeProduction
	}}}
}

// Of lists where an expression comes from. One that was not lowered, as nothing is for
// nil Origins, is out of sight.
func (s *Origins) Of(n code.Node) (out []Origin) {
	if n = n.Unparen(); !n.Valid() {
		return nil
	}
	var v analyse.Step
	known := s != nil
	if known {
		v, known = Value(s.x.all, n)
	}
	if !known {
		return []Origin{{Origin: analyse.Origin{Symbol: &analyse.Symbol{}}, Node: n, Path: []code.Node{n}}}
	}
	for _, o := range s.by.Of(v.Function, v.Operand, v.Use) {
		from := Origin{Origin: o, Path: []code.Node{n}}
		for _, step := range o.Steps() {
			for _, at := range s.written(step) {
				if !slices.Contains(from.Path, at) {
					from.Path = append(from.Path, at)
				}
			}
		}
		from.Node = s.stands(from)
		out = append(out, from)
	}
	return out
}

// Definition is the function or class of the tree that was lowered to f; nil where none is.
func (s *Origins) Definition(f *il.Function) *code.Definition {
	if f == nil || s.x.Module(f.Module.Path) == nil {
		return nil
	}
	if f.Kind == il.Top {
		return s.x.Module(f.Module.Path).Body()
	}
	n := s.x.Module(f.Module.Path).At(int(f.Span.From), int(f.Span.To))
	if n.Is("decorated_definition") {
		n = n.Field("definition")
	}
	return s.x.Definition(n)
}

// stands is where an origin is written.
func (s *Origins) stands(from Origin) code.Node {
	m := s.x.Module(from.Function.Module.Path)
	switch last := from.Path[len(from.Path)-1]; {
	case m == nil:
	case from.Kind == analyse.FromConst && from.Operand.Kind != il.Constant && from.Symbol.Const != nil: // what a name of a module stands for
		if n := s.bound(from.Symbol.At); n.Valid() {
			last = n
		}
		return s.constantIn(last, *from.Symbol.Const)
	case from.At != nil && from.At.Op != il.Import && from.At.Op != il.Define:
		return m.At(int(from.At.Span.From), int(from.At.Span.To))
	case from.Kind == analyse.FromName:
		return last
	case from.Kind == analyse.FromConst:
		k, _ := from.Function.Const(from.Operand)
		if n := s.constantIn(last, k); n.Valid() {
			return n
		}
		return s.constantIn(s.filled(from.Last()), k)
	}
	return code.Node{}
}

// filled is the default of the parameter that a step reads.
func (s *Origins) filled(step analyse.Step) code.Node {
	o, d := step.Function.Root(step.Operand), s.Definition(step.Function)
	if o.Kind != il.Local || step.Function.Versions[o.ID].Param < 0 || d == nil {
		return code.Node{}
	}
	name := step.Function.Params[step.Function.Versions[o.ID].Param].Name
	for _, p := range d.Params() {
		if p.Name == name {
			return p.Default
		}
	}
	return code.Node{}
}

// bound is what an assignment binds the name at a place to.
func (s *Origins) bound(at il.Place) code.Node {
	m := s.x.Module(at.Path)
	if m == nil || max(at.Line, at.EndLine) > len(m.Starts()) || min(at.Line, at.EndLine) < 1 {
		return code.Node{}
	}
	return m.At(int(m.Starts()[at.Line-1])+at.Col-1, int(m.Starts()[at.EndLine-1])+at.EndCol-1).Parent().Field("right")
}

// Call is the call that the value is given by; nil for others.
func (s *Origins) Call(from Origin) *Call {
	if !from.Node.Is("call") {
		return nil
	}
	return s.x.Call(from.Node)
}

// written is what Python's tree has of a step: what is handed on there, and what makes it.
func (s *Origins) written(step analyse.Step) (out []code.Node) {
	m := s.x.Module(step.Function.Module.Path)
	if m == nil {
		return nil
	}
	if n := s.given(m, step); n.Valid() {
		out = append(out, n)
	}
	switch def := step.Function.Def(step.Function.Root(step.Operand)); {
	case def == nil:
	case def.Op == il.Call || def.Op == il.Make || def.Op == il.Get || def.Op == il.Bind && def.Kind != "":
		if n := m.At(int(def.Span.From), int(def.Span.To)); n.Valid() {
			out = append(out, n)
		}
	}
	return out
}

// given is the expression by which an instruction reads the operand of a step.
func (s *Origins) given(m *code.Module, step analyse.Step) code.Node {
	if step.Use == nil {
		return code.Node{}
	}
	n := m.At(int(step.Use.Span.From), int(step.Use.Span.To))
	i := slices.Index(step.Use.Args, step.Operand)
	switch up := n.Parent(); {
	case step.Use.Op == il.Call && n.Is("call") && i > 0:
		n = n.Field("arguments").Child(i - 1)
	case step.Use.Op == il.Make && n.Is("list", "tuple", "set") && i >= 0:
		n = n.Child(i)
	case step.Use.Op == il.Return && n.Is("return_statement"):
		n = n.Child(0)
	case step.Use.Op == il.Bind && up.Is("assignment") && up.Field("left") == n:
		n = up.Field("right")
	case step.Operand.Kind != il.Constant:
		return code.Node{}
	}
	if n.Is("keyword_argument") {
		n = n.Field("value")
	}
	if k, ok := step.Function.Const(step.Operand); ok {
		return s.constantIn(n, k)
	}
	return n.Unparen()
}

// constantKinds are the nodes that write a constant that is no text.
var constantKinds = map[il.ConstType][]string{il.NoneConst: {"none"}, il.BoolConst: {"true", "false"}, il.IntConst: {"integer"},
	il.FloatConst: {"float"}}

// constantIn is where a constant is written in an expression.
func (s *Origins) constantIn(n code.Node, k il.Const) code.Node {
	for x := range n.Walk() {
		if text, ok := x.Literal(); x.Is(constantKinds[k.Type]...) || ok && k == (il.Const{Type: il.StrConst, Text: text}) {
			return x
		}
	}
	return code.Node{}
}

// Value is what an expression of Python's tree stands for in the lowered code, where
// it is read; false where it was not lowered.
func Value(all *analyse.Analyses, n code.Node) (analyse.Step, bool) {
	for n = n.Unparen(); n.Is("await"); {
		n = n.Child(0).Unparen()
	}
	if v, ok := made(all, n); ok {
		return v, true
	}
	child, fields := n, 0 // the fields that are read of it, which have names of their own
	for around := n.Parent(); around.Valid() && !around.Is("function_definition", "lambda", "block", "module"); around = around.Parent() {
		at := around
		if around.Is("assignment", "named_expression") && (child == around.Field("right") || child == around.Field("value")) {
			if at = around.Field("left"); !at.Valid() {
				at = around.Field("name")
			}
		}
		for _, s := range all.Written(at.Path(), at.Start(), at.End()) {
			if o, ok := operandAt(s, around, child); ok {
				for ; fields > 0; fields-- {
					get := s.Function.Def(s.Function.Root(o))
					if get == nil || get.Op != il.Get || get.Kind != "attr" {
						return analyse.Step{}, false
					}
					o = get.Args[0]
				}
				return analyse.Step{Function: s.Function, Operand: o, Use: s.At}, true
			}
		}
		switch {
		case around.Is("attribute"):
			fields++
			child = around
		case around.Is("argument_list", "parenthesized_expression"), around.Is("call") && around.Parent().Is("decorator"):
		case around.Is("pair") && child == around.Field("key"), !around.Is("keyword_argument", "pair", "interpolation", "list_splat", "dictionary_splat"): // a value of its own
			return analyse.Step{}, false
		default:
			child = around
		}
	}
	return analyse.Step{}, false
}

// made is the value of an expression that an instruction makes.
func made(all *analyse.Analyses, n code.Node) (v analyse.Step, ok bool) {
	if !n.Valid() {
		return v, false
	}
	for _, s := range all.Written(n.Path(), n.Start(), n.End()) {
		in := s.At
		if in.Op == il.Branch && len(in.Args) == 1 {
			return analyse.Step{Function: s.Function, Operand: in.Args[0], Use: in}, true
		}
		if in.Dst == il.NoDst || n.Is("identifier") || n.Is("call") && (in.Op != il.Call || in.Mode == il.Decorate) {
			continue
		}
		switch in.Op {
		case il.Call, il.Get, il.Make, il.Bind, il.Define, il.Unknown:
			dst, uses := in.Dst, s.Function.Versions[in.Dst].Uses
			if (in.Op == il.Bind && in.Kind == "" || in.Op == il.Make) && len(uses) == 1 && uses[0].Op == il.Phi { // one way of several, or what a loop fills
				dst, uses = uses[0].Dst, s.Function.Versions[uses[0].Dst].Uses
			}
			v, ok = analyse.Step{Function: s.Function, Operand: il.Operand{Kind: il.Local, ID: dst}, Use: in}, true
			if len(uses) > 0 {
				v.Use = uses[0]
			}
		}
	}
	return v, ok
}

// operandAt is the operand by which an instruction reads a part of the expression that it
// was lowered from.
func operandAt(s analyse.Site, around, child code.Node) (il.Operand, bool) {
	in, list, i := s.At, around, 0
	switch {
	case in.Op == il.Bind && in.Kind == "" && around.Is("conditional_expression"):
		return in.Args[0], s.Function.Variable(in.Args[0]) == child.Text()
	case in.Op == il.Call && around.Is("decorator"):
		list, i = around.Child(0).Field("arguments"), 2 // behind what it decorates
	case in.Op == il.Call:
		list, i = around.Field("arguments"), 1
	case in.Op == il.Get && in.Kind == "attr":
		return in.Args[0], child == around.Field("object")
	case in.Op == il.Bind && len(in.Args) == 1 && in.Kind == "" && around.Is("assignment", "named_expression"), in.Op == il.Return:
		return in.Args[0], in.Op == il.Bind && child != around.Field("left") || around.Is("return_statement")
	case in.Op == il.Set && around.Is("pair"):
		if child == around.Field("key") {
			return in.Args[1], true
		}
		return in.Args[2], true
	case in.Op == il.Set && around.Is("assignment"):
		return in.Args[2], child == around.Field("right")
	case in.Op != il.Make && in.Op != il.Get && in.Op != il.Branch && (in.Op != il.Bind || len(in.Args) < 2):
		return il.Operand{}, false
	}
	for c := range list.Children() {
		if c.Is("string_start", "string_end") {
			continue
		}
		if c.Contains(child) {
			if i < len(in.Args) {
				return in.Args[i], true
			}
			return il.Operand{}, false
		}
		i++
	}
	return il.Operand{}, false
}
