package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// marks tells what values are made of, and under which conditions they were given. It asks
// where they come from, and reads the names on the way.
type marks struct {
	b           *bench
	room, roots map[*il.Function]bool            // whose calls count as callers of the functions in it; nil: all
	nodes       map[*il.Function]agentgraph.Role // functions whose call in the room runs another node
	known       map[analyse.Use]made             // without At
	open        map[analyse.Use]bool             // being looked at
	cut         bool                             // one of them was asked for again
	tests       map[*il.Instr][]code.Node        // the conditions around what an instruction writes
	asked       map[code.Node]made               // conditions, also while one is worked at
}

// made is what a value is made of, and the conditions that chose among it.
type made struct {
	data  mark
	tests []code.Node
}

func (m *made) add(o made) {
	m.data |= o.data
	for _, n := range o.tests {
		if !slices.Contains(m.tests, n) {
			m.tests = append(m.tests, n)
		}
	}
}

func (b *bench) newMarks(in *programPart) *marks {
	k := &marks{b: b, known: map[analyse.Use]made{}, open: map[analyse.Use]bool{}, tests: map[*il.Instr][]code.Node{}, asked: map[code.Node]made{}}
	if in != nil {
		k.room, k.roots, k.nodes = b.lowers(in.defs), b.lowers(in.roots), map[*il.Function]agentgraph.Role{}
		for d, role := range b.called() {
			k.nodes[b.il.function(d)] = role
		}
	}
	return k
}

// lowers are the functions that definitions write.
func (b *bench) lowers(defs []*code.Definition) map[*il.Function]bool {
	out := map[*il.Function]bool{}
	for _, d := range defs {
		out[b.il.function(d)] = true
	}
	return out
}

// counts tells a call that fills parameters: what tests pass is not what the program
// passes, and what others pass to a helper that the room shares with them is not what it
// passes itself.
func (k *marks) counts(s analyse.Site) bool {
	own := func(s analyse.Site) bool {
		return s.Call && k.b.production(s) && (k.room[s.Function] || s.Function.Kind == il.Top || s.Function.Kind == il.ClassBody)
	}
	g := s.Callee()
	return k.b.production(s) && (!k.room[g] || k.roots[g] || own(s) || !slices.ContainsFunc(k.b.il.Names.Sites(g), own))
}

func (b *bench) production(s analyse.Site) bool {
	m := b.p.Module(s.Function.Module.Path)
	return m != nil && m.Scope == code.ScopeProduction
}

// of is what an operand is made of.
func (k *marks) of(u analyse.Use) (out made) {
	at := analyse.Use{Function: u.Function, Operand: u.Operand}
	if known, ok := k.known[at]; ok {
		return known
	}
	if k.open[at] { // it is made of itself
		k.cut = true
		return out
	}
	k.cut = k.cut && len(k.open) > 0
	k.open[at] = true
	defer delete(k.open, at)
	work, done := []analyse.Use{u}, map[analyse.Use]bool{}
	w := &analyse.Origins{Names: k.b.il.Names, Counts: k.counts, Through: func(*il.Function, *il.Instr) bool { return true }}
	w.Seen = func(f *il.Function, o il.Operand) {
		got, more := k.note(f, o)
		out.add(got)
		work = append(work, more...)
	}
	w.Ends = func(f *il.Function, in *il.Instr) bool {
		got, ends := k.ends(f, in, at)
		out.add(got)
		return ends
	}
	for ; len(work) > 0; work = work[1:] {
		if u := work[0]; !done[u] {
			done[u] = true
			for _, x := range w.Of(u.Function, u.Operand, u.At) {
				switch c, g := x.Symbol.Const, x.Symbol.Function; {
				case c != nil && c.Type == il.StrConst:
					out.data |= ofText(c.Text)
				case g != nil && x.Kind == analyse.FromName:
					out.data |= ofName(g.Name)
				}
				work = append(work, k.beyond(x)...)
			}
		}
	}
	if own := k.name(u.Function, u.Operand); own&anyJudge != 0 { // the name says whose it is
		out.data = own | out.data&^anyJudge
	}
	if len(k.open) == 1 || !k.cut {
		k.known[at] = out
	}
	return out
}

