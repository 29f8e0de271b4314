package judicial

import (
	"math"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var cjCap = probe.Probe{
	ID: "cj.cap", Version: "9", Target: court.GithubRepo,
	Title:  "The security cap never raises a score",
	Doc:    "Looks at each effect of the security rule: a limit of the score itself keeps it from rising; a limit of the highest opinion or of one judge's score, or a fixed score above 1, can raise it. Then whether a later statement gives the score a value that the cap does not hold.",
	Remedy: "Apply the cap last, as min(score, 3) of the score itself.", Effort: 20, Recall: 9000,
	Run: ofChief(capHolds),
}

func capHolds(b *bench, _ probe.Args) probe.Finding {
	var caps []effect
	for _, e := range b.effects(b.chief) {
		if b.caps(e) {
			caps = append(caps, e)
		}
	}
	if len(caps) == 0 {
		return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "There is no security cap that could raise a score.").Do("%s", b.toRule(ruleSecurity))
	}
	var open, lifted []code.Node
	for _, e := range caps {
		if why := b.raisesScore(e); why != "" {
			return probe.Against(court.AST, spots(e.node), "%s", safetext.Sentence(why)).Do(b.toLimit(e), facts.Line(spot(e.node)))
		}
		u := b.undone(e)
		switch {
		case u.raised.Valid():
			return probe.Against(court.AST, spots(u.raised, e.node), "A later statement gives the score a value that the cap does not hold.").Do("Apply the cap after the statement at %s, or limit its value: score = min(score, 3).", facts.Line(spot(u.raised)))
		case u.open.Valid():
			open = append(open, u.open, e.node)
		case u.lifted.Valid():
			lifted = append(lifted, u.lifted, e.node)
		}
	}
	if len(open) > 0 {
		return probe.Cannot(court.Dynamic, spots(open...), "A later call changes the capped score. Whether the result can be higher could not be followed.")
	}
	if len(lifted) > 0 {
		return probe.Partly(half, court.AST, spots(lifted...), "The cap only lowers the score, but a later statement sets a fixed score, which raises a lower one.").Do("Replace the assignment at %s by a limit of the score itself: score = min(score, 2).", facts.Line(spot(lifted[0])))
	}
	f := b.clean(b.chief, "the cap only lowers the score, and nothing after it raises it again")
	f.Places = spots(caps[0].node)
	return f
}

// toLimit asks for a limit of the score in place of what an effect sets: there, where the
// score is known before, and else behind what gives it.
func (b *bench) toLimit(e effect) string {
	known := slices.ContainsFunc(e.fn.Params(), func(p code.Param) bool { return p.Name == e.target }) || slices.ContainsFunc(b.effects(b.chief), func(o effect) bool {
		return o.fn == e.fn && o.target == e.target && o.node.Field("left").Text() == e.node.Field("left").Text() && o.node.End() < e.node.Start() && len(beyond(o, e)) == 0
	})
	if e.target != "" && known {
		return "Replace the assignment at %s by a limit of the score itself: score = min(score, 3)."
	}
	return "First set the score by the other rules, whether or not the condition of %s holds. Then, where it holds, limit that score: score = min(score, 3)."
}

// beyond are the conditions of one effect that are none of another's.
func beyond(e, o effect) []code.Guard {
	return slices.DeleteFunc(slices.Clone(e.guards), func(g code.Guard) bool {
		return slices.ContainsFunc(o.guards, func(x code.Guard) bool { return x.Condition == g.Condition && x.Negated == g.Negated })
	})
}

// raisesScore says how a cap can raise a score; "" when it cannot.
func (b *bench) raisesScore(e effect) string {
	if x, ok := b.number(e.value); ok {
		if x > 1 && !b.aboveOnly(e, x) && !b.bound(e) {
			return "the rule sets a fixed score, which raises a lower one"
		}
		return ""
	}
	if b.limitsJudge(e) {
		return "the cap limits the score of one judge, which may be above the score that the rules give"
	}
	for n := range e.value.Walk() {
		if n.Is("call") && last(n) == "min" {
			for a := range n.Field("arguments").Children() {
				if a.Unparen().Is("call") && last(a.Unparen()) == "max" && b.weighs.at(a).data&judged != 0 {
					return "the cap limits the highest opinion, which may be above the score that the rules give"
				}
			}
		}
	}
	return ""
}

// limitsJudge reports whether an effect limits nothing but the score of one judge, and
// other runs give the score another value than that.
func (b *bench) limitsJudge(e effect) bool {
	v := e.value.Unparen()
	if e.target == "" || !v.Is("call") || last(v) != "min" || b.aboveOnly(e, math.Inf(1)) {
		return false
	}
	some := false
	for a := range v.Field("arguments").Children() {
		if _, number := b.number(a); number {
			continue
		}
		takes := func(p persona) bool { return b.takes(a, p, 0) }
		if some || a.Text() == e.target || !slices.ContainsFunc([]persona{prosecutor, defense, techLead}, takes) || b.insteadOf(e, a) {
			return false
		}
		some = true
	}
	return some
}

