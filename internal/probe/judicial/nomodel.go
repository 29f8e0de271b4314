package judicial

import (
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// sideOf is what the condition of a branch tells of the model.
func (o *outage) sideOf(f *il.Function, test *il.Instr, switches bool) side {
	return sideOf(o.b.node(f, test.Span), switches)
}

// decided is what is known of the model where a block runs, by the closest test
// that every way to it has passed with one outcome; neither where that test is
// about something else.
func (o *outage) decided(f *il.Function, k *il.Block, switches bool) (s side, above *il.Block) {
	for k.Dominator() != nil {
		d := k.Dominator()
		if test := d.End(); test.Op == il.Branch && len(k.Preds) == 1 && k.Preds[0] == d {
			s = o.sideOf(f, test, switches)
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
	s, d := o.decided(f, k, false)
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
		s, at = o.decided(f, at, false)
		known = s == with
	}
	o.spare[first] = known
	return known
}

// noKeyBranch looks for a branch that is taken without a key, or without a
// model, and gives opinions: in the judges' code, or on the way to them.
func (b *bench) noKeyBranch() (court.Place, bool) {
	o := b.outage()
	for _, d := range b.judges.defs {
		f := b.il.function(d)
		if f == nil {
			continue
		}
		for _, r := range o.modelless(f) {
			asked := slices.ContainsFunc(slices.Collect(calls(f)), func(in *il.Instr) bool { return b.asks().at[in] && in.Span.From < r.test.Span.From })
			if o.stands(f, r.blocks) && !asked { // else what follows uses the answer
				return lies(f, r.test.Span), true
			}
		}
	}
	if b.r.Main == nil || !b.judges.wired {
		return court.Place{}, false
	}
	for i := range b.r.Main.Routes {
		d := langgraph.Def(b.r.Main.Routes[i].Source)
		if d == nil || b.il.function(d) == nil {
			continue
		}
		f := b.il.function(d)
		for _, r := range o.modelless(f) {
			for _, k := range r.blocks {
				if b.leadsToOpinions(f, k) {
					return lies(f, r.test.Span), true
				}
			}
		}
	}
	return court.Place{}, false
}

// region is what runs only without a model, by the test that is closest to it.
type region struct {
	test   *il.Instr
	blocks []*il.Block
}

func (o *outage) modelless(f *il.Function) (out []region) {
	for _, k := range f.Blocks {
		s, test := neither, k
		for at := k; at != nil && s == neither; {
			if s, at = o.decided(f, at, true); at != nil {
				test = at
			}
		}
		if s != without {
			continue
		}
		i := slices.IndexFunc(out, func(r region) bool { return r.test == test.End() })
		if i < 0 {
			i, out = len(out), append(out, region{test: test.End()})
		}
		out[i].blocks = append(out[i].blocks, k)
	}
	slices.SortStableFunc(out, func(x, y region) int { return int(x.test.Span.From) - int(y.test.Span.From) })
	return out
}

// stands tells blocks in which opinions are made and no model is asked.
func (o *outage) stands(f *il.Function, blocks []*il.Block) bool {
	makes := false
	for k, in := range f.Instructions() {
		if !slices.Contains(blocks, k) {
			continue
		}
		if o.b.asks().at[in] {
			return false
		}
		makes = makes || o.gives[in] || slices.ContainsFunc(o.b.il.next()[in], func(g *il.Function) bool {
			all := o.b.il.below(g)
			all[g] = true
			return slices.ContainsFunc(slices.Collect(maps.Keys(all)), o.makes)
		})
	}
	return makes
}

func (o *outage) makes(f *il.Function) bool {
	return slices.ContainsFunc(slices.Collect(instructions(f)), func(in *il.Instr) bool { return o.gives[in] })
}

// leadsToOpinions reports whether a block of a route names a node that makes opinions
// without asking.
func (b *bench) leadsToOpinions(f *il.Function, k *il.Block) bool {
	for _, in := range k.Instrs {
		for _, o := range in.Args {
			text, _ := f.Str(o)
			n := b.r.Main.Node(text)
			if n == nil || langgraph.Def(n.Source) == nil {
				continue
			}
			if g := b.il.function(langgraph.Def(n.Source)); g != nil && b.outage().stands(g, g.Blocks) {
				return true
			}
		}
	}
	return false
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
		if m := c.Node.Module(); m.Scope == code.ScopeProduction && !m.Shadowed && !b.il.off(c.Node) && b.chosen(c) && slices.ContainsFunc(b.judges.defs, holds) {
			at = append(at, c.Node)
		}
	}
	return at
}

// standsIn reports whether a call makes an opinion, or an object that answers
// with opinions in a model's place.
func (b *bench) standsIn(c *intree.Call) bool {
	d := c.Callee.Def
	switch {
	case d == nil:
		return c.Matches(fakes...)
	case d.Kind != code.DefClass:
		return false
	case b.opinion(d):
		return true
	}
	for _, name := range append([]string{"__call__"}, asking...) {
		if m := b.p.Method(d, name); m != nil && m.Module.Scope == code.ScopeProduction && !b.models.reaches(m) {
			if b.makesOpinion(enter(b.p, b.il, []*code.Definition{m}, false)) || speaksOfScore(m) {
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
