package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// addition is what one statement adds to a sum or to a list of scores.
type addition struct {
	target string
	value  code.Node
	factor float64
}

// added reads an addition: by +=, or by append.
func (b *bench) added(n code.Node) (addition, bool) {
	var a addition
	switch n.Kind() {
	case "augmented_assignment":
		if n.Field("operator").Text() != "+=" {
			return a, false
		}
		a.target, a.value = n.Field("left").Text(), n.Field("right").Unparen()
	case "call":
		f := n.Field("function")
		if !f.Is("attribute") || f.Field("attribute").Text() != "append" {
			return a, false
		}
		a.target, a.value = f.Field("object").Text(), n.Field("arguments").Child(0).Unparen()
	}
	if !a.value.Valid() {
		return a, false
	}
	if x, ok := b.number(a.value); ok {
		a.factor = x
		return a, has(split(a.target), "weight", "weights")
	}
	a.factor = 1
	if a.value.Is("binary_operator") && a.value.Field("operator").Text() == "*" {
		for _, side := range []string{"left", "right"} {
			if x, ok := b.number(a.value.Field(side)); ok {
				a.factor = x
			}
		}
	}
	return a, b.weighs.at(a.value).data&judged != 0
}

// heavier recognises an addition in a branch for the tech lead that weighs more
// than another one to the same sum; none for another judge weighs as much.
func (b *bench) heavier(n code.Node) bool {
	a, ok := b.added(n)
	if !ok || b.judgeOf(n, a.value) != techLead || b.weighs.guards(n)&spread != 0 {
		return false
	}
	lighter := false
	for x := range b.p.Enclosing(n).Body().WalkScope() {
		o, ok := b.added(x)
		if !ok || o.target != a.target || x == n {
			continue
		}
		p := b.judgeOf(x, o.value)
		if p != nobody && p != techLead && o.factor >= a.factor {
			return false
		}
		lighter = lighter || p != techLead && o.factor < a.factor
	}
	return lighter
}

// judgeOf is the judge whose score a statement adds, or whom the nearest condition
// around it names, when it names one.
func (b *bench) judgeOf(n, value code.Node) persona {
	if p := judge(b.weighs.at(value).data); p != nobody {
		return p
	}
	for _, g := range slices.Backward(b.p.Guards(n)) {
		if p := who(split(g.Condition.Text())); p != nobody {
			if g.Negated {
				return nobody
			}
			return p
		}
	}
	return nobody
}

// again recognises the tech lead's score being put once more into a list that
// holds the score of every judge.
func (b *bench) again(n code.Node) bool {
	var all, more code.Node
	switch n.Kind() {
	case "binary_operator", "augmented_assignment":
		if op := n.Field("operator").Text(); op != "+" && op != "+=" {
			return false
		}
		all, more = n.Field("left"), n.Field("right").Unparen()
		if !more.Is("list") {
			return false
		}
	case "call":
		f := n.Field("function")
		if !f.Is("attribute") || !slices.Contains([]string{"append", "extend", "insert"}, f.Field("attribute").Text()) {
			return false
		}
		all, more = f.Field("object"), n.Field("arguments")
	default:
		return false
	}
	return b.ofAll(all) && (b.oneLead(more) || b.boundToLead(more)) && b.weighs.at(more).data&judged != 0 && b.weighs.guards(n)&spread == 0
}

// ofAll reports whether a list holds the scores of all judges: it is made by a
// comprehension that chooses none of them.
func (b *bench) ofAll(n code.Node) bool {
	n = n.Unparen()
	switch n.Kind() {
	case "list_comprehension":
		return b.weighs.at(n).data&judged != 0 && who(split(n.Text())) == nobody
	case "identifier":
		return slices.ContainsFunc(b.worth(n), func(v code.Node) bool { return v.Is("list_comprehension") && b.ofAll(v) })
	}
	return false
}
