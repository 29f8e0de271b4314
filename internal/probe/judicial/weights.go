package judicial

import "github.com/automaton-auditor/automaton/internal/code"

// weights lists tables and sums in the chief's code in which the tech lead
// counts for more than each other judge.
func (b *bench) weights() []code.Node {
	var out []code.Node
	seen := map[code.Node]bool{}
	look := func(n code.Node) {
		if !seen[n] && !b.deads.never(n) && (b.table(n) || b.sum(n) || b.bonus(n) || b.again(n) || b.heavier(n)) {
			seen[n] = true
			out = append(out, n)
		}
	}
	for _, d := range b.chief.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().Walk() {
			switch n.Kind() {
			case "dictionary", "list", "tuple", "binary_operator", "conditional_expression", "assignment", "augmented_assignment", "call":
				look(n)
			case "identifier":
				if s := b.p.Resolve(n); s.Node.Is("dictionary", "list", "tuple") {
					look(s.Node)
				}
			}
		}
	}
	return out
}

// table recognises {"Prosecutor": .3, "Defense": .3, "TechLead": .4}, and the
// same as a list of pairs.
func (b *bench) table(n code.Node) bool {
	if !n.Is("dictionary", "list", "tuple") {
		return false
	}
	var w [3]float64
	count := 0
	for c := range n.Children() {
		if p, weight := b.weighted(c); p != nobody {
			if x, ok := b.number(weight); ok {
				w[p] = x
				count++
			}
		}
	}
	return count >= 2 && w[techLead] > w[prosecutor] && w[techLead] > w[defense]
}

// weighted is the judge that a row of a table names, and what stands beside the name.
func (b *bench) weighted(c code.Node) (persona, code.Node) {
	switch c.Kind() {
	case "pair":
		return b.keyOf(c), c.Field("value")
	case "list", "tuple":
		if name, ok := c.Child(0).Literal(); ok && c.Child(1).Valid() && !c.Child(2).Valid() {
			return who(split(name)), c.Child(1)
		}
	}
	return nobody, code.Node{}
}

// sum recognises lead*.5 + prosecutor*.3 + defense*.2, and lead taken twice.
func (b *bench) sum(n code.Node) bool {
	if !n.Is("binary_operator") || n.Field("operator").Text() != "+" || n.Parent().Is("binary_operator") && n.Parent().Field("operator").Text() == "+" {
		return false
	}
	var lead, other float64
	terms := 0
	for _, t := range addends(n) {
		w, m := 1.0, b.weighs.at(t).data
		if t.Is("binary_operator") && t.Field("operator").Text() == "*" {
			for _, side := range []string{"left", "right"} {
				if x, ok := b.number(t.Field(side)); ok {
					w = x
				}
			}
		}
		terms++
		switch {
		case b.ofAllJudges(t): // it holds as much of one judge as of another
		case m&anyJudge == ofLead && b.oneLead(t) || b.boundToLead(t):
			lead = max(lead, w)
		case m&judged != 0:
			other = max(other, w)
		default:
			terms--
		}
	}
	return terms >= 2 && lead > other
}

// addends are the terms of a sum.
func addends(n code.Node) []code.Node {
	var out []code.Node
	stack := []code.Node{n}
	for len(stack) > 0 {
		x := stack[len(stack)-1].Unparen()
		stack = stack[:len(stack)-1]
		if x.Is("binary_operator") && x.Field("operator").Text() == "+" {
			stack = append(stack, x.Field("right"), x.Field("left"))
			continue
		}
		out = append(out, x)
	}
	return out
}

// bonus recognises a weight that is higher for the tech lead: a choice by the
// judge's name, or an assignment to a weight in a branch for that judge.
func (b *bench) bonus(n code.Node) bool {
	switch n.Kind() {
	case "conditional_expression":
		yes, ok1 := b.number(n.Child(0))
		no, ok2 := b.highest(n.Child(2))
		return ok1 && ok2 && yes > no && b.names(n.Child(1), techLead)
	case "assignment":
		left := n.Field("left")
		x, ok := b.number(n.Field("right"))
		if !(starts(split(last(left)), "weight", "multiplier") || has(split(last(left)), "weight", "weights")) || !ok || x <= 1 {
			return false
		}
		for _, s := range left.Fields("subscript") { // weights["TechLead"] = 3
			if text, ok := s.Literal(); ok && who(split(text)) == techLead {
				return true
			}
		}
		for _, g := range b.p.Guards(n) {
			if !g.Negated && b.names(g.Condition, techLead) {
				return true
			}
		}
	}
	return false
}
