package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// means are functions that make one number of several without preferring one.
var means = []string{"mean", "fmean", "median", "median_low", "median_high", "average"}

// blend reports whether a term of a sum is a mean or median of scores, or a name
// that holds one: such a term has as much of each judge as of any other, so that
// what a sum adds of the tech lead is more. A product with a number is looked through.
func (b *bench) blend(n code.Node, depth int) bool {
	n = n.Unparen()
	if depth > maxLead || b.weighs.at(n).data&judged == 0 {
		return false
	}
	switch n.Kind() {
	case "binary_operator":
		switch op, left, right := n.Field("operator").Text(), n.Field("left"), n.Field("right"); op {
		case "*":
			_, constant := b.number(right)
			_, first := b.number(left)
			return constant && b.blend(left, depth) || first && b.blend(right, depth)
		case "/", "//":
			return b.totals(left) && !b.totals(right)
		}
	case "call":
		if name := last(n); slices.Contains(means, name) {
			return true
		} else if slices.Contains([]string{"round", "int", "float"}, name) {
			return b.blend(n.Field("arguments").Child(0), depth)
		}
	case "subscript": // sorted(scores)[1]
		return b.ordered(n.Field("value"))
	case "identifier":
		return slices.ContainsFunc(b.worth(n), func(v code.Node) bool { return !v.Is("identifier") && b.blend(v, depth+1) })
	}
	return false
}

// totals reports whether a value is sum(scores).
func (b *bench) totals(n code.Node) bool {
	n = n.Unparen()
	return n.Is("call") && last(n) == "sum"
}

// ordered reports whether a value is sorted(scores), or a name that holds it.
func (b *bench) ordered(n code.Node) bool {
	n = n.Unparen()
	if n.Is("call") {
		return last(n) == "sorted"
	}
	return slices.ContainsFunc(b.worth(n), func(v code.Node) bool { return v.Is("call") && last(v) == "sorted" })
}
