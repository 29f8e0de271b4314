package safety

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// screened tells whether something before the use of a value may keep a bad
// one from it: a branch that leaves, taken by what the value is; a helper that
// raises; a conversion that fails. It knows less than tested, and only takes
// the certainty from an accusation.
func (v *survey) screened(use code.Node) bool {
	w := v.way(use)
	home := v.function(use)
	for _, fn := range w.order {
		s := v.about(fn, w.texts[fn], 0)
		for n := range fn.Body().WalkScope() {
			if fn == home && n.Start() > use.Start() {
				continue
			}
			switch n.Kind() {
			case "if_statement":
				if s.turnsAway(n, use) {
					return true
				}
			case "match_statement":
				if s.holds(n.Field("subject")) && leavesWithin(n) {
					return true
				}
			case "call":
				if s.demands(n) {
					return true
				}
			}
		}
	}
	return false
}

// turnsAway tells an if statement one of whose branches leaves because of what
// the value is.
func (s *subject) turnsAway(n, use code.Node) bool {
	weighed := s.weighs(n.Field("condition"))
	arms := append([]code.Node{n}, n.Fields("alternative")...)
	for _, arm := range arms {
		weighed = weighed || arm.Is("elif_clause") && s.weighs(arm.Field("condition"))
		if b := block(arm); weighed && leaves(b).Valid() && !b.Contains(use) {
			return true
		}
	}
	return false
}

// weighs tells a condition that depends on the value by more than whether there
// is one, or how long it is.
func (s *subject) weighs(condition code.Node) bool {
	for x := range condition.Walk() {
		if s.is(x) && s.weighed(x, condition) {
			return true
		}
	}
	return false
}

func (s *subject) weighed(n, condition code.Node) bool {
	for a := n; a != condition; {
		a = a.Parent()
		switch a.Kind() {
		case "attribute":
			if isOneOf(a.Field("attribute").Text(), "method", "is_authenticated", "content_type") {
				return false
			}
		case "binary_operator":
			return true
		case "comparison_operator":
			return !emptyTest(a)
		case "call":
			c := s.v.p.Call(a)
			if c == nil || c.Callee.Matches("builtins.len") || c.Callee.Matches("builtins.isinstance") && c.Arg("", 1).Text() == "str" {
				return false
			}
			if !isOneOf(c.Name, "strip", "get", "lower", "upper", "str", "bool", "getlist", "split") {
				return true
			}
		}
		if !a.Valid() {
			return false
		}
	}
	return false
}

// emptyTest tells a comparison with None or an empty text.
func emptyTest(n code.Node) bool {
	for c := range n.Children() {
		if text, ok := plain(c); c.Is("none") || ok && strings.TrimSpace(text) == "" {
			return true
		}
	}
	return false
}

// leavesWithin tells a statement with a block that leaves.
func leavesWithin(n code.Node) bool {
	for x := range n.WalkScope() {
		if x.Is("block") && leaves(x).Valid() {
			return true
		}
	}
	return false
}

// demands tells a call that raises for a bad value: a conversion, or a
// first-party function that may raise and whose result is not used.
func (s *subject) demands(n code.Node) bool {
	c := s.v.p.Call(n)
	if c == nil || len(c.Args) == 0 || !s.names[c.Args[0].Value.Text()] {
		return false
	}
	if c.Callee.Matches("builtins.int", "builtins.float", "uuid.UUID", "ipaddress.*", "datetime.datetime.strptime", "datetime.*.fromisoformat") {
		return s.reaches(n, nil)
	}
	def := c.Callee.Def
	if def == nil || !def.IsFunction() || !n.Parent().Is("expression_statement") {
		return false
	}
	for x := range def.Body().WalkScope() {
		if x.Is("raise_statement") || x.Is("block") && leaves(x).Is("expression_statement") {
			return true
		}
	}
	return false
}
