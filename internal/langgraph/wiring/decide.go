package wiring

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// decide is the condition that a branch goes on at its first successor.
func (x *machine) decide(fr *frame, in *il.Instr) cond {
	left := x.operand(fr, in.Args[0])
	right := one(nothing())
	if len(in.Args) > 1 {
		right = x.operand(fr, in.Args[1])
	}
	at := place{fr.f, in}
	yes, no, open := never, never, never // where it holds, where it does not, and where that is not known
	if in.Kind == "true" {
		if c, ok := x.filledWhen(left); ok {
			return c
		}
	}
	for _, a := range left {
		for _, b := range right {
			both := x.and(a.when, b.when)
			if both == never {
				continue
			}
			is := compare(in.Kind, a.thing, b.thing)
			usual := is
			if is == agentgraph.Unknown && (a.usual != nil || b.usual != nil) {
				usual = compare(in.Kind, a.orUsual(), b.orUsual())
			}
			edited := (a.setting || in.Args[0].Kind == il.Constant) && (len(in.Args) < 2 || b.setting || in.Args[1].Kind == il.Constant) && (a.setting || b.setting)
			switch {
			case is == agentgraph.Yes && !edited:
				yes = x.or(yes, both)
			case is == agentgraph.No && !edited:
				no = x.or(no, both)
			case len(left)*len(right) > 2:
				open = x.or(open, both)
			default:
				yes = x.or(yes, x.and(both, x.ask(in.Kind, a.thing, b.thing, at, usual)))
			}
		}
	}
	if both := x.and(yes, no); both != never { // nothing tells which of several values it is
		yes, open = x.and(yes, x.not(no)), x.or(open, both)
	}
	if open != never {
		yes = x.or(yes, x.and(open, x.literal("", at, agentgraph.Unknown)))
	}
	return yes
}

// filledWhen is the condition that a list has an element; false where that is not known.
func (x *machine) filledWhen(v value) (cond, bool) {
	if len(v) != 1 || !v[0].is(list) || v[0].obj.open || len(v[0].obj.items) == 0 {
		return never, false
	}
	c := never
	for _, i := range v[0].obj.items {
		if i.many {
			return never, false
		}
		c = x.or(c, i.when)
	}
	return c, true
}

func (t *thing) orUsual() *thing {
	if t.usual != nil {
		return t.usual
	}
	return t
}

// ask is the condition that a comparison of something unknown holds: the same for the same.
func (x *machine) ask(op string, a, b *thing, at place, usual agentgraph.Truth) cond {
	contrary := map[string]string{"!=": "==", "!==": "===", "is not": "is", "not in": "in"}
	ka, kb := a.key(), b.key()
	base, negated := contrary[op]
	if !negated {
		base = op
	} else {
		usual = usual.Not()
	}
	if ka == "" || kb == "" || a.kind == made || x.changed[ka] > 0 {
		ka = x.fresh("test")
	}
	if x.asking { // what one function of a router finds is told apart from what another does
		base += fmt.Sprintf(" %p", at.f)
	}
	c := x.literal(base+" "+ka+" "+kb, at, usual)
	if negated {
		return x.not(c)
	}
	return c
}

// compare computes a comparison of two things.
func compare(op string, a, b *thing) agentgraph.Truth {
	switch op {
	case "true":
		return a.holds()
	case "==", "is", "===":
		return same(a, b)
	case "!=", "is not", "!==":
		return same(a, b).Not()
	case "in":
		return contains(b, a)
	case "not in":
		return contains(b, a).Not()
	case "<", "<=", ">", ">=":
		m, ok := number(a)
		n, also := number(b)
		if !ok || !also {
			return agentgraph.Unknown
		}
		return agentgraph.Decided(map[string]bool{"<": m < n, "<=": m <= n, ">": m > n, ">=": m >= n}[op])
	}
	return agentgraph.Unknown
}
