package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cjCap = probe.Probe{
	ID: "cj.cap", Version: "1", Target: court.GithubRepo,
	Title:  "The security cap never raises a score",
	Doc:    "Looks at each effect of the security rule: a limit of the score itself keeps it from rising; a limit of the highest opinion, or a fixed score above 1, can raise it. Then whether a later statement gives the score a value that the cap does not hold.",
	Remedy: "Apply the cap last, as min(score, 3) of the score itself", Effort: 20, Recall: 9000,
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
		return probe.Missing(b.coverage(), court.AST, "there is no security cap that could raise a score")
	}
	for _, e := range caps {
		if why := b.raisesScore(e); why != "" {
			return probe.Against(court.AST, spots(e.node), "%s", why)
		}
		if later := b.undone(e); later.Valid() {
			return probe.Against(court.AST, spots(later, e.node), "a later statement gives the score a value that the cap does not hold")
		}
	}
	f := b.clean(b.chief, "the cap only lowers the score, and nothing after it raises it again")
	f.Places = spots(caps[0].node)
	return f
}

// raisesScore says how a cap can raise a score; "" when it cannot.
func (b *bench) raisesScore(e effect) string {
	if x, ok := b.number(e.value); ok {
		if x > 1 && !b.aboveOnly(e) {
			return "a fixed score is set, which raises a lower one"
		}
		return ""
	}
	for n := range e.value.Walk() {
		if n.Is("call") && last(n) == "min" {
			for a := range n.Field("arguments").Children() {
				if a.Unparen().Is("call") && last(a.Unparen()) == "max" && b.marks.at(a).data&judged != 0 {
					return "the cap is laid on the highest opinion, which may be above the score that the rules would give"
				}
			}
		}
	}
	return ""
}

// aboveOnly reports whether an effect runs only when the score is above the
// limit.
func (b *bench) aboveOnly(e effect) bool {
	return slices.ContainsFunc(e.guards, func(g code.Guard) bool {
		for n := range g.Condition.Walk() {
			if n.Is("comparison_operator") && !g.Negated && (n.Child(0).Unparen().Text() == e.node.Field("left").Text() || b.marks.at(n.Child(0)).data&judged != 0) {
				for _, op := range n.Fields("operators") {
					if op.Text() == ">" || op.Text() == ">=" {
						return true
					}
				}
			}
		}
		return false
	})
}

// undone is a later statement of the same function that gives the capped score
// a value other than from itself by min, or by limits of the scale.
func (b *bench) undone(e effect) code.Node {
	if e.target == "" || e.node.Is("augmented_assignment") {
		return code.Node{}
	}
	for _, o := range b.effects(b.chief) {
		if o.fn != e.fn || o.target != e.target || o.node.Start() <= e.node.Start() || b.caps(o) || exclusive(e.node, o.node) {
			continue
		}
		if x, ok := b.number(o.value); ok && x <= 3 {
			continue // no higher than the cap
		}
		if !keeps(o, e.target) && !b.capAfter(o) {
			return o.node
		}
	}
	return code.Node{}
}

// capAfter reports whether the cap is applied again after a statement.
func (b *bench) capAfter(o effect) bool {
	return slices.ContainsFunc(b.effects(b.chief), func(e effect) bool {
		return e.fn == o.fn && e.target == o.target && e.node.Start() > o.node.Start() && b.caps(e) && !exclusive(o.node, e.node)
	})
}

// exclusive reports whether two statements stand in different branches of one
// if statement.
func exclusive(a, b code.Node) bool {
	for x := range a.Around() {
		if !x.Is("if_statement") {
			continue
		}
		if x.Contains(b) {
			return branchOf(x, a) != branchOf(x, b)
		}
	}
	return false
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

// lowest reports whether a max() only keeps to the foot of the scale.
func lowest(v code.Node) bool {
	for a := range v.Field("arguments").Children() {
		if t := a.Text(); a.Is("integer", "float") && t != "0" && t != "1" && t != "1.0" && t != "0.0" {
			return false
		}
	}
	return true
}
