package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// proof is how far a test makes a text harmless for what runs it as a script or as
// code.
type proof uint8

const (
	nothing proof = iota // a beginning, a part, a length: what a shell acts on may still be in it
	perhaps              // what it asks is not known
	proven               // lets nothing through that a shell acts on
)

// acted are the characters by which a text leaves its place in a script.
const acted = ";&|$`<>()\n"

// proves is how far the tests in front of a step make the value harmless for what runs
// it: each of them on every way to the step, about this value, with a way out.
func (x *lowered) proves(s analyse.Step) proof { return x.provesTo(s, 0) }

func (x *lowered) provesTo(s analyse.Step, deep int) proof {
	if s.Use == nil || deep > maxTests {
		return perhaps
	}
	p := proving{x, s.Function, s.Operand, deep}
	best, denied := p.characters(s.Use), ""
	for _, g := range x.guards(s) {
		if g.Test.Op == il.Call {
			best = max(best, p.refused(g.Test))
			continue
		}
		if g.Leaves == "" && x.usedElsewhere(s, g) {
			continue
		}
		denied += p.denies(g)
		if g.Test.Kind == "true" {
			best = max(best, p.says(g.Test.Args[0], g.Truth))
		} else {
			best = max(best, p.compares(g.Test, g.Truth))
		}
	}
	if !strings.ContainsFunc(";&|$`", func(r rune) bool { return !strings.ContainsRune(denied, r) }) {
		best = max(best, perhaps)
	}
	if x.demanded(s) {
		best = max(best, perhaps)
	}
	return best
}

// proving asks what conditions say of one value.
type proving struct {
	*lowered
	f     *il.Function
	value il.Operand
	deep  int
}

// text tells the value itself, as opposed to a part of it.
func (p proving) text(o il.Operand) bool { return p.same(p.f, o, p.value) }

// says is what holds of the value where a condition is true, or false.
func (p proving) says(o il.Operand, truth bool) proof {
	o = p.f.Root(o)
	def := p.f.Def(o)
	switch {
	case p.text(o):
		return nothing // there is one
	case def == nil:
		return perhaps
	case def.Op == il.Bind && def.Kind == "not":
		return p.says(def.Args[0], !truth)
	case def.Op == il.Bind && len(def.Args) == 2:
		return p.compares(def, truth)
	case def.Op == il.Get && p.part(o):
		return nothing
	case def.Op == il.Call:
		return p.called(call{f: p.f, in: def}, truth)
	}
	return perhaps
}

// part tells what a part of the value is, or its length: what else is in it is not said.
func (p proving) part(o il.Operand) bool {
	def := p.f.Def(p.f.Root(o))
	if def == nil {
		return false
	}
	switch def.Op {
	case il.Get:
		return p.whole(def.Args[0]) || p.part(def.Args[0])
	case il.Call:
		c := call{f: p.f, in: def}
		object, _ := c.receiver()
		at := slices.ContainsFunc(def.Args[1:], p.whole) || p.whole(object) || p.part(object)
		return at && (slices.Contains(taking, c.method()) || c.method() == "len" || c.method() == "count" || c.method() == "find")
	}
	return false
}

// whole tells the value, or another spelling of all of it.
func (p proving) whole(o il.Operand) bool {
	if p.text(o) {
		return true
	}
	def := p.f.Def(p.f.Root(o))
	if def == nil || def.Op != il.Call {
		return false
	}
	c := call{f: p.f, in: def}
	object, ok := c.receiver()
	return ok && slices.Contains([]string{"strip", "lower", "upper", "casefold", "trim", "toLowerCase"}, c.method()) && p.whole(object)
}

// compares is what a comparison says of the value.
func (p proving) compares(in *il.Instr, truth bool) proof {
	if len(in.Args) < 2 {
		return perhaps
	}
	left, right := in.Args[0], in.Args[1]
	switch {
	case (in.Kind == "in" || in.Kind == "not in") && p.whole(right):
		return nothing // what is in it, or is not: see denies
	case p.part(left) || p.part(right):
		return nothing
	case none(p.f, right):
		return p.says(left, truth == (in.Kind == "is not" || in.Kind == "!=" || in.Kind == "!=="))
	case empty(p.f, left) || empty(p.f, right):
		return nothing
	}
	return perhaps
}

// none tells the constant for nothing at all.
func none(f *il.Function, o il.Operand) bool {
	c, ok := f.Const(f.Root(o))
	return ok && c.Type == il.NoneConst
}

// denies are the characters that a value has none of behind a test.
func (p proving) denies(g analyse.Guard) string {
	t := g.Test
	if len(t.Args) != 2 || !(t.Kind == "in" && !g.Truth || t.Kind == "not in" && g.Truth) || !p.whole(t.Args[1]) {
		return ""
	}
	text, _ := p.f.Str(p.f.Root(t.Args[0]))
	if len(text) != 1 {
		return ""
	}
	return text
}

// beginnings are methods that ask how a text begins or ends, or for a part of it.
var beginnings = []string{"startswith", "endswith", "startsWith", "endsWith", "starts_with", "ends_with", "HasPrefix", "HasSuffix", "StartsWith", "EndsWith",
	"isinstance", "len", "bool", "hasPrefix", "hasSuffix"}

