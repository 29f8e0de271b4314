package judicial

import (
	"math"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// highestCap is the highest limit that counts as a cap, of scores up to five,
// and capShare the same as a share of the scale.
const (
	highestCap = 3
	capShare   = 0.6
)

// capAt is the limit that an effect puts on a score: a limit in a min(), the
// limit that a higher score is set to, or a constant that it is set to; ok is
// false when it puts none of 1 to 3.
func (b *bench) capAt(e effect) (limit float64, ok bool) {
	if x, is := b.number(e.value); is {
		return x, x > 0 && x <= highestCap
	}
	if x, is := b.grade(e.value); is {
		return x, x <= highestCap
	}
	if b.aboveOnly(e, math.Inf(1)) { // if score > limit: score = limit
		return b.limit(e.value)
	}
	if x, is := b.lowestJudge(e); is {
		return x, true
	}
	for n := range e.value.Walk() {
		if !n.Is("call") || last(n) != "min" {
			continue
		}
		c := b.p.Call(n)
		if c == nil {
			continue
		}
		for _, a := range c.Args {
			if x, is := b.limit(a.Value); is {
				return x, true
			}
		}
	}
	return 0, false
}

// limit is what an expression limits a score to: a constant of 1 to 3, a share
// of the highest score, or what is called a cap.
func (b *bench) limit(n code.Node) (float64, bool) {
	n = n.Unparen()
	if x, is := b.number(n); is {
		return x, x > 0 && x <= highestCap
	}
	if n.Is("call") && slices.Contains([]string{"int", "float", "round"}, last(n)) {
		for a := range n.Field("arguments").Children() {
			return b.limit(a)
		}
	}
	if n.Is("binary_operator") && n.Field("operator").Text() == "*" {
		l, r := n.Field("left"), n.Field("right")
		if _, is := b.number(l); is {
			l, r = r, l
		}
		x, is := b.number(r)
		return highestCap, is && x > 0 && x <= capShare && has(split(l.Text()), "max", "maximum", "full", "top")
	}
	return highestCap, has(split(last(n)), "cap", "ceiling", "limit")
}

// lowestJudge is the limit of an effect that takes the lowest of the judges' scores where
// a test of the program has found one of at most three among them.
func (b *bench) lowestJudge(e effect) (limit float64, ok bool) {
	c := b.p.Call(e.value)
	if c == nil || c.Name != "min" || len(c.Args) != 1 || b.weighs.at(c.Args[0].Value).data&judged == 0 {
		return 0, false
	}
	for _, g := range e.guards {
		test := b.p.Call(g.Condition)
		if g.Negated || test == nil || test.Callee.Def == nil || !test.Callee.Def.IsFunction() {
			continue
		}
		for _, y := range b.yes(test.Callee.Def) {
			for n := range y.Condition.Walk() {
				ops := n.Fields("operators")
				if y.Negated || len(ops) != 1 || ops[0].Text() != "<" && ops[0].Text() != "<=" || b.weighs.at(n.Child(0)).data&judged == 0 {
					continue
				}
				if x, is := b.number(n.Child(1)); is && x > 0 && x <= highestCap {
					return x, true
				}
			}
		}
	}
	return 0, false
}
