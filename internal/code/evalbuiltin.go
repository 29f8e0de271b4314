package code

import "strings"

// builtinValue evaluates calls of builtins and of path and text functions.
func (q *query) builtinValue(name string, n Node) (Value, bool) {
	switch name {
	case "builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "builtins.sorted", "builtins.reversed":
		return q.convert(name, n)
	case "builtins.dict":
		return q.dictValue(n), true
	case "builtins.str":
		if v := asText(q.argument(n)); v.Kind == ValueString {
			return v, true
		}
	case "builtins.len":
		if v := q.argument(n); (v.sequence() || v.Kind == ValueDict) && !v.open() {
			return intValue(int64(len(v.Items)), n), true
		}
	case "builtins.range":
		return q.rangeValue(n)
	case "builtins.enumerate":
		return q.enumerateValue(n)
	case "builtins.zip":
		return q.zipValue(n)
	case "itertools.pairwise":
		return q.pairwiseValue(n)
	case "os.path.join", "posixpath.join":
		return joinPaths(q.arguments(n), n), true
	case "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.PurePosixPath":
		if args := q.arguments(n); len(args) > 0 {
			return joinPaths(args, n), true
		}
	case "pydantic.Field", "pydantic.fields.Field", "dataclasses.field":
		return q.fieldDefault(n), true
	case "textwrap.dedent", "inspect.cleandoc":
		v := q.argument(n)
		if text, ok := v.Str(); ok {
			return textValue(dedent(text), n), true
		}
		return v, v.Kind == ValueString
	}
	return Value{}, false
}

func (q *query) convert(name string, n Node) (Value, bool) {
	arg := pick(plainArguments(n), "", 0)
	out := Value{Kind: ValueList, Node: n}
	switch name {
	case "builtins.tuple":
		out.Kind = ValueTuple
	case "builtins.set", "builtins.frozenset":
		out.Kind = ValueSet
	}
	if !arg.Valid() {
		return out, true
	}
	items, complete := q.iterate(arg)
	if len(items) == 0 && !complete {
		return Value{}, false
	}
	out.Items = items
	if !complete && !out.open() {
		out.Items = append(append([]Value(nil), items...), Value{Node: arg, Rest: true})
	}
	return out, true
}

func (q *query) dictValue(n Node) Value {
	out := Value{Kind: ValueDict, Node: n}
	for _, a := range callArguments(q, n) {
		if a.Name != "" {
			out.Keys = append(out.Keys, textValue(a.Name, a.Value))
			out.Items = append(out.Items, q.eval(a.Value))
			continue
		}
		v := q.eval(a.Value)
		switch {
		case v.Kind == ValueDict:
			out.Keys, out.Items = append(out.Keys, v.Keys...), append(out.Items, v.Items...)
		case v.sequence() && a.Star == 0:
			for _, pair := range v.Items {
				out.Keys, out.Items = append(out.Keys, at(pair, 0)), append(out.Items, at(pair, 1))
			}
		default:
			rest := Value{Node: a.Value, Rest: true}
			out.Keys, out.Items = append(out.Keys, rest), append(out.Items, rest)
		}
	}
	return out
}

func (q *query) rangeValue(n Node) (Value, bool) {
	args := q.arguments(n)
	bounds := []int64{0, 0, 1}
	for i, a := range args {
		if a.Kind != ValueInt || i > 2 {
			return Value{}, false
		}
		bounds[i] = a.Int
	}
	if len(args) == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	out := Value{Kind: ValueList, Node: n}
	step := bounds[2]
	if len(args) == 0 || step == 0 {
		return Value{}, false
	}
	if step == 1 && bounds[1] > bounds[0] {
		out.Items = make([]Value, 0, max(0, min(bounds[1]-bounds[0], maxTurns)))
	}
	for i := bounds[0]; (step > 0 && i < bounds[1]) || (step < 0 && i > bounds[1]); i += step {
		if len(out.Items) > maxTurns {
			out.Items = append(out.Items, Value{Node: n, Rest: true})
			break
		}
		out.Items = append(out.Items, intValue(i, n))
	}
	return out, true
}

func (q *query) enumerateValue(n Node) (Value, bool) {
	items, complete := q.iterate(pick(plainArguments(n), "iterable", 0))
	if !complete {
		return Value{}, false
	}
	start := int64(0)
	if s := q.eval(pick(plainArguments(n), "start", 1)); s.Kind == ValueInt {
		start = s.Int
	}
	out := Value{Kind: ValueList, Node: n}
	for i, item := range items {
		out.Items = append(out.Items, Value{Kind: ValueTuple, Items: []Value{intValue(start+int64(i), n), item}, Node: item.Node})
	}
	return out, true
}

func (q *query) zipValue(n Node) (Value, bool) {
	var columns [][]Value
	for _, a := range plainArguments(n) {
		if a.Name != "" {
			continue
		}
		items, complete := q.iterate(a.Value)
		if !complete || a.Star > 0 {
			return Value{}, false
		}
		columns = append(columns, items)
	}
	out := Value{Kind: ValueList, Node: n}
	for i := 0; len(columns) > 0; i++ {
		row := Value{Kind: ValueTuple, Node: n}
		for _, column := range columns {
			if i >= len(column) {
				return out, true
			}
			row.Items = append(row.Items, column[i])
		}
		out.Items = append(out.Items, row)
	}
	return out, true
}

// pairwiseValue evaluates itertools.pairwise: each element with the next.
func (q *query) pairwiseValue(n Node) (Value, bool) {
	items, complete := q.iterate(pick(plainArguments(n), "", 0))
	if !complete {
		return Value{}, false
	}
	out := Value{Kind: ValueList, Node: n}
	for i := 1; i < len(items); i++ {
		out.Items = append(out.Items, Value{Kind: ValueTuple, Items: []Value{items[i-1], items[i]}, Node: n})
	}
	return out, true
}

// dedent removes the indentation that all lines share, as textwrap does.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	margin := -1
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if margin < 0 || indent < margin {
			margin = indent
		}
	}
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			lines[i] = ""
		} else if margin > 0 {
			lines[i] = line[margin:]
		}
	}
	return strings.Join(lines, "\n")
}
