package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// refuses is an error that a function raises for want of a key, where nothing
// in it catches that.
func refuses(d *code.Definition) code.Node {
	if !d.IsFunction() {
		return code.Node{}
	}
	for _, r := range modelless(d, false) {
		for _, s := range r.statements {
			if s.Is("raise_statement") && solely(r.test) && !caught(s) {
				return s
			}
		}
	}
	return code.Node{}
}

// solely reports whether a test has no part that is not about keys: with other
// parts it need not be met.
func solely(n code.Node) bool {
	n = n.Unparen()
	if n.Is("boolean_operator") {
		l, r := n.Field("left"), n.Field("right")
		return sideOf(l, false) == sideOf(r, false) && solely(l) && solely(r)
	}
	return sideOf(n, false) != neither
}

// spared reports whether a node only runs when there is a key or a model: it
// stands in such a branch, or after one for want of it that leaves.
func (b *bench) spared(n code.Node) bool {
	for _, g := range b.p.Guards(n) {
		if has([]string{g.Kind}, "except", "match", "while") {
			continue
		}
		s := sideOf(g.Condition, false)
		if s == with && !g.Negated || s == without && g.Negated && solely(g.Condition) {
			return true
		}
	}
	below := n
	for a := range n.Around() {
		if a.Is("function_definition", "lambda") {
			return false
		}
		if a.Is("block", "module") {
			for s := range a.Children() {
				if s.Start() >= below.Start() {
					break
				}
				if s.Is("if_statement") && sideOf(s.Field("condition"), false) == without && solely(s.Field("condition")) && leavesBlock(s.Field("consequence")) {
					return true
				}
			}
		}
		below = a
	}
	return false
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

// fakes are the models of libraries that answer what they are told to.
var fakes = []string{"langchain*.Fake*", "langchain*.GenericFakeChatModel"}

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