// bound reports whether an effect sets no score but the limit of one: a local
// name that only ever is a constant and that a score is compared with, or
// limited by.
func (b *bench) bound(e effect) bool { return b.limiting.of(e, b.isBound) }

func (b *bench) isBound(e effect) bool {
	if e.target == "" || b.onJudges(e) || !e.node.Field("left").Is("identifier") {
		return false
	}
	for n := range e.fn.Body().WalkScope() {
		if n.Is("identifier") && n.Text() == e.target {
			limits := n.Parent()
			if limits.Is("argument_list") {
				limits = limits.Parent()
			}
			if limits.Is("comparison_operator") || limits.Is("call") && last(limits) == "min" {
				return true
			}
		}
	}
	return false
}

// onlyLimit reports whether an effect sets the limit that another one, under its conditions
// too, puts on a score.
func (b *bench) onlyLimit(e effect) bool {
	return b.bound(e) && slices.ContainsFunc(b.effects(b.chief), func(o effect) bool {
		return o.fn == e.fn && len(beyond(e, o)) == 0 && uses(o.value, map[string]bool{e.target: true}) && !b.bound(o) && b.caps(o)
	})
}

// aboveOnly reports whether an effect runs only when the score is above the
// limit that it sets. A limit that is kept in a variable counts when it is the
// variable that is assigned, or when its number is known.
func (b *bench) aboveOnly(e effect, limit float64) bool {
	return slices.ContainsFunc(e.guards, func(g code.Guard) bool {
		return g.Kind != "except" && g.Kind != "match" && !g.Negated && above(g.Condition, func(score, bound code.Node, _ bool) bool {
			if left := e.node.Field("left"); score.Text() != left.Text() && !sameEntry(left, score) && b.weighs.at(score).data&judged == 0 {
				return false
			}
			x, known := b.number(bound)
			return known && x >= limit || bound.Text() == e.value.Unparen().Text()
		})
	})
}

// above reports whether a condition, by itself or together with others, says that one
// thing is above, or no lower than, another for which it holds.
func above(n code.Node, holds func(over, under code.Node, equal bool) bool) bool {
	n = n.Unparen()
	if n.Is("boolean_operator") && n.Field("operator").Text() == "and" {
		return above(n.Field("left"), holds) || above(n.Field("right"), holds)
	}
	ops := n.Fields("operators")
	if !n.Is("comparison_operator") || len(ops) != 1 {
		return false
	}
	over, under := n.Child(0).Unparen(), n.Child(1).Unparen()
	switch op := ops[0].Text(); op {
	case ">", ">=":
		return holds(over, under, op == ">=")
	case "<", "<=":
		return holds(under, over, op == "<=")
	}
	return false
}

// undone is a later statement of the same function of each kind that gives the
// capped score, in a run that comes by the cap, a value other than from itself by min, or
// by limits of the scale: the first, or the last that raises it.
type undone struct {
	raised code.Node // to more than the cap
	lifted code.Node // to no more than the cap, but to a fixed score above a lower one
	open   code.Node // to what a function of the project makes of it
}

func (b *bench) undone(e effect) (u undone) {
	f, at := b.carriedOut(e)
	if e.target == "" || e.node.Is("augmented_assignment") || at == nil {
		return u
	}
	v := b.il.Values.Passing(f, at)
	limit, held := b.capAt(e)
	for _, o := range b.effects(b.chief) {
		if o.fn != e.fn || o.target != e.target || b.caps(o) {
			continue
		}
		_, in := b.carriedOut(o)
		if in == nil || held && b.overOnly(o, limit) || v.Dead(f, f.Block(in)) || !v.Later(f, at, in) || keeps(o, e.target) || b.capAfter(o, f, in) {
			continue
		}
		to := &u.raised
		if c := b.p.Call(o.value.Unparen()); low(v, f, in) {
			if to = &u.lifted; b.raisesScore(o) == "" {
				continue
			}
		} else if c != nil && c.Callee.Def != nil && passed(c, e.target) {
			switch b.exceeds(c, e.target, limit) {
			case facts.No:
				continue
			case facts.Unknown:
				to = &u.open
			case facts.Yes: // it is raised
			}
		}
		if !to.Valid() || to == &u.raised {
			*to = o.node
		}
	}
	return u
}

