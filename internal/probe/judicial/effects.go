package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// effect is one place where a score gets its value: an assignment to a name of
// a score, or what a function that computes a score returns.
type effect struct {
	node   code.Node        // the statement
	value  code.Node        // the score
	target string           // the name, "" for a return
	fn     *code.Definition // the function
	is     origin           // what the value is made of
	graded bool             // the score is told by a word
	copied bool             // it takes the place of the score of what is copied
	guards []code.Guard     // the conditions around it, ternaries included
}

// decisions are questions about effects that were decided: each effect is asked about beside
// every other.
type decisions map[decided]bool

// decided is what tells an effect from others.
type decided struct {
	node, value code.Node
	target      string
}

func (d decisions) of(e effect, decide func(effect) bool) bool {
	at := decided{e.node, e.value, e.target}
	known, ok := d[at]
	if !ok {
		known = decide(e)
		d[at] = known
	}
	return known
}

// scoreWords are words of names that hold a score on its way to the verdict.
var scoreWords = []string{"score", "scores", "final", "capped", "weighted", "adjusted", "average", "avg", "mean", "overall", "rating", "points", "grade", "verdict", "raw", "base", "result"}

// effects lists the places in a room where scores get their value, those that
// can never run apart, nearest function first.
func (b *bench) effects(r *programPart) []effect {
	if out, ok := b.weighed[r]; ok {
		return out
	}
	var out []effect
	for _, d := range r.defs {
		if !d.IsFunction() {
			continue
		}
		under := b.rowOf(d, r)
		if d.Kind == code.DefLambda {
			if len(under) > 0 && b.weighs.returned(b.il.function(d)).data&judged != 0 {
				out = append(out, within(under, b.effect(d, d.Node, d.Body(), ""))...)
			}
			continue
		}
		before := len(out)
		scoring := b.results(d)&judged != 0 && !onlyTexts(d.Returns().Text())
		for n := range d.Body().WalkScope() {
			switch {
			case n.Is("assignment", "augmented_assignment"):
				out = append(out, b.assigned(d, n)...)
			case n.Is("keyword_argument") && has(split(n.Field("name").Text()), "score", "final") && !plain(n.Field("value")):
				out = append(out, b.effect(d, n, n.Field("value"), n.Field("name").Text())...)
			case n.Is("pair"):
				out = append(out, b.replaced(d, n)...)
			case n.Is("return_statement"):
				for _, v := range values(n.Child(0)) {
					if _, word := b.grade(v); scoring || word {
						out = append(out, b.effect(d, n, v, "")...)
					}
				}
			}
		}
		within(under, out[before:])
	}
	b.weighed[r] = out
	return out
}

// replaced is the effect of a pair by which a copy of an opinion gets another score:
// o.model_copy(update={"score": 1}), {**o, "score": 1}.
func (b *bench) replaced(d *code.Definition, pair code.Node) []effect {
	name, ok := pair.Field("key").Literal()
	if v := pair.Field("value"); !ok || !has(split(name), "score") || plain(v) {
		return nil
	}
	var of code.Node
	dict := pair.Parent()
	for c := range dict.Children() {
		if c.Is("dictionary_splat") {
			of = c.Child(0)
		}
	}
	if at := dict.Parent(); at.Is("keyword_argument") && at.Field("name").Text() == "update" {
		of = at.Parent().Parent().Field("function").Field("object")
	}
	if !of.Valid() {
		return nil
	}
	es := b.effect(d, pair, pair.Field("value"), name)
	for i := range es {
		es[i].copied = true
	}
	return es
}

// within puts conditions around effects.
func within(under []code.Guard, es []effect) []effect {
	for i := range es {
		es[i].guards = slices.Concat(under, es[i].guards)
	}
	return es
}

// values are the parts of a returned tuple, or the one value.
func values(n code.Node) []code.Node {
	n = n.Unparen()
	if !n.Is("expression_list", "tuple") {
		return []code.Node{n}
	}
	var out []code.Node
	for c := range n.Children() {
		out = append(out, c)
	}
	return out
}

// assigned is the effect of an assignment, when its target holds a score.
func (b *bench) assigned(d *code.Definition, n code.Node) []effect {
	left := n.Field("left")
	if left.Is("pattern_list", "tuple_pattern") {
		return b.unpacked(d, n)
	}
	name := last(left)
	ws := split(name)
	if left.Is("subscript") {
		for _, s := range left.Fields("subscript") {
			if text, ok := s.Literal(); ok {
				ws = append(ws, split(text)...)
			}
		}
	}
	if !ofScore(ws) || left.Is("identifier") && !readIn(d, name) {
		return nil
	}
	return b.effect(d, n, n.Field("right"), name)
}

// readIn reports whether a function reads a name anywhere: what is only set has
// no effect.
func readIn(d *code.Definition, name string) bool {
	for x := range d.Body().Walk() {
		if !x.Is("identifier") || x.Text() != name {
			continue
		}
		if p := x.Parent(); !p.Is("assignment", "augmented_assignment") || p.Field("left") != x {
			return true
		}
	}
	return false
}

// ofScore reports whether the words of a name are those of a score.
func ofScore(ws []string) bool {
	return has(ws, scoreWords...) && !has(ws, "log", "trace", "events", "meta", "metadata", "details")
}

// unpacked is the effect of score, note = value: each score is made of its
// element of the value.
func (b *bench) unpacked(d *code.Definition, n code.Node) (out []effect) {
	for _, pair := range pairs(n.Field("left"), n.Field("right")) {
		for _, name := range targets(pair[0]) {
			if !ofScore(split(name)) {
				continue
			}
			es := b.effect(d, n, pair[1], name)
			for i := range es {
				es[i].is = b.weighs.bound(b.il.function(d), name, il.Span{From: uint32(n.Start()), To: uint32(n.End())})
			}
			out = append(out, es...)
		}
	}
	return out
}

