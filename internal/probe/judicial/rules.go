package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// The rules that a chief justice may have; the values of the argument rule of
// cj.rules.
const (
	ruleSecurity      = "security_cap"
	ruleFacts         = "fact_supremacy"
	ruleFunctionality = "functionality_weight"
	ruleVariance      = "variance"
	ruleDissent       = "dissent"
)

var ruleNames = []string{ruleSecurity, ruleFacts, ruleFunctionality, ruleVariance, ruleDissent}

// rule lists the effects in the chief's code that carry out a rule.
func (b *bench) rule(name string) []code.Node {
	if name == ruleDissent {
		return b.dissents()
	}
	var out []code.Node
	for _, e := range b.effects(b.chief) {
		fits := false
		switch name {
		case ruleSecurity:
			fits = b.caps(e)
		case ruleFacts:
			fits = b.overrules(e)
		case ruleFunctionality:
			fits = b.prefers(e)
		case ruleVariance:
			fits = b.reacts(e)
		}
		if fits && !slices.Contains(out, e.node) {
			out = append(out, e.node)
		}
	}
	switch name {
	case ruleFunctionality:
		out = append(out, b.weights()...)
	case ruleVariance:
		out = append(out, b.reheard()...)
	}
	return out
}

// caps: on a security condition the score is limited, or set, to 3 or less.
func (b *bench) caps(e effect) bool {
	if _, ok := b.capAt(e); !ok || !b.onJudges(e) && e.target == "" {
		return false
	}
	name := e.fn.Name
	if c := e.fn.Class(); c != nil {
		name += " " + c.Name
	}
	return b.under(e)&security != 0 || len(e.guards) > 0 && starts(split(name), securityStems...)
}

// overrules: detective evidence decides that a judge's score is changed, and
// not only as the trigger of the security rule.
func (b *bench) overrules(e effect) bool {
	if !b.onJudges(e) {
		return false
	}
	said := starts(split(e.fn.Name), "fact", "suprem", "hallucin") // then it is no security rule, whatever its data came through
	for _, g := range e.guards {
		if g.Kind == "except" || g.Kind == "match" {
			continue
		}
		if b.weighs.condition(g.Condition)&evidence != 0 && (said || b.under(e)&security == 0) {
			return true
		}
	}
	if when := b.weighs.returned(e.fn).when; e.graded && when&evidence != 0 && when&security == 0 {
		return true // what else the function returns, and when, decides which word it is
	}
	return e.is.data&evidence != 0 && e.is.data&judged != 0 && e.is.data&security == 0
}

// prefers: the tech lead's score is taken outright, or decides, other than as
// a tie-break of widely spread scores.
func (b *bench) prefers(e effect) bool {
	if has(split(e.target), "lead", "techlead") || b.under(e)&spread != 0 || who(split(e.target)) != nobody {
		return false
	}
	if plain(e.value) && e.is.data&judged != 0 && e.is.data&anyJudge == ofLead && b.oneLead(e.value) {
		return true
	}
	for _, g := range e.guards {
		if b.leadDecides(g) && b.onJudges(e) && e.target != "scores" {
			return true
		}
	}
	return false
}

// oneLead reports whether an expression names the tech lead itself.
func (b *bench) oneLead(n code.Node) bool {
	for x := range n.Walk() {
		if x.Is("identifier") && who(split(x.Text())) == techLead {
			return true
		}
	}
	return false
}

// leadDecides reports whether a condition compares the tech lead's score or
// looks into the tech lead's words; that the judge is there does not count.
func (b *bench) leadDecides(g code.Guard) bool {
	if g.Kind == "except" || g.Kind == "match" {
		return false
	}
	lead, weighty := false, false
	for n := range g.Condition.Walk() {
		if !n.Is("comparison_operator") {
			continue
		}
		if who(split(n.Text())) == techLead {
			lead = true
		}
		if b.weighs.at(n).data&(judged|argued) != 0 && !none(n) {
			weighty = true
		}
	}
	return lead && weighty && who(split(g.Condition.Text())) == techLead && !starts(split(g.Condition.Text()), securityStems...)
}

// none recognises a comparison with None.
func none(n code.Node) bool {
	for c := range n.Children() {
		if c.Is("none") {
			return true
		}
	}
	return false
}

