package code

import "strconv"

// constantTest decides tests whose outcome stands in the source: "true",
// "false" or "".
func constantTest(n Node) string {
	n = n.Unparen()
	switch n.Kind() {
	case "true", "false":
		return n.Kind()
	case "none":
		return "false"
	case "integer":
		v, ok := wholeNumber(n)
		return truth(!ok || v != 0) // too long a number is not zero
	case "identifier", "attribute":
		if lastName(n) == "TYPE_CHECKING" {
			return "false"
		}
	case "not_operator":
		switch constantTest(n.Field("argument")) {
		case "true":
			return "false"
		case "false":
			return "true"
		}
	case "boolean_operator":
		return constantPair(n.Field("operator").Text(), constantTest(n.Field("left")), constantTest(n.Field("right")))
	case "comparison_operator":
		return compared(n)
	case "list", "tuple", "dictionary", "string":
		if empty(n) {
			return "false"
		}
	}
	return ""
}

func truth(b bool) string { return strconv.FormatBool(b) }

func wholeNumber(n Node) (int64, bool) {
	v, err := strconv.ParseInt(n.Text(), 0, 64)
	return v, err == nil
}

// constantPair is "and" or "or" of two tests, of which one may decide alone.
func constantPair(op, left, right string) string {
	decides := truth(op == "or")
	switch {
	case left == decides || right == decides:
		return decides
	case left != "" && left == right:
		return left
	}
	return ""
}

// compared decides the comparison of two whole numbers.
func compared(n Node) string {
	left, right := n.Child(0).Unparen(), n.Child(1).Unparen()
	if n.Child(2).Valid() || !left.Is("integer") || !right.Is("integer") {
		return ""
	}
	a, okA := wholeNumber(left)
	b, okB := wholeNumber(right)
	if !okA || !okB {
		return ""
	}
	switch n.Field("operators").Text() {
	case "==", "is":
		return truth(a == b)
	case "!=", "is not":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	case ">=":
		return truth(a >= b)
	}
	return ""
}

// empty tells a display or text with nothing in it, and range(0): a loop over it
// never runs.
func empty(n Node) bool {
	n = n.Unparen()
	switch n.Kind() {
	case "list", "tuple", "dictionary":
		return !n.Child(0).Valid()
	case "string":
		return n.Text() == `""` || n.Text() == "''"
	case "call":
		args := n.Field("arguments")
		return n.Field("function").Text() == "range" && args.Child(0).Text() == "0" && !args.Child(1).Valid()
	}
	return false
}