// effect keeps what may be a number, split where a condition chooses.
func (b *bench) effect(d *code.Definition, n, v code.Node, target string) []effect {
	v = v.Unparen()
	if v.Is("conditional_expression") {
		return append(b.effect(d, n, v.Child(0), target), b.effect(d, n, v.Child(2), target)...)
	}
	if _, word := b.grade(v); word && !b.deads.never(v) {
		return []effect{{node: n, value: v, target: target, fn: d, graded: true, guards: b.p.Guards(v)}}
	}
	if !v.Valid() || v.Is("string", "concatenated_string", "true", "false", "none", "dictionary", "list", "list_comprehension",
		"dictionary_comprehension", "set", "lambda", "comparison_operator", "not_operator", "boolean_operator") || b.deads.never(v) || b.textual(v) {
		return nil
	}
	if c := b.p.Call(v); c != nil && c.Callee.Def != nil && c.Callee.Def.Kind == code.DefClass {
		return nil
	}
	return []effect{{node: n, value: v, target: target, fn: d, is: b.weighs.at(v), guards: b.p.Guards(v)}}
}

// under is the marks of the conditions of an effect: not those of the branches
// of a chain that were passed over before its own.
func (b *bench) under(e effect) mark {
	var m mark
	for _, g := range e.guards {
		if says(g) || g.Negated && otherwise(g, e.node) {
			m |= b.weighs.condition(g.Condition)
		}
	}
	return m
}

// because is the marks of the conditions that must hold for an effect.
func (b *bench) because(e effect) mark {
	var m mark
	for _, g := range e.guards {
		if says(g) {
			m |= b.weighs.condition(g.Condition)
		}
	}
	return m
}

// says reports whether a guard is a condition that holds: a test, or the other
// side of a test that something is not so.
func says(g code.Guard) bool {
	if g.Kind == "except" {
		return false
	}
	return !g.Negated || g.Condition.Unparen().Is("not_operator") || none(g.Condition.Unparen())
}

// otherwise reports whether a node stands in the last branch of the if
// statement of a condition, the one for all other cases.
func otherwise(g code.Guard, n code.Node) bool {
	s := g.Condition.Parent()
	if s.Is("elif_clause") {
		s = s.Parent()
	}
	return !s.Is("if_statement") || branchOf(s, n).Is("else_clause")
}

// onJudges reports whether an effect is about a judge's score: its value or
// what else its target is given.
func (b *bench) onJudges(e effect) bool { return b.judging.of(e, b.isOnJudges) }

func (b *bench) isOnJudges(e effect) bool {
	if e.graded || e.copied || e.is.data&judged != 0 || b.setsOpinion(e.node) != nil {
		return true
	}
	if e.target == "" { // a judge's words beside the score are no score
		return e.is.data&argued == 0 && b.results(e.fn)&judged != 0
	}
	return b.weighs.holds(b.il.function(e.fn), e.target).data&judged != 0
}

// results is what a function gives back, and what else the scores are given that it comes to.
func (b *bench) results(d *code.Definition) mark {
	f := b.il.function(d)
	m := b.weighs.returned(f).data
	if f == nil {
		return m
	}
	for _, s := range b.il.Names.Sites(f) {
		seen := map[int32]bool{}
		for work := []int32{s.At.Dst}; s.Call && b.production(s) && len(work) > 0; work = work[1:] {
			if work[0] == il.NoDst || seen[work[0]] {
				continue
			}
			seen[work[0]] = true
			v := s.Function.Versions[work[0]]
			if ofScore(split(v.Var)) {
				m |= b.weighs.holds(s.Function, v.Var).data
			}
			for _, in := range v.Uses {
				limits := func(g analyse.Guard) bool { return slices.Contains([]string{"<", "<=", ">", ">="}, g.Test.Kind) }
				if slices.ContainsFunc(analyse.Guards(s.Function, b.il.Names, il.Operand{Kind: il.Local, ID: work[0]}, in), limits) {
					continue // it only limits them
				}
				if in.Op == il.Bind && in.Kind == "" || in.Op == il.Phi || in.Op == il.Assume || in.Op == il.Get && in.Kind == "item" {
					work = append(work, in.Dst)
				}
			}
		}
	}
	return m
}

// number is the value of a constant number: a literal, or the name of one.
func (b *bench) number(n code.Node) (float64, bool) {
	n = n.Unparen()
	if !n.Is("integer", "float", "identifier", "attribute", "unary_operator") {
		return 0, false // what is computed is no constant; to look costs much
	}
	return b.p.Number(n)
}

// highest is the greatest constant number that a chain of choices may give.
func (b *bench) highest(n code.Node) (float64, bool) {
	n = n.Unparen()
	if !n.Is("conditional_expression") {
		return b.number(n)
	}
	x, ok1 := b.highest(n.Child(0))
	y, ok2 := b.highest(n.Child(2))
	return max(x, y), ok1 && ok2
}

// plain reports whether a value is one thing, perhaps rounded: not a
// combination.
func plain(n code.Node) bool {
	n = n.Unparen()
	if n.Is("call") && slices.Contains([]string{"round", "int", "float"}, last(n)) {
		for a := range n.Field("arguments").Children() {
			return plain(a)
		}
	}
	return n.Is("identifier", "attribute", "subscript")
}
