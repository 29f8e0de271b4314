package judicial

import (
	"cmp"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
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
		if !fits {
			continue
		}
		n := e.node
		if name != ruleVariance { // that looks which way the condition has to go
			n = b.done(e)
		}
		if name == ruleFacts {
			if skip := b.skips(e); skip.Valid() && !slices.Contains(out, skip) {
				out = append(out, skip)
			}
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	switch name {
	case ruleFacts:
		slices.SortStableFunc(out, func(x, y code.Node) int { return cmp.Compare(b.byEvidence(y), b.byEvidence(x)) })
	case ruleFunctionality:
		out = append(out, b.weights()...)
	case ruleVariance:
		out = append(out, b.reheard()...)
	}
	return out
}

// byEvidence is 1 for what stands itself under a condition on evidence.
func (b *bench) byEvidence(n code.Node) int {
	if slices.ContainsFunc(b.p.Guards(n), func(g code.Guard) bool { return says(g) && b.weighs.condition(g.Condition)&evidence != 0 }) {
		return 1
	}
	return 0
}

// skips is where a loop that gathers what an effect reckons with leaves a judge's score out
// because of evidence; zero where none does.
func (b *bench) skips(e effect) code.Node {
	for n := range e.fn.Body().WalkScope() {
		if !n.Is("continue_statement") || n.Start() > e.node.Start() || !b.gathers(n, e.value) {
			continue
		}
		for _, g := range b.p.Guards(n) {
			if m := b.weighs.condition(g.Condition); says(g) && m&evidence != 0 && m&judged != 0 && m&security == 0 {
				return g.Condition.Parent()
			}
		}
	}
	return code.Node{}
}

// gathers reports whether the loop around a node adds scores behind it to what a value is made of.
func (b *bench) gathers(n, value code.Node) bool {
	for a := range n.Around() {
		if !a.Is("for_statement") {
			continue
		}
		for x := range a.Field("body").WalkScope() {
			if of, ok := b.added(x); ok && x.Start() > n.End() && uses(value, map[string]bool{of.target: true}) {
				return true
			}
		}
		return false
	}
	return false
}

// done is where an effect is done. A function that gives a score back as it
// came, when a rule does not apply, shows the rule by what it does otherwise.
func (b *bench) done(e effect) code.Node {
	if !passes(e) {
		return e.node
	}
	for _, o := range b.effects(b.chief) {
		if o.fn != e.fn || o.node.Start() <= e.node.Start() || passes(o) || taken(o) {
			continue
		}
		if from := b.worth(o.value); o.target == "" && o.value.Is("identifier") && len(from) == 1 && o.fn.Body().Contains(from[0]) {
			return from[0]
		}
		return o.node
	}
	return e.node
}

// taken reports whether an effect only gives a judge's score a name that is the judge's.
func taken(e effect) bool {
	return who(split(e.target)) != nobody && (plain(e.value) || e.value.Is("call") && last(e.value) == "get")
}

// passes reports whether an effect returns a parameter as it is.
func passes(e effect) bool {
	return e.target == "" && e.value.Is("identifier") && slices.ContainsFunc(e.fn.Params(), func(p code.Param) bool { return p.Name == e.value.Text() })
}

// caps: on a security condition the score is limited, or set, to 3 or less.
func (b *bench) caps(e effect) bool { return b.capping.of(e, b.isCap) }

func (b *bench) isCap(e effect) bool {
	if _, ok := b.capAt(e); !ok || !b.onJudges(e) && e.target == "" || b.onlyLimit(e) {
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
	if !b.onJudges(e) || b.adds(e.node, e.value) || taken(e) || b.anyway(e) {
		return false
	}
	// then it is no security rule, whatever its data came through
	said := saysFacts(e.fn.Name) || slices.ContainsFunc(e.guards, b.asksFacts)
	if !said && (b.caps(e) || b.ofCap(e)) {
		return false
	}
	for _, g := range e.guards {
		if g.Kind == "except" {
			continue
		}
		if m := b.weighs.condition(g.Condition); m&evidence != 0 && (said || (m|b.because(e))&security == 0) {
			return true
		}
	}
	if b.skips(e).Valid() {
		return true
	}
	if when := b.weighs.returned(b.il.function(e.fn)).when; e.graded && when&evidence != 0 && when&security == 0 {
		return true // what else the function returns, and when, decides which word it is
	}
	return e.is.data&judged != 0 && (e.is.data&evidence != 0 && e.is.data&security == 0 || b.addsByEvidence(e.value))
}

// ofCap tells that a function gives back what the cap has set there.
func (b *bench) ofCap(e effect) bool {
	return e.target == "" && slices.ContainsFunc(b.effects(b.chief), func(o effect) bool {
		return o.fn == e.fn && o.target == e.value.Text() && o.node.End() < e.node.Start() && len(beyond(o, e)) == 0 && b.caps(o)
	})
}

// adds reports whether a value is a score and something above zero, perhaps limited: what
// gives more for what was found overrules nobody.
func (b *bench) adds(n, v code.Node) bool {
	if op := n.Field("operator").Text(); n.Is("augmented_assignment") {
		x, known := b.number(v)
		return op == "+=" && known && x > 0
	}
	v = v.Unparen()
	if v.Is("call") && has([]string{last(v)}, "min", "max", "round", "int", "float") {
		for a := range v.Field("arguments").Children() {
			if b.adds(a, a) {
				return true
			}
		}
	}
	if !v.Is("binary_operator") || v.Field("operator").Text() != "+" {
		return false
	}
	x, known := b.number(v.Field("right"))
	y, first := b.number(v.Field("left"))
	return known && x > 0 || first && y > 0
}

// addsByEvidence reports whether a value is reckoned from a constant that evidence, and
// not security, chose in a function of the program.
func (b *bench) addsByEvidence(v code.Node) bool {
	for x := range v.Walk() {
		if !x.Parent().Is("binary_operator") {
			continue
		}
		for _, c := range b.callsFor(x) {
			if when := b.weighs.returned(b.il.callee(c.f, c.in)).when; b.weighs.constant(c.f, c.in) && when&evidence != 0 && when&security == 0 {
				return true
			}
		}
	}
	return false
}

// saysFacts tells a name that speaks of facts or evidence, not of security.
func saysFacts(name string) bool {
	ws := split(name)
	return !starts(ws, securityStems...) && (starts(ws, "fact", "suprem", "hallucin", "unsupport") ||
		has(ws, "evidence", "supported", "supports", "cited", "citation", "citations"))
}

// asksFacts tells a condition that names facts: by a predicate that it calls,
// itself or for the flag that it tests, or by the key of a rule.
func (b *bench) asksFacts(g code.Guard) bool {
	if g.Kind == "except" || g.Kind == "match" {
		return false
	}
	for x := range g.Condition.Walk() {
		text, ok := x.Literal()
		if ok && starts(split(text), "fact", "suprem", "hallucin") || x.Is("call", "identifier") && slices.ContainsFunc(b.callsFor(x), func(c call) bool {
			g := b.il.callee(c.f, c.in)
			return g != nil && g.Kind != il.ClassBody && saysFacts(lastName(c.in))
		}) {
			return true
		}
	}
	return false
}

// prefers: the tech lead's score is taken outright, or decides, other than as
// a tie-break of widely spread scores.
func (b *bench) prefers(e effect) bool { return b.under(e)&spread == 0 && b.favours(e) }

// favours is prefers, with tie-breaks.
func (b *bench) favours(e effect) bool {
	if has(split(e.target), "lead", "techlead") || who(split(e.target)) != nobody || b.anyway(e) {
		return false
	}
	if onlyNamed(e) && b.takes(e.node.Field("right"), techLead, 0) {
		return false // only another name
	}
	if plain(e.value) && e.is.data&judged != 0 && (e.is.data&anyJudge == ofLead && b.oneLead(e.value) || b.boundToLead(e.value)) {
		return true
	}
	for _, g := range e.guards {
		if b.leadDecides(g) && b.onJudges(e) && e.target != "scores" {
			return true
		}
	}
	return false
}

// onlyNamed reports whether an effect gives a value to a name that is not called
// the result.
func onlyNamed(e effect) bool {
	return e.node.Field("left").Is("identifier") && !has(split(e.target), "final", "overall", "verdict", "weighted")
}

// oneLead reports whether an expression names the tech lead itself.
func (b *bench) oneLead(n code.Node) bool {
	for x := range n.Walk() {
		if x.Is("identifier") && who(split(x.Text())) == techLead && (x.FieldName() == "attribute" || b.weighs.at(x).data&ofLead != 0) {
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
		of := b.weighs.at(n).data
		if who(split(n.Text())) == techLead && of&ofLead != 0 {
			lead = true
		}
		if of&(judged|argued) != 0 && !none(n) {
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

// names reports whether a condition names this judge and no other.
func (b *bench) names(n code.Node, p persona) bool {
	return who(split(n.Text())) == p
}

// reacts: above a spread the score is computed another way.
func (b *bench) reacts(e effect) bool {
	if has(split(e.target), "variance", "spread") || !b.onJudges(e) || b.anyway(e) {
		return false
	}
	return slices.ContainsFunc(e.guards, b.wide) && !slices.ContainsFunc(e.guards, b.oneSpread)
}

// oneSpread reports whether a condition holds for one spread alone: that is no wide one.
func (b *bench) oneSpread(g code.Guard) bool {
	n := g.Condition.Unparen()
	ops := n.Fields("operators")
	return n.Is("comparison_operator") && !g.Negated && len(ops) == 1 && ops[0].Text() == "==" && b.weighs.condition(n)&spread != 0
}

// widePattern reports whether a pattern that a spread is matched with leaves out narrow
// ones: it has no number below 2.
func widePattern(n code.Node) bool {
	for x := range n.Walk() {
		if x.Is("integer", "float") && (x.Text() == "0" || x.Text() == "1") {
			return false
		}
	}
	return true
}

// wide reports whether a condition holds when the spread is above a threshold.
func (b *bench) wide(g code.Guard) bool {
	if g.Kind == "except" || b.weighs.condition(g.Condition)&spread == 0 {
		return false
	}
	if g.Kind == "match" {
		return widePattern(g.Condition)
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
