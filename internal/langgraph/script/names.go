package script

import (
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// lowered is the function, or the body of the class, that a node writes, nil where it
// was not lowered.
func (r *reader) lowered(f syntax.Node) *il.Function {
	if !f.Valid() {
		return nil
	}
	return r.bodies.Defined(f.Path(), f.Start(), f.End())
}

// around is the function, class or top level around a node.
func (r *reader) around(n syntax.Node) *il.Function {
	if f := n.Enclosing("func", "class"); f.Valid() {
		return r.lowered(f)
	}
	return r.bodies.Names.Top(n.Path())
}

// made are the instructions that make the value of an expression: of a call the call,
// of a member its read.
func (r *reader) made(n syntax.Node) (out []analyse.Site) {
	if n.Valid() {
		for _, s := range r.bodies.Written(n.Path(), n.Start(), n.End()) {
			if def := s.Function.Def(s.Function.Root(s.Value())); def != nil {
				out = append(out, analyse.Site{Function: s.Function, At: def})
			}
		}
	}
	return out
}

// symbol is what a name or member stands for, nil where that is not known.
func (r *reader) symbol(n syntax.Node) *analyse.Symbol {
	if f := r.around(n); n.Is("name") && f != nil {
		return r.bodies.Names.Seen(f, n.Name())
	}
	for _, s := range r.made(n) {
		if n.Is("member") {
			return r.bodies.Names.Operand(s.Function, s.Value())
		}
	}
	return nil
}

// full is the full name of what a name or member stands for, "" where that is not known.
func (r *reader) full(n syntax.Node) string {
	name, _ := r.symbol(n).Full()
	return name
}

// called is the full name of what a call calls, "" where that is not known.
func (r *reader) called(call syntax.Node) string {
	name, _ := r.callee(call).Full()
	return name
}

func (r *reader) callee(call syntax.Node) *analyse.Symbol {
	if s, ok := r.bodies.CallAt(call.Path(), call.Start(), call.End()); ok {
		return r.bodies.Names.Operand(s.Function, s.At.Args[0])
	}
	return nil
}

// written is where the function stands that a symbol is.
func (r *reader) written(s *analyse.Symbol) syntax.Node {
	_, f := s.Full()
	if f == nil {
		return syntax.Node{}
	}
	return r.p.File(f.Module.Path).At(int(f.Span.From), int(f.Span.To), "func")
}

// bound are the instructions that bind a variable, or a field.
func (r *reader) bound(n syntax.Node) []analyse.Site {
	if f := r.around(n); n.Is("name") && f != nil {
		return r.bodies.Names.Bound(f, n.Name())
	}
	for _, s := range r.made(n) {
		if n.Is("member") && s.At.Op == il.Get {
			return r.bodies.Names.BoundBy(s.Function, s.At)
		}
	}
	return nil
}

// values are the expressions that a variable is given.
func (r *reader) values(n syntax.Node) (out []syntax.Node) {
	for _, s := range r.bound(n) {
		at := r.p.File(s.Function.Module.Path).At(int(s.At.Span.From), int(s.At.Span.To), "name", "assign")
		if at.Role() == "target" {
			at = at.Parent()
		}
		if v := at.Child("value"); v.Valid() && at.Is("assign") {
			out = append(out, v)
		}
	}
	return out
}