// called is what the result of a call says of the value.
func (p proving) called(c call, truth bool) proof {
	method := c.method()
	name, outside := p.callee(p.f, c.in)
	switch {
	case !outside:
		return p.helper(c, truth)
	case slices.Contains(beginnings, method), strings.EqualFold(method, "includes") || strings.EqualFold(method, "contains"):
		object, _ := c.receiver()
		if first, _ := c.in.Argument("", 0); !slices.Contains(beginnings, method) && !p.whole(object) && !p.whole(first) {
			return perhaps // one of a list
		}
		return nothing
	case slices.Contains(kinds, method):
		if truth {
			return proven
		}
		return nothing
	case method == "fullmatch" || method == "match" || method == "search":
		return p.matches(c, method, truth)
	case (name == "builtins.any" && !truth || name == "builtins.all" && truth) && len(c.in.Args) > 1:
		return p.elements(c)
	}
	return perhaps
}

// elements is what any or all of the value's characters say of it.
func (p proving) elements(c call) proof {
	def := p.f.Def(p.f.Root(c.in.Args[1]))
	if def == nil {
		return perhaps
	}
	for _, in := range p.f.Instructions() {
		if in.Op == il.Bind && len(in.Args) == 2 && in.Span.From >= c.in.Span.From && in.Span.To <= c.in.Span.To {
			if set, ok := p.ofCharacters(in); ok {
				return set
			}
		}
	}
	return perhaps
}

// characters is what a loop over the value says that leaves at the first character
// which is not allowed.
func (p proving) characters(use *il.Instr) (best proof) {
	home := p.f.Block(use)
	for b, in := range p.f.Instructions() {
		if in.Op != il.Loop || !p.text(in.Args[0]) || home == nil || !b.Dominates(home) || b.Succs[0].Dominates(home) {
			continue
		}
		for c, t := range p.f.Instructions() {
			if t.Op != il.Branch || len(t.Args) != 2 || !b.Succs[0].Dominates(c) {
				continue
			}
			if set, ok := p.ofCharacters(t); ok && (analyse.Ends(p.f, t, t.Kind == "not in") != "") {
				best = max(best, set)
			}
		}
	}
	return best
}

// ofCharacters is what a test says that holds a character of the value against a
// constant set; false for another test.
func (p proving) ofCharacters(in *il.Instr) (proof, bool) {
	each := p.f.Def(p.f.Root(in.Args[0]))
	if in.Kind != "in" && in.Kind != "not in" || each == nil || each.Op != il.Get || each.Kind != "each" || !p.text(each.Args[0]) {
		return nothing, false
	}
	set := p.constantText(p.f, in.Args[1])
	switch {
	case set == "":
		return perhaps, true
	case strings.ContainsAny(set, acted):
		return nothing, true
	}
	return proven, true
}

// refused is what a function of the program proves that is given the value and comes
// back only when its test passed.
func (p proving) refused(in *il.Instr) proof {
	best := nothing
	for i, o := range in.Args[1:] {
		if !p.text(o) {
			continue
		}
		if g, param := p.Names.Argument(p.f, in, i); g != nil {
			best = max(best, p.returns(g, param, func(*il.Instr) proof { return nothing }, nil))
		}
	}
	return best
}

// helper is what a function of the program says by a true, or false, result.
func (p proving) helper(c call, truth bool) proof {
	best := nothing
	for i, o := range c.in.Args[1:] {
		if !p.whole(o) {
			continue
		}
		g, param := p.Names.Argument(p.f, c.in, i)
		if g == nil || g.Kind == il.ClassBody {
			return perhaps
		}
		inner := proving{p.lowered, g, il.Operand{Kind: il.Local, ID: g.Params[param].Var}, p.deep + 1}
		best = max(best, p.returns(g, param, func(in *il.Instr) proof {
			if _, constant := g.Const(g.Root(in.Args[0])); constant {
				return nothing
			}
			return inner.says(in.Args[0], truth)
		}, &truth))
	}
	return best
}

// returns is the least that is proven of a parameter where a function returns: by the
// tests in front of the statement, or by what it gives back. A constant that is the
// other truth than the one asked for does not count.
func (p proving) returns(g *il.Function, param int, also func(*il.Instr) proof, truth *bool) proof {
	if p.deep >= maxTests || g.Kind == il.ClassBody {
		return perhaps
	}
	least, any := proven, false
	value := il.Operand{Kind: il.Local, ID: g.Params[param].Var}
	for _, in := range g.Instructions() {
		if in.Op != il.Return {
			continue
		}
		if truth != nil {
			c, constant := g.Const(g.Root(in.Args[0]))
			if made := g.Def(g.Root(in.Args[0])); made != nil && made.Op == il.Make {
				return perhaps // a truth with a message
			}
			if constant && c.Type == il.BoolConst && (c.Num != 0) != *truth || constant && c.Type == il.NoneConst && *truth {
				continue
			}
		}
		any = true
		least = min(least, max(p.provesTo(analyse.Step{Function: g, Operand: value, Use: in}, p.deep+1), also(in)))
	}
	if !any {
		return perhaps
	}
	return least
}