// ends tells a result that is not followed, and what it is made of: another node's, or a
// model's, as what that was made of there says nothing of how it is used here; an object,
// which is not what it holds, but an answer stays an answer; and what the name says of whom.
func (k *marks) ends(f *il.Function, in *il.Instr, of analyse.Use) (out made, ends bool) {
	o := il.Operand{Kind: il.Local, ID: in.Dst}
	if at := (analyse.Use{Function: f, Operand: o}); at != of && k.name(f, o)&anyJudge != 0 {
		return k.of(at), true
	}
	if in.Op != il.Call {
		return out, false
	}
	g := k.b.il.callee(f, in)
	switch role, node := k.nodes[g]; {
	case g != nil && node && !k.room[g]:
		if role == facts.Detective {
			out.data = evidence
		}
		return out, true
	case k.b.models.calls(k.b.call(f, in)):
		return made{data: asked}, true
	case g != nil && g.Kind == il.ClassBody, k.b.il.outside(f, in) == "dataclasses.replace", has([]string{lastName(in)}, "model_copy", "_replace"):
		for i, o := range in.Args[1:] {
			if !has(split(in.Names[i]), prose...) {
				out.data |= k.of(analyse.Use{Function: f, Operand: o, At: in}).data & asked
			}
		}
		if of := receiver(f, in); g == nil && of != in.Args[0] {
			out.add(k.of(analyse.Use{Function: f, Operand: of, At: in}))
		}
		return out, true
	}
	return out, false
}

// name is what the name of a variable says. Whose a score is it says only of what is not
// known to be everybody's.
func (k *marks) name(f *il.Function, o il.Operand) (m mark) {
	if o.Kind == il.Local && f.Versions[o.ID].Param >= 0 {
		p := f.Params[f.Versions[o.ID].Param]
		m = ofName(p.Name) | ofName(p.Type)&evidence
	} else if name := f.Variable(o); !strings.Contains(name, ".") {
		m = ofName(name)
	}
	if m&anyJudge != 0 && k.shared(f, o, map[analyse.Use]bool{}) {
		m &^= anyJudge
	}
	return m
}

// note is what an operand on the way says by itself, and what else it is made of.
func (k *marks) note(f *il.Function, o il.Operand) (out made, more []analyse.Use) {
	out.data = k.name(f, o)
	if text, ok := f.Str(o); ok {
		out.data |= ofText(text)
	}
	def := f.Def(o)
	if def == nil {
		return out, nil
	}
	calls := func(o il.Operand, name string) bool {
		in := f.Def(f.Root(o))
		return in != nil && in.Op == il.Call && in.Kind == name
	}
	key := keyOf(def)
	if text, ok := f.Str(key); ok {
		out.data |= ofAttribute(text)
	} else if def.Op == il.Get {
		more = append(more, analyse.Use{Function: f, Operand: key, At: def})
	}
	switch def.Op {
	case il.Get:
		if s := k.b.il.Names.Operand(f, o); s != nil && s.Outside != "" { // it is known by its name alone
			more = append(more, analyse.Use{Function: f, Operand: def.Args[0], At: def})
		}
	case il.Bind, il.Set:
		out.tests = k.around(f, def)
		if def.Kind == "-" && calls(def.Args[0], "max") && calls(def.Args[len(def.Args)-1], "min") {
			out.data |= spread
		}
		if def.Kind == "add" { // what a comprehension takes in
			more = append(more, tested(f, k.b.comprehension(f, def))...)
		}
	case il.Phi:
		if n := k.b.node(f, def.Span); f.Variable(o) == "" && n.Is("not_operator", "comparison_operator", "boolean_operator") {
			more = append(more, tested(f, n)...)
		}
	case il.Call:
		out.data |= k.called(f, def)
		if g := k.b.il.callee(f, def); g != nil && g.Kind != il.ClassBody {
			for in := range returns(g) {
				out.tests = append(out.tests, k.around(g, in)...)
			}
		} else if g == nil && receiver(f, def) == def.Args[0] { // a function that was handed over
			more = append(more, analyse.Use{Function: f, Operand: def.Args[0], At: def})
		}
	default: // it is followed
	}
	return out, more
}

