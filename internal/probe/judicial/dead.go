package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// deads knows what no run comes to: what Values says, and what stands behind a
// condition that can never hold, because it reads a key which the state does not
// have and nothing sets.
type deads struct {
	p       *intree.Program
	r       *agentgraph.Reading
	il      *lowered
	entered map[*il.Function]map[*il.Block]bool
	written map[string]bool // keys and fields that production code sets; nil before they are asked for
}

// never reports whether no run comes to a node: to no instruction of it or, where
// it has none, of what is around it.
func (x *deads) never(n code.Node) bool {
	d := x.p.Enclosing(n)
	if d == nil || x.il.function(d) == nil {
		return false
	}
	f := x.il.function(d)
	for a := n; a.Valid() && !a.Is("block", "module"); a = a.Parent() {
		found := slices.ContainsFunc(f.Dropped, func(s il.Span) bool { return int(s.From) <= a.Start() && a.End() <= int(s.To) })
		for _, s := range x.il.Standing(f, uint32(a.Start())) {
			if int(s.At.Span.From) > a.End() {
				break
			}
			if int(s.At.Span.To) > a.End() {
				continue
			}
			if x.runs(f, s.Block) {
				return false
			}
			found = true
		}
		if found {
			return true
		}
	}
	return false
}

// runs reports whether a run may come to a block, and to the functions around its
// own.
func (x *deads) runs(f *il.Function, k *il.Block) bool {
	for x.enters(f)[k] {
		if f.Outer == nil || len(f.Outer.Blocks) == 0 {
			return true
		}
		if d := x.il.Definition(f); d != nil {
			k = f.Outer.Block(d)
		}
		f = f.Outer
	}
	return false
}

// enters are the blocks of a function that a run may come to.
func (x *deads) enters(f *il.Function) map[*il.Block]bool {
	known, ok := x.entered[f]
	if !ok {
		known = x.il.Values.Enters(f, func(test *il.Instr) analyse.Tri {
			if test.Op == il.Branch && test.Kind == "true" && x.falsy(f, test) {
				return analyse.No
			}
			return analyse.Unknown
		})
		x.entered[f] = known
	}
	return known
}

// falsy reports whether what a branch tests is surely false, none or empty.
func (x *deads) falsy(f *il.Function, test *il.Instr) bool {
	w := &analyse.Origins{Names: x.il.Names}
	from := w.Of(f, test.Args[0], test)
	return len(from) > 0 && !slices.ContainsFunc(from, func(o analyse.Origin) bool {
		c := o.Symbol.Const
		switch {
		case o.Part:
			return true
		case o.Kind == analyse.FromParameter:
			return !x.ofState(o) || !x.lacks(o.Keys[0])
		case o.Kind != analyse.FromConst:
			return true
		case c == nil:
			return !x.empty(o)
		}
		return c.Num != 0 || c.Text != "" && c.Type == il.StrConst || slices.ContainsFunc(o.Steps(), func(s analyse.Step) bool { return s.Inside })
	})
}

// lacked is a key on which a condition hangs that can never hold, because the state does
// not have the key, and the place where it is read; "" when there is none.
func (x *deads) lacked(condition code.Node) (string, court.Place) {
	d := x.p.Enclosing(condition)
	if d == nil || x.il.function(d) == nil {
		return "", court.Place{}
	}
	f, w := x.il.function(d), &analyse.Origins{Names: x.il.Names}
	for _, in := range f.Instructions() {
		if in.Op != il.Branch || int(in.Span.From) < condition.Start() || int(in.Span.To) > condition.End() || !x.falsy(f, in) {
			continue
		}
		for _, o := range w.Of(f, in.Args[0], in) {
			if o.Kind == analyse.FromParameter && x.ofState(o) && x.lacks(o.Keys[0]) {
				read := o.Last()
				return o.Keys[0], lies(read.Function, read.Use.Span)
			}
		}
	}
	return "", court.Place{}
}

// unmet is the place of a test that no object passes which the program makes, in a
// condition or in a function that the condition calls; without a path where none is known.
func (x *deads) unmet(condition code.Node) court.Place {
	within := func(d *code.Definition, from, to int) court.Place {
		if d == nil || x.il.function(d) == nil {
			return court.Place{}
		}
		f := x.il.function(d)
		for _, test := range x.il.Values.Unmet(f) {
			if from <= int(test.Span.From) && int(test.Span.To) <= to {
				return lies(f, test.Span)
			}
		}
		return court.Place{}
	}
	if at := within(x.p.Enclosing(condition), condition.Start(), condition.End()); at.Path != "" {
		return at
	}
	for n := range condition.Walk() {
		if c := x.p.Call(n); n.Is("call") && c != nil && c.Callee.Def != nil && c.Callee.Def.IsFunction() {
			if at := within(c.Callee.Def, c.Callee.Def.Node.Start(), c.Callee.Def.Node.End()); at.Path != "" {
				return at
			}
		}
	}
	return court.Place{}
}

// empty reports whether an origin is a container without content that nothing fills:
// it comes to no change, and to nothing that is not known to leave it as it is.
func (x *deads) empty(o analyse.Origin) bool {
	if o.At == nil || o.At.Op != il.Make {
		return false
	}
	flow := x.il.Flow()
	flow.To = func(f *il.Function, in *il.Instr, arg int) bool {
		name := lastName(in)
		return arg == 0 && (in.Op == il.Set || in.Op == il.Call && !slices.Contains(reading, name))
	}
	return flow.Avoids(o.Function, il.Operand{Kind: il.Local, ID: o.At.Dst})
}

// reading are methods that leave a container as it is.
var reading = []string{"get", "items", "keys", "values", "copy"}

// ofState reports whether an origin is a key of the graph's state: of a parameter
// of that name or type.
func (x *deads) ofState(o analyse.Origin) bool {
	p := o.Function.Params[o.Param]
	if x.r.State == nil || len(o.Keys) == 0 {
		return false
	}
	if p.Type == "" {
		return p.Name == "state"
	}
	d := langgraph.Def(x.r.State.Source)
	return d != nil && x.il.function(d) != nil && x.il.Names.Type(o.Function, p.Type) == x.il.function(d)
}

// lacks reports whether the state has no such key and nothing sets it, or never holds anything
// under it.
func (x *deads) lacks(key string) bool {
	st := x.r.State
	if st == nil || st.Open || len(st.Fields) == 0 || key == "*" {
		return false
	}
	if field := st.Field(key); field != nil {
		return field.Void
	}
	if x.written == nil {
		x.written = map[string]bool{}
		for f := range x.il.Program.All() {
			if m := x.p.Module(f.Module.Path); m == nil || m.Scope != code.ScopeProduction {
				continue
			}
			for _, in := range f.Instructions() {
				x.writes(f, in)
			}
		}
	}
	return !x.written[key] && (x.r.Main == nil || !slices.ContainsFunc(x.r.Main.Writes, func(w agentgraph.Write) bool { return w.Key == key }))
}

// writes notes the keys that an instruction sets: of what it calls without being
// known, any keyword may be one.
func (x *deads) writes(f *il.Function, in *il.Instr) {
	switch {
	case in.Op == il.Set:
		if key, ok := f.Str(in.Args[1]); ok {
			x.written[key] = true
		}
	case in.Op == il.Make, in.Op == il.Call && x.il.callee(f, in) == nil && x.il.outside(f, in) == "":
		for _, name := range in.Names {
			x.written[name] = true
		}
	}
}
