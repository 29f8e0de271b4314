package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// offlineAnswer says how the judges fare without any model.
type offlineAnswer struct {
	yields bool
	how    string    // in words, for both outcomes
	at     code.Node // what decides
}

// withoutModel says whether a judge still gives an opinion when there is no
// key and no model can be reached.
func (b *bench) withoutModel() offlineAnswer {
	if at, ok := b.noKeyBranch(); ok {
		return offlineAnswer{true, "a branch for a missing key gives opinions", at}
	}
	var off *built
	for _, x := range b.builds(b.judges) {
		if !x.asked {
			off = &x
			break
		}
	}
	if off == nil {
		return offlineAnswer{false, "no opinion is made without a model's answer", code.Node{}}
	}
	if at := b.exposed(); at.Valid() {
		return offlineAnswer{false, "making or asking the model fails where nothing catches it", at}
	}
	return offlineAnswer{true, "making the client and asking it both fail inside handlers, and an opinion is made without an answer", off.call.Node}
}

// exposed returns a construction of a client that needs a key, or a call of a
// model, that runs outside every handler; zero when there is none.
func (b *bench) exposed() code.Node {
	needs := map[code.Node]bool{}
	for _, c := range b.clients() {
		if !subset(c.providers, keyless) {
			needs[c.call.Node] = true
		}
	}
	seen := map[*code.Definition]bool{}
	var visit func(d *code.Definition, depth int) code.Node
	visit = func(d *code.Definition, depth int) code.Node {
		if seen[d] || depth > maxRoomDepth {
			return code.Node{}
		}
		seen[d] = true
		for _, c := range b.p.CallsIn(d) {
			if b.p.Dead(c.Node) || caught(c.Node) {
				continue
			}
			if needs[c.Node] || b.models.calls(c) {
				return c.Node
			}
			for _, next := range runs(b.p, c) {
				if n := visit(next, depth+1); n.Valid() {
					return n
				}
			}
		}
		return code.Node{}
	}
	for _, d := range b.judges.roots {
		if d.Kind == code.DefMethod {
			if m := b.p.Method(d.Parent, "__init__"); m != nil {
				if n := visit(m, 0); n.Valid() {
					return n
				}
			}
		}
		if n := visit(d, 0); n.Valid() {
			return n
		}
	}
	for _, d := range b.judges.defs { // what importing the judges' files does
		if n := visit(d.Module.Body(), 0); n.Valid() && !guardedByKey(b.p, n) {
			return n
		}
	}
	return code.Node{}
}

// guardedByKey reports whether a construction runs only when its key is set.
func guardedByKey(p *code.Program, n code.Node) bool {
	for _, g := range p.Guards(n) {
		if !g.Negated && keyWords(g.Condition) {
			return true
		}
	}
	return false
}

func subset(all, of []string) bool {
	for _, s := range all {
		if !slices.Contains(of, s) {
			return false
		}
	}
	return true
}

// runs lists the first-party functions that a call runs: the callee, the
// constructor of a class, and functions handed over.
func runs(p *code.Program, c *code.Call) []*code.Definition {
	var out []*code.Definition
	for _, s := range c.Symbols() {
		switch {
		case s.Def == nil:
		case s.Def.IsFunction():
			out = append(out, s.Def)
		case s.Def.Kind == code.DefClass:
			if m := p.Method(s.Def, "__init__"); m != nil {
				out = append(out, m)
			}
		}
	}
	for _, a := range c.Args {
		if a.Value.Is("lambda") {
			out = append(out, p.Definition(a.Value))
		} else if a.Value.Is("identifier", "attribute") {
			if s := p.Resolve(a.Value); s.Def != nil && s.Def.IsFunction() && !s.Instance {
				out = append(out, s.Def)
			}
		}
	}
	return out
}