// called is what the name of what a call calls says, and the texts that it is given as keys.
func (k *marks) called(f *il.Function, in *il.Instr) (m mark) {
	elements := func(in *il.Instr) bool {
		c, ok := f.Const(keyOf(in))
		return in.Op == il.Get && ok && c.Type == il.IntConst
	}
	if uses := f.Versions[in.Dst].Uses; len(uses) == 0 || !elements(uses[0]) { // else it is about all that it gives
		m = ofName(lastName(in)) &^ evidence
	}
	if starts(split(lastName(in)), "stdev", "pstdev", "pvariance", "std") {
		m |= spread
	}
	for i, o := range in.Args[1:] {
		text, ok := f.Str(o)
		if !ok {
			continue
		}
		if g, p := k.b.il.Names.Argument(f, in, i); g != nil && slices.ContainsFunc(slices.Collect(instructions(g)), func(in *il.Instr) bool {
			key := g.Root(keyOf(in))
			return key.Kind == il.Local && g.Versions[key.ID].Param == p
		}) {
			m |= ofAttribute(text)
		}
	}
	return m
}

// beyond are the values that an origin is made of, where it is followed no further: what a
// test compares, what a function is asked about, and what a decorated function gives.
func (k *marks) beyond(x analyse.Origin) (more []analyse.Use) {
	g := x.Symbol.Function
	switch {
	case x.Kind == analyse.FromConst && x.At != nil && (x.At.Op == il.Bind || x.At.Op == il.Call):
		return parts(x.Function, x.At)
	case g != nil && g.Kind != il.ClassBody && (x.Kind == analyse.FromCall && k.nodes[g] == "" || x.Kind == analyse.FromName && g.Kind != il.Top):
		for in := range returns(g) {
			more = append(more, analyse.Use{Function: g, Operand: in.Args[0], At: in})
		}
	}
	return more
}

// around are the conditions around what an instruction writes: not those of the
// branches of a chain that were passed over before its own.
func (k *marks) around(f *il.Function, in *il.Instr) []code.Node {
	out, ok := k.tests[in]
	if !ok {
		n := k.b.node(f, in.Span)
		if out = k.b.conditions(n); n.Is("conditional_expression") {
			out = append(out, n.Child(1))
		}
		k.tests[in] = out
	}
	return out
}

func (b *bench) conditions(n code.Node) (out []code.Node) {
	for _, g := range b.p.Guards(n) {
		if says(g) || g.Negated && otherwise(g, n) {
			out = append(out, g.Condition)
		}
	}
	return out
}

// expression is what an expression is made of where it stands.
func (k *marks) expression(n code.Node) (out made) {
	if n = n.Unparen(); !n.Valid() || n.Is("comment") {
		return out
	}
	if v, ok := intree.Value(k.b.il.Analyses, n); ok && !n.Is("case_pattern") {
		return k.of(analyse.Use{Function: v.Function, Operand: v.Operand, At: v.Use})
	}
	if text, ok := n.Literal(); ok {
		out.data = ofText(text)
	}
	for c := range n.Children() {
		out.add(k.expression(c))
	}
	if !n.Is("case_pattern") {
		return out
	}
	for _, s := range code.Subject(n) {
		out.add(k.expression(s))
	}
	for x := range n.Walk() { // what the pattern asks of it
		switch x.Kind() {
		case "keyword_pattern":
			out.data |= ofAttribute(x.Child(0).Text())
		case "string_content":
			out.data |= ofText(x.Text())
		}
	}
	return out
}
