package code

import (
	"path"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// maxText bounds a computed string, in bytes.
const maxText = 256 << 10

// stringValue evaluates a string literal; the holes of an f-string stay as
// parts when they are unknown.
func (q *query) stringValue(n Node) Value {
	if isBytes(n) {
		return Value{Kind: ValueBytes, Text: literalText(n), Node: n}
	}
	if !n.child("interpolation").Valid() {
		return textValue(literalText(n), n)
	}
	raw, format := stringPrefix(n)
	var parts []Value
	for c := range n.All() {
		switch c.Kind() {
		case "string_content":
			parts = append(parts, textValue(Unescaped(c.Text(), raw, format), c))
		case "interpolation":
			hole := q.eval(c.Field("expression"))
			if c.Field("format_specifier").Valid() || c.Field("type_conversion").Valid() {
				hole = unknown(c.Field("expression"))
			}
			parts = append(parts, hole)
		}
	}
	return concatStrings(parts, n)
}

func (q *query) concatenated(n Node) Value {
	var parts []Value
	for c := range n.Children() {
		parts = append(parts, q.eval(c))
	}
	return concatStrings(parts, n)
}

// concatStrings joins parts into one string. Known parts merge; alternatives
// multiply as long as they are few, and stay a part otherwise.
func concatStrings(parts []Value, n Node) Value {
	alternatives := 1
	for _, part := range parts {
		alternatives = min(alternatives*len(part.Choices()), maxAlternatives+1)
	}
	for i, part := range parts {
		if part.Kind != ValueChoice || alternatives > maxAlternatives {
			continue
		}
		var out []Value
		for _, c := range part.Items {
			one := append(append(append([]Value(nil), parts[:i]...), c), parts[i+1:]...)
			out = append(out, concatStrings(one, n))
		}
		return choice(out, n)
	}
	var merged []Value
	for _, part := range parts {
		inner := []Value{part}
		if part.Kind == ValueString && len(part.Items) > 0 {
			inner = part.Items
		}
		for _, v := range inner {
			v = asText(v)
			if last := len(merged) - 1; last >= 0 && v.Kind == ValueString && merged[last].Kind == ValueString {
				merged[last].Text += v.Text
				if len(merged[last].Text) > maxText {
					return unknown(n)
				}
				continue
			}
			merged = append(merged, v)
		}
	}
	switch {
	case len(merged) == 0:
		return textValue("", n)
	case len(merged) == 1 && merged[0].Kind == ValueString:
		return textValue(merged[0].Text, n)
	}
	return Value{Kind: ValueString, Items: merged, Node: n}
}

// asText is what str() makes of a value.
func asText(v Value) Value {
	switch v.Kind {
	case ValueString:
		return v
	case ValueInt, ValueBool, ValueNone, ValueFloat:
		return textValue(v.String(), v.Node)
	default: // its text is not computed
		return Value{Node: v.Node}
	}
}

// operate applies a binary operator.
func (q *query) operate(op string, left, right Value, n Node) Value {
	if left.Kind == ValueChoice || right.Kind == ValueChoice {
		var out []Value
		for _, l := range left.Choices() {
			for _, r := range right.Choices() {
				out = append(out, q.operate(op, l, r, n))
			}
		}
		return choice(out, n)
	}
	switch {
	case op == "+" && (left.Kind == ValueString || right.Kind == ValueString):
		return concatStrings([]Value{left, right}, n)
	case op == "+" && (left.Kind == ValueList || left.Kind == ValueTuple):
		return extend(left, right, n)
	case op == "%" && left.Kind == ValueString:
		return percent(left, right, n)
	case op == "/" && (isPath(left) || isPath(right)):
		return joinPaths([]Value{left, right}, n)
	case op == "|" && left.Kind == ValueDict && right.Kind == ValueDict:
		return Value{Kind: ValueDict, Node: n, Keys: append(append([]Value(nil), left.Keys...), right.Keys...),
			Items: append(append([]Value(nil), left.Items...), right.Items...)}
	case op == "*" && left.sequence() && right.Kind == ValueInt:
		return repeat(left, right.Int, n)
	case left.Kind == ValueInt && right.Kind == ValueInt:
		return integer(op, left.Int, right.Int, n)
	}
	return unknown(n)
}

func integer(op string, a, b int64, n Node) Value {
	const bound = 1 << 31 // keeps products in range
	if a > bound || b > bound || a < -bound || b < -bound {
		return unknown(n)
	}
	switch op {
	case "+":
		return intValue(a+b, n)
	case "-":
		return intValue(a-b, n)
	case "*":
		return intValue(a*b, n)
	}
	return unknown(n)
}

// extend appends one sequence to another.
func extend(left, right Value, n Node) Value {
	out := left
	out.Node = n
	out.Items = append([]Value(nil), left.Items...)
	if right.sequence() && len(out.Items)+len(right.Items) <= maxItems {
		out.Items = append(out.Items, right.Items...)
	} else {
		out.Items = append(out.Items, Value{Node: right.Node, Rest: true})
	}
	return out
}

func repeat(v Value, times int64, n Node) Value {
	if times < 0 || times*int64(len(v.Items)) > maxItems || times > maxItems {
		return unknown(n)
	}
	out := Value{Kind: v.Kind, Node: n}
	for range times {
		out.Items = append(out.Items, v.Items...)
	}
	return out
}

var percentHole = regexp.MustCompile(`%(?:\((\w+)\))?[-+ #0-9.]*([sdrif%])`)

// percent applies printf-style formatting.
func percent(format, args Value, n Node) Value {
	text, ok := format.Str()
	if !ok {
		return unknown(n)
	}
	items := []Value{args}
	if args.Kind == ValueTuple {
		items = args.Items
	}
	var parts []Value
	last, i := 0, 0
	for _, m := range percentHole.FindAllStringSubmatchIndex(text, -1) {
		parts = append(parts, textValue(text[last:m[0]], n))
		last = m[1]
		switch {
		case text[m[4]:m[5]] == "%":
			parts = append(parts, textValue("%", n))
		case m[2] >= 0:
			v, found := args.Get(text[m[2]:m[3]])
			if !found {
				v = unknown(args.Node)
			}
			parts = append(parts, v)
		case i < len(items):
			parts = append(parts, items[i])
			i++
		default:
			parts = append(parts, unknown(args.Node))
		}
	}
	return concatStrings(append(parts, textValue(text[last:], n)), n)
}

// isPath reports whether a value is a path object: kept as an external
// instance, or as a string that a Path constructor made.
func isPath(v Value) bool {
	return v.Kind == ValueSymbol && v.Symbol.Matches("pathlib.*Path", "pathlib.*Path()") ||
		(v.Kind == ValueString && v.Symbol.Matches("pathlib.Path"))
}

// joinPaths joins the parts of a path as pathlib and os.path do.
func joinPaths(parts []Value, n Node) Value {
	var out []Value
	for i, part := range parts {
		if text, ok := part.Str(); ok && strings.HasPrefix(text, "/") {
			out = nil
		} else if i > 0 && len(out) > 0 {
			out = append(out, textValue("/", n))
		}
		out = append(out, part)
	}
	v := concatStrings(out, n)
	v.Symbol = Symbol{Qualified: "pathlib.Path", External: true, Instance: true}
	if text, ok := v.Str(); ok {
		v.Text = path.Clean(text)
	}
	return v
}

func (q *query) unary(n Node) Value {
	v := q.eval(n.Field("argument"))
	if n.Field("operator").Text() != "-" {
		return v
	}
	switch v.Kind {
	case ValueInt:
		v.Int = -v.Int
	case ValueFloat:
		v.Float = -v.Float
	default:
		return unknown(n)
	}
	v.Node = n
	return v
}

// boolean evaluates "and" and "or".
func (q *query) boolean(n Node) Value {
	left := q.eval(n.Field("left"))
	or := n.Field("operator").Text() == "or"
	if truth, known := left.truth(); known {
		if truth == or {
			return left
		}
		return q.eval(n.Field("right"))
	}
	return choice([]Value{left, q.eval(n.Field("right"))}, n)
}

// condition decides a test, where it can be decided.
func (q *query) condition(n Node) (truth, known bool) {
	n = n.Unparen()
	switch n.Kind() {
	case "not_operator":
		truth, known = q.condition(n.Field("argument"))
		return !truth, known
	case "boolean_operator":
		left, lk := q.condition(n.Field("left"))
		right, rk := q.condition(n.Field("right"))
		if n.Field("operator").Text() == "or" {
			return left && lk || right && rk, lk && left || rk && right || lk && rk
		}
		return left && right, lk && !left || rk && !right || lk && rk
	case "comparison_operator":
		return q.compare(n)
	}
	return q.eval(n).truth()
}

// compare decides a comparison of two operands.
func (q *query) compare(n Node) (truth, known bool) {
	ops := n.Fields("operators")
	if len(ops) != 1 {
		return false, false
	}
	left, right := q.eval(n.Child(0)), q.eval(n.Child(1))
	switch ops[0].Text() {
	case "==", "is":
		return left.equal(right)
	case "!=", "is not":
		truth, known = left.equal(right)
		return !truth, known
	case "in", "not in":
		in, ok := contains(right, left)
		return in == (ops[0].Text() == "in"), ok
	case "<":
		return left.Int < right.Int, left.Kind == ValueInt && right.Kind == ValueInt
	case ">":
		return left.Int > right.Int, left.Kind == ValueInt && right.Kind == ValueInt
	case "<=":
		return left.Int <= right.Int, left.Kind == ValueInt && right.Kind == ValueInt
	case ">=":
		return left.Int >= right.Int, left.Kind == ValueInt && right.Kind == ValueInt
	}
	return false, false
}

// contains decides "item in container".
func contains(container, item Value) (in, known bool) {
	items := container.Items
	if container.Kind == ValueDict {
		items = container.Keys
	} else if text, ok := container.Str(); ok {
		part, ok := item.Str()
		return strings.Contains(text, part), ok
	} else if !container.sequence() {
		return false, false
	}
	known = true
	for _, c := range items {
		same, ok := c.equal(item)
		if same && ok {
			return true, true
		}
		known = known && ok
	}
	return false, known
}