// weights lists tables and sums in the chief's code in which the tech lead
// counts for more than each other judge.
func (b *bench) weights() []code.Node {
	var out []code.Node
	seen := map[code.Node]bool{}
	look := func(n code.Node) {
		if !seen[n] && !b.deads.never(n) && (b.table(n) || b.sum(n) || b.bonus(n)) {
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
			case "dictionary", "binary_operator", "conditional_expression", "assignment":
				look(n)
			case "identifier":
				if s := b.p.Resolve(n); s.Node.Is("dictionary") {
					look(s.Node)
				}
			}
		}
	}
	return out
}

// table recognises {"Prosecutor": .3, "Defense": .3, "TechLead": .4}.
func (b *bench) table(n code.Node) bool {
	if !n.Is("dictionary") {
		return false
	}
	var w [3]float64
	count := 0
	for c := range n.Children() {
		if !c.Is("pair") {
			continue
		}
		x, ok := b.number(c.Field("value"))
		if p := b.keyOf(c); p != nobody && ok {
			w[p] = x
			count++
		}
	}
	return count >= 2 && w[techLead] > w[prosecutor] && w[techLead] > w[defense]
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
			if text, ok := literal(s); ok && who(split(text)) == techLead {
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

// names reports whether a condition names this judge and no other.
func (b *bench) names(n code.Node, p persona) bool {
	return who(split(n.Text())) == p
}

// reacts: above a spread the score is computed another way.
func (b *bench) reacts(e effect) bool {
	if has(split(e.target), "variance", "spread") || !b.onJudges(e) {
		return false
	}
	return slices.ContainsFunc(e.guards, b.wide)
}

// wide reports whether a condition holds when the spread is above a threshold.
func (b *bench) wide(g code.Guard) bool {
	if g.Kind == "except" || g.Kind == "match" || b.weighs.condition(g.Condition)&spread == 0 {
		return false
	}
	found := false
	if n := g.Condition.Unparen(); n.Is("not_operator") {
		g.Condition, g.Negated = n.Field("argument"), !g.Negated
	}
	for n := range g.Condition.Walk() {
		if !n.Is("comparison_operator") || b.weighs.at(n).data&spread == 0 {
			continue
		}
		if x, ok := b.number(n.Child(1)); ok && x <= 0 { // "is there any" is no threshold
			return false
		}
		found = true
		for _, op := range n.Fields("operators") {
			above := op.Text() == ">" || op.Text() == ">="
			below := op.Text() == "<" || op.Text() == "<="
			if above && !g.Negated || below && g.Negated {
				return true
			}
		}
	}
	return !found && !g.Negated
}

// reheard lists flags for another hearing that depend on the spread, when the
// graph can go back from the chief, or from what follows, to evidence or
// judges.
func (b *bench) reheard() []code.Node {
	if !b.returns() {
		return nil
	}
	var out []code.Node
	for _, d := range b.chief.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().WalkScope() {
			name, value := "", code.Node{}
			switch n.Kind() {
			case "assignment":
				name, value = n.Field("left").Text(), n.Field("right")
			case "keyword_argument":
				name, value = n.Field("name").Text(), n.Field("value")
			case "pair":
				name, value = n.Field("key").Text(), n.Field("value")
			}
			ws := split(name)
			if !starts(ws, "reeval", "rehear", "reassess", "redeliber", "rerun", "recheck") && !(has(ws, "re") && starts(ws, "eval", "hear", "assess", "run", "exam")) {
				continue
			}
			o := b.weighs.at(value)
			if (o.data|b.weighs.guards(n))&spread != 0 && !b.deads.never(n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// returns reports whether the graph leads from the chief back to a detective,
// an aggregator or a judge.
func (b *bench) returns() bool {
	g := b.r.Main
	if g == nil || !b.chief.wired {
		return false
	}
	next := map[string][]string{}
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	for _, r := range g.Routes {
		for _, t := range r.Targets {
			if !t.Dead {
				next[r.From] = append(next[r.From], t.Name)
			}
		}
	}
	seen := map[string]bool{}
	var queue []string
	for _, n := range g.ByRole(langgraph.RoleChief) {
		queue = append(queue, next[n.Name]...)
	}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		if n := g.Node(name); n != nil && (n.Role == langgraph.RoleJudge || n.Role == langgraph.RoleDetective || n.Role == langgraph.RoleAggregator) {
			return true
		}
		queue = append(queue, next[name]...)
	}
	return false
}