// caught reports whether an error raised at a node is swallowed in its own
// function: a broad handler that does not raise again.
func caught(n code.Node) bool {
	for t := trying(n); t.Valid(); t = trying(t) {
		for c := range t.Children() {
			if c.Is("except_clause") && broad(c) && !raises(c) {
				return true
			}
		}
	}
	return false
}

func broad(handler code.Node) bool {
	v := handler.Field("value")
	if v.Is("as_pattern") {
		v = v.Child(0)
	}
	if !v.Valid() {
		return true
	}
	for x := range v.Walk() {
		if x.Is("identifier") && (x.Text() == "Exception" || x.Text() == "BaseException") {
			return true
		}
	}
	return false
}

// raises reports whether a handler always raises again.
func raises(handler code.Node) bool {
	for c := range handler.Children() {
		if c.Is("block") {
			for s := range c.Children() {
				if s.Is("raise_statement") {
					return true
				}
			}
		}
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
		for n := range d.Body().WalkScope() {
			if n.Is("if_statement") && b.branchGives(n) {
				return n.Field("condition"), true
			}
		}
	}
	if b.r.Main == nil || !b.judges.wired {
		return code.Node{}, false
	}
	for i := range b.r.Main.Routes {
		rt := &b.r.Main.Routes[i]
		if rt.Def == nil {
			continue
		}
		for n := range rt.Def.Body().WalkScope() {
			if n.Is("if_statement") && keyless1(n.Field("condition")) && b.leadsToOpinions(n.Field("consequence")) {
				return n.Field("condition"), true
			}
		}
	}
	return code.Node{}, false
}

// branchGives reports whether the branch of an if statement that is taken
// without a key makes opinions without asking.
func (b *bench) branchGives(n code.Node) bool {
	cond := n.Field("condition")
	branch := code.Node{}
	switch {
	case keyless1(cond):
		branch = n.Field("consequence")
	case keyWords(cond):
		for _, a := range n.Fields("alternative") {
			if a.Is("else_clause") {
				branch = a
			}
		}
	}
	return branch.Valid() && b.gives(branch)
}

// gives reports whether a block makes opinions and asks no model.
func (b *bench) gives(block code.Node) bool {
	makes := false
	for x := range block.Walk() {
		if !x.Is("call") {
			continue
		}
		c := b.p.Call(x)
		if c == nil {
			continue
		}
		if b.models.steps(c) {
			return false
		}
		if b.opinion(c.Callee.Def) {
			makes = true
		} else if d := c.Callee.Def; d != nil && d.IsFunction() && b.makesOpinion(enter(b.p, []*code.Definition{d}, false)) {
			makes = true
		}
	}
	return makes
}

// leadsToOpinions reports whether a router's branch names a node that makes
// opinions without asking.
func (b *bench) leadsToOpinions(block code.Node) bool {
	for x := range block.Walk() {
		text, ok := literal(x)
		if !ok {
			continue
		}
		n := b.r.Main.Node(text)
		if n != nil && n.Def != nil && b.gives(n.Def.Body()) {
			return true
		}
	}
	return false
}

// keyless1 recognises a test that there is no key or no model.
func keyless1(n code.Node) bool {
	n = n.Unparen()
	switch n.Kind() {
	case "not_operator":
		return keyWords(n.Field("argument"))
	case "comparison_operator":
		return keyWords(n) && strings.Contains(n.Text(), " is None")
	case "boolean_operator":
		return keyless1(n.Field("left")) || keyless1(n.Field("right"))
	}
	return false
}

// keyWords reports whether an expression is about a key or a model.
func keyWords(n code.Node) bool {
	for x := range n.Walk() {
		name := ""
		switch x.Kind() {
		case "string_content":
			name = x.Text()
		case "identifier":
			name = x.Text()
		}
		ws := split(name)
		if has(ws, "key", "llm", "token", "apikey") || len(ws) == 1 && has(ws, "model", "client") {
			return true
		}
	}
	return false
}
