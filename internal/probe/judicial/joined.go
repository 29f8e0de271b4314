package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// tested is what the tests in an expression read, but for what it must not be.
func tested(f *il.Function, n code.Node) (out []analyse.Use) {
	for in := range instructions(f) {
		if n.Valid() && in.Op == il.Branch && n.Start() <= int(in.Span.From) && int(in.Span.To) <= n.End() {
			out = append(out, slices.DeleteFunc(parts(f, in), func(u analyse.Use) bool { return in.Kind == "!=" && u.Operand.Kind == il.Constant })...)
		}
	}
	return out
}

// node is the part of the tree that a stretch of a function's file is.
func (b *bench) node(f *il.Function, s il.Span) code.Node {
	if m := b.p.Module(f.Module.Path); m != nil {
		return m.At(int(s.From), int(s.To))
	}
	return code.Node{}
}

// call is the call of the tree that an instruction makes; nil where there is none.
func (b *bench) call(f *il.Function, in *il.Instr) *intree.Call {
	if n := b.node(f, in.Span); in.Mode != il.Decorate && n.Is("call") {
		return b.p.Call(n)
	}
	return nil
}

// comprehension is the one in which an instruction stands; zero where there is none.
func (b *bench) comprehension(f *il.Function, in *il.Instr) code.Node {
	for n := range b.node(f, in.Span).Around() {
		if n.Is(comprehensions...) {
			return n
		}
		if n.Is("block", "lambda") {
			break
		}
	}
	return code.Node{}
}

// alternatives are the values of which an expression is one on each way, in its function.
func (b *bench) alternatives(n code.Node) (f *il.Function, out []il.Operand) {
	if v, ok := intree.Value(b.il.Analyses, n); ok {
		return v.Function, v.Function.Alternatives(v.Operand)
	}
	return nil, nil
}

// callsFor are the calls that may give an expression its value.
func (b *bench) callsFor(n code.Node) (out []call) {
	f, all := b.alternatives(n)
	for _, o := range all {
		if def := f.Def(o); def != nil && def.Op == il.Call {
			out = append(out, call{f, def})
		}
	}
	return out
}

// element is what makes an element of a tuple that is written out, where an instruction
// takes one; else the instruction.
func (b *bench) element(f *il.Function, in *il.Instr) *il.Instr {
	i, ok := f.Const(keyOf(in))
	of := in
	if ok && i.Type == il.IntConst {
		of = f.Def(f.Root(in.Args[0]))
	}
	if of != nil && of.Op == il.Make && of.Kind != "map" && of != in && int(i.Num) < len(of.Args) && i.Num >= 0 {
		if def := f.Def(f.Root(of.Args[int(i.Num)])); def != nil {
			return def
		}
	}
	return in
}

// worth are the expressions that a name may stand for: what it is bound to, or what
// production code gives a parameter.
func (b *bench) worth(n code.Node) (out []code.Node) {
	f, all := b.alternatives(n)
	for _, o := range all {
		def := f.Def(o)
		for def != nil && def.Op == il.Get && b.node(f, b.element(f, def).Span).Is("keyword_pattern", "case_pattern", "dict_pattern") { // what is matched
			def = f.Def(f.Root(def.Args[0]))
		}
		switch {
		case def != nil && listed(b.node(f, def.Span)).Valid():
			out = append(out, listed(b.node(f, def.Span)))
		case def != nil && b.comprehension(f, def).Valid():
			out = append(out, b.comprehension(f, def))
		case def != nil:
			out = append(out, b.node(f, b.element(f, def).Span))
		case o.Kind == il.Local && f.Versions[o.ID].Param >= 0:
			for _, s := range b.il.Names.Sites(f) {
				if given, ok := s.Argument(f.Versions[o.ID].Param); ok && b.production(s) {
					n := b.node(s.Function, s.At.Span).Field("arguments").Child(slices.Index(s.At.Args, given) - 1)
					if n.Is("keyword_argument") {
						n = n.Field("value")
					}
					out = append(out, n.Unparen())
				}
			}
		}
	}
	return out
}

// listed is the text in a list that a name of several is set by: c in
// a, b, c = [of(j) for j in ["Prosecutor", "Defense", "TechLead"]].
func listed(target code.Node) code.Node {
	names := target.Parent()
	if !names.Is("pattern_list", "tuple_pattern") || !names.Parent().Is("assignment") || !names.Parent().Field("right").Unparen().Is(comprehensions...) {
		return code.Node{}
	}
	left := slices.Collect(names.Children())
	at := slices.Index(left, target)
	for c := range names.Parent().Field("right").Unparen().Children() {
		right := slices.Collect(c.Field("right").Unparen().Children())
		if c.Is("for_in_clause") && c.Field("right").Unparen().Is("list", "tuple") && at >= 0 && len(right) == len(left) && right[at].Is("string") {
			return right[at]
		}
	}
	return code.Node{}
}

var comprehensions = []string{"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}

// pairs matches the names of a, b = x, y with their values; any other
// assignment is one pair.
func pairs(left, right code.Node) [][2]code.Node {
	var ls, rs []code.Node
	if left.Is("pattern_list", "tuple_pattern") && right.Unparen().Is("expression_list", "tuple") {
		ls, rs = slices.Collect(left.Children()), slices.Collect(right.Unparen().Children())
	}
	if len(ls) == 0 || len(ls) != len(rs) || slices.ContainsFunc(append(ls, rs...), func(n code.Node) bool { return n.Is("list_splat_pattern", "list_splat") }) {
		return [][2]code.Node{{left, right}}
	}
	out := make([][2]code.Node, len(ls))
	for i := range ls {
		out[i] = [2]code.Node{ls[i], rs[i]}
	}
	return out
}

// targets lists the names that an assignment's left side binds or changes.
func targets(n code.Node) []string {
	switch n.Kind() {
	case "identifier":
		return []string{n.Text()}
	case "subscript":
		return targets(n.Field("value"))
	case "attribute":
		return nil
	}
	var out []string
	for c := range n.Children() {
		out = append(out, targets(c)...)
	}
	return out
}

// uses reports whether one of the names occurs in an expression.
func uses(n code.Node, names map[string]bool) bool {
	for x := range n.Walk() {
		if x.Is("identifier") && names[x.Text()] && !(x.Parent().Is("keyword_argument") && x.FieldName() == "name") {
			return true
		}
	}
	return false
}