// exceeds tells whether a function of the program makes more than a limit of a score that the
// limit holds: of none of the whole scores up to it, or more of the limit than of the lowest.
func (b *bench) exceeds(c *intree.Call, name string, limit float64) facts.Answer {
	x, ok := b.il.call(c.Node)
	if !ok {
		return facts.Unknown
	}
	for i, a := range x.in.Args[1:] {
		g, param := b.il.Names.Argument(x.f, x.in, i)
		if g == nil || x.f.Variable(a) != name {
			continue
		}
		var all []float64
		for score := 1.0; score <= limit; score++ {
			got := b.il.Values.Given(g, map[int]il.Const{param: {Type: il.IntConst, Num: score}})
			if got.AnyStr || got.Other || got.Num.Lo > got.Num.Hi || math.IsInf(got.Num.Hi, 0) {
				return facts.Unknown
			}
			all = append(all, got.Num.Hi)
		}
		switch {
		case len(all) > 0 && slices.Max(all) <= limit:
			return facts.No
		case len(all) > 0 && all[len(all)-1] > all[0]: // else that may only be the end of the scale
			return facts.Yes
		}
	}
	return facts.Unknown
}

// overOnly reports whether an effect runs only where the name that it sets is above a
// limit: a capped score is not.
func (b *bench) overOnly(o effect, limit float64) bool {
	return slices.ContainsFunc(o.guards, func(g code.Guard) bool {
		return says(g) && above(g.Condition, func(score, bound code.Node, equal bool) bool {
			x, known := b.number(bound)
			return !equal && score.Text() == o.target && known && x >= limit
		})
	})
}

// carriedOut is the last instruction of an effect's statement, nil where it was not
// lowered.
func (b *bench) carriedOut(e effect) (f *il.Function, at *il.Instr) {
	if f = b.il.function(e.fn); f == nil {
		return nil, nil
	}
	for _, in := range f.Instructions() {
		if in.Op != il.Assume && in.Op != il.Phi && !in.Op.Ends() && int(in.Span.From) >= e.node.Start() && int(in.Span.To) <= e.node.End() && (at == nil || in.Span.To >= at.Span.To) {
			at = in
		}
	}
	return f, at
}

// low reports whether what an instruction stores is not a number above the cap.
func low(v *analyse.Values, f *il.Function, in *il.Instr) bool {
	o := il.Operand{Kind: il.Local, ID: in.Dst}
	if in.Op == il.Set {
		o = in.Args[2]
	}
	got := v.Of(f, o)
	return got.Num.Hi <= 3 && !got.AnyStr
}

// passed reports whether a call is given a name.
func passed(c *intree.Call, name string) bool {
	return slices.ContainsFunc(c.Args, func(a intree.Argument) bool { return a.Value.Unparen().Text() == name })
}

// capAfter reports whether the cap is applied again after a statement.
func (b *bench) capAfter(o effect, f *il.Function, at *il.Instr) bool {
	return slices.ContainsFunc(b.effects(b.chief), func(e effect) bool {
		if e.fn != o.fn || e.target != o.target || !b.caps(e) {
			return false
		}
		_, in := b.carriedOut(e)
		return in != nil && b.il.Values.Later(f, at, in)
	})
}

// branchOf is the child of a statement in which a node stands.
func branchOf(s, n code.Node) code.Node {
	for c := range s.Children() {
		if c.Contains(n) {
			return c
		}
	}
	return code.Node{}
}

// keeps reports whether an effect leaves a capped score as low as it was: it
// rounds it, limits it, or lowers it.
func keeps(e effect, name string) bool {
	v := e.value.Unparen()
	if e.node.Is("augmented_assignment") {
		return e.node.Field("operator").Text() == "-="
	}
	if v.Is("identifier") {
		return v.Text() == name
	}
	if sameEntry(e.node.Field("left"), v) {
		return true
	}
	if v.Is("binary_operator") && v.Field("operator").Text() == "-" {
		return v.Field("left").Unparen().Text() == name
	}
	if !v.Is("call") || !slices.Contains([]string{"round", "int", "float", "min", "max"}, last(v)) {
		return false
	}
	for a := range v.Field("arguments").Children() {
		inner := effect{node: e.node, value: a}
		if keeps(inner, name) {
			if last(v) != "max" {
				return true
			}
			return lowest(v)
		}
	}
	return false
}

// sameEntry reports whether a value reads the entry of a container that a
// statement sets, by subscript or by get.
func sameEntry(left, v code.Node) bool {
	if !left.Is("subscript") {
		return false
	}
	f := v.Field("function")
	return v.Text() == left.Text() ||
		v.Is("call") && last(v) == "get" && f.Field("object").Text() == left.Field("value").Text() && v.Field("arguments").Child(0).Text() == left.Field("subscript").Text()
}

// lowest reports whether a max() only keeps to the foot of the scale.
func lowest(v code.Node) bool {
	for a := range v.Field("arguments").Children() {
		if t := a.Text(); a.Is("integer", "float") && t != "0" && t != "1" && t != "1.0" && t != "0.0" {
			return false
		}
	}
	return true
}
