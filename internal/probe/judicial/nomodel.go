package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// sideOf is what the condition of a branch tells of the model.
func (o *outage) sideOf(f *il.Function, test *il.Instr) side {
	known, ok := o.sides[test]
	if ok {
		return known
	}
	o.sides[test] = neither
	if m := o.b.p.Module(f.Module.Path); m != nil && test.Op == il.Branch {
		for n := range m.Root().Walk() {
			if n.Start() == int(test.Span.From) && n.End() == int(test.Span.To) {
				o.sides[test] = sideOf(n, false)
				break
			}
		}
	}
	return o.sides[test]
}

// decided is what is known of the model where a block runs, by the closest test
// that every way to it has passed with one outcome; neither where that test is
// about something else.
func (o *outage) decided(f *il.Function, k *il.Block) (s side, above *il.Block) {
	for k.Dominator() != nil {
		d := k.Dominator()
		if test := d.End(); test.Op == il.Branch && len(k.Preds) == 1 && k.Preds[0] == d {
			s = o.sideOf(f, test)
			if d.Succs[0] != k {
				s = s.opposite()
			}
			return s, d
		}
		k = d
	}
	return neither, nil
}

// refuses tells a block that is run for want of a key and of nothing else, where
// nothing in the function catches what it raises.
func (o *outage) refuses(f *il.Function, k *il.Block) bool {
	s, d := o.decided(f, k)
	if s != without {
		return false
	}
	if len(d.Preds) == 1 && d.Preds[0].End().Op == il.Branch && slices.ContainsFunc(d.Preds[0].Succs, func(other *il.Block) bool {
		return other != d && slices.ContainsFunc(d.Succs, func(x *il.Block) bool { return onward(x) == onward(other) })
	}) {
		return false // another part of the test has to hold, too
	}
	_, kept := o.catcher(f, k.End())
	return !kept
}

// onward is where a block of nothing but a jump leads.
func onward(b *il.Block) *il.Block {
	for range 8 {
		if len(b.Instrs) > 1 || b.End().Op != il.Jump || len(b.Succs) != 1 {
			break
		}
		b = b.Succs[0]
	}
	return b
}

// spared tells a block that is only run where there is a key or a model.
func (o *outage) spared(f *il.Function, k *il.Block) bool {
	first := k.Instrs[0]
	known, ok := o.spare[first]
	if ok {
		return known
	}
	for at := k; at != nil && !known; {
		var s side
		s, at = o.decided(f, at)
		known = s == with
	}
	o.spare[first] = known
	return known
}

// noKeyBranch looks for a branch that is taken without a key, or without a
// model, and gives opinions: in the judges' code, or on the way to them.
func (b *bench) noKeyBranch() (code.Node, bool) {
	for _, d := range b.judges.defs {
		if !d.IsFunction() {
			continue
		}
		for _, r := range modelless(d, true) {
			if b.gives(r.statements) && !b.askedBefore(d, r) {
				return r.test, true
			}
		}
	}
	if b.r.Main == nil || !b.judges.wired {
		return code.Node{}, false
	}
	for i := range b.r.Main.Routes {
		rt := &b.r.Main.Routes[i]
		if langgraph.Def(rt.Source) == nil {
			continue
		}
		for _, r := range modelless(langgraph.Def(rt.Source), true) {
			if b.leadsToOpinions(r.statements) {
				return r.test, true
			}
		}
	}
	return code.Node{}, false
}

// askedBefore reports whether a function asks a model before a test: what
// follows then uses the answer.
func (b *bench) askedBefore(d *code.Definition, r region) bool {
	return slices.ContainsFunc(b.p.CallsIn(d), func(c *code.Call) bool {
		return c.Node.Start() < r.test.Start() && !b.p.Dead(c.Node) && b.models.steps(c)
	})
}

// gives reports whether statements make opinions and ask no model.
func (b *bench) gives(statements []code.Node) bool {
	makes := false
	for _, s := range statements {
		for x := range s.Walk() {
			c := b.p.Call(x)
			if !x.Is("call") || c == nil {
				continue
			}
			if b.models.steps(c) {
				return false
			}
			makes = makes || b.standsIn(c)
		}
	}
	return makes
}

// fakes are the models of libraries that answer what they are told to, and what these
// give.
var fakes = []string{"langchain*.Fake*", "langchain*.GenericFakeChatModel*", "llama_index*.MockLLM*", "pydantic_ai*.TestModel*", "pydantic_ai*.FunctionModel*", "unittest.mock.*Mock*"}

// noModel is the answer where no judge asks a model: that one answers in its place
// which asks none, or that none was found.
func (b *bench) noModel(why, but string) probe.Finding {
	if at := b.impostors(); len(at) > 0 {
		return probe.Against(court.AST, spots(at...), "%s The answers come from a stand-in that asks none.", safetext.Sentence(why)).
			Do("Replace the stand-in at %s by a model: %s", facts.Line(spot(at[0])), askModel)
	}
	if at := b.computed(); len(at) > 0 {
		return probe.Cannot(court.Dynamic, spots(at...), "The judges' code imports a module whose name is computed when the program runs, and no call of a model was found. The module may ask one.")
	}
	return b.nothing(why, but, askModel, modelSentinels...)
}

// computed lists the imports in the judges' files of a module whose name is not a constant.
func (b *bench) computed() []code.Node {
	var at []code.Node
	for _, c := range b.p.Calls(imports...) {
		holds := func(d *code.Definition) bool { return d.Module == c.Node.Module() && d.IsFunction() }
		if m := c.Node.Module(); m.Scope == code.ScopeProduction && !m.Shadowed && !b.p.Dead(c.Node) && b.chosen(c) && slices.ContainsFunc(b.judges.defs, holds) {
			at = append(at, c.Node)
		}
	}
	return at
}

// standsIn reports whether a call makes an opinion, or an object that answers
// with opinions in a model's place.
func (b *bench) standsIn(c *code.Call) bool {
	d := c.Callee.Def
	switch {
	case d == nil:
		return c.Matches(fakes...)
	case d.IsFunction():
		return b.makesOpinion(enter(b.p, []*code.Definition{d}, false))
	case d.Kind != code.DefClass:
		return false
	case b.opinion(d):
		return true
	}
	for _, name := range append([]string{"__call__"}, asking...) {
		if m := b.p.Method(d, name); m != nil && m.Module.Scope == code.ScopeProduction && !b.models.reaches(m) {
			if b.makesOpinion(enter(b.p, []*code.Definition{m}, false)) || speaksOfScore(m) {
				return true
			}
		}
	}
	return false
}

// speaksOfScore reports whether a function holds the text of a score's key, as
// one does that answers with JSON.
func speaksOfScore(d *code.Definition) bool {
	for x := range d.Body().Walk() {
		if x.Is("string_content") && has(split(x.Text()), "score") {
			return true
		}
	}
	return false
}

// leadsToOpinions reports whether a router's branch names a node that makes
// opinions without asking.
func (b *bench) leadsToOpinions(statements []code.Node) bool {
	for _, s := range statements {
		for x := range s.Walk() {
			text, ok := literal(x)
			if !ok {
				continue
			}
			n := b.r.Main.Node(text)
			if n != nil && langgraph.Def(n.Source) != nil && b.gives([]code.Node{langgraph.Def(n.Source).Body()}) {
				return true
			}
		}
	}
	return false
}
