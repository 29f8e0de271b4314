package langgraph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// unroll unrolls a loop, also over neighbours: "zip(names, names[1:])" and
// "pairwise(names)", the usual ways to wire a chain.
func (r *reader) unroll(loop code.Node, binds []code.Binding) ([]code.Binding, bool) {
	turns, complete := r.p.Unroll(loop, binds...)
	if complete || len(turns) > 0 {
		return turns, complete
	}
	clause := loop
	if !loop.Is("for_statement") {
		var clauses []code.Node
		for c := range loop.Children() {
			if c.Is("for_in_clause", "if_clause") {
				clauses = append(clauses, c)
			}
		}
		if len(clauses) != 1 {
			return turns, complete
		}
		clause = clauses[0]
	}
	items, ok := r.items(clause.Field("right"), binds, 0)
	if !ok || len(items) > maxTurns {
		return turns, complete
	}
	for _, item := range items {
		b := code.Binding{}
		if !bindTo(clause.Field("left"), item, b) {
			return nil, false
		}
		turns = append(turns, b)
	}
	return turns, true
}

// filledLater reports whether any code sets an attribute of this name on an
// object, or adds to it in place.
func (r *reader) filledLater(name string) bool {
	out, ok := r.filled[name]
	if !ok {
		out = r.fills(name)
		r.filled[name] = out
	}
	return out
}

// fills is filledLater without memory.
func (r *reader) fills(name string) bool {
	for _, m := range r.p.Modules {
		if m.Shadowed || m.Scope != code.ScopeProduction {
			continue
		}
		for n := range m.Root().Walk() {
			switch {
			case n.Is("attribute") && n.Field("attribute").Text() == name:
				up := n.Parent()
				if up.Is("assignment", "augmented_assignment") && n.FieldName() == "left" || up.Is("pattern_list", "tuple_pattern") ||
					up.Is("subscript") && set(up) ||
					up.Is("attribute") && up.FieldName() == "function" && slices.Contains([]string{"append", "extend", "insert", "add", "update", "setdefault"}, up.Field("attribute").Text()) {
					return true
				}
			case n.Is("call") && slices.Contains([]string{"setattr", "__setattr__"}, lastName(n.Field("function"))):
				return true
			}
		}
	}
	return false
}

// bindTo binds the targets of a loop to one item.
func bindTo(target code.Node, item code.Value, b code.Binding) bool {
	switch {
	case target.Is("identifier"):
		b[target.Text()] = item
		return true
	case target.Is("pattern_list", "tuple_pattern", "list_pattern"):
		targets := slices.Collect(target.Children())
		if len(targets) != len(item.Items) {
			return false
		}
		for i, t := range targets {
			if !bindTo(t, item.Items[i], b) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// items returns the elements of a sequence that is fully known.
func (r *reader) items(n code.Node, binds []code.Binding, depth int) ([]code.Value, bool) {
	n = n.Unparen()
	if depth > maxCalls {
		return nil, false
	}
	if n.Is("subscript") && n.Field("subscript").Is("slice") {
		base, ok := r.items(n.Field("value"), binds, depth+1)
		if !ok {
			return nil, false
		}
		return cut(base, n.Field("subscript").Text())
	}
	if c := r.p.Call(n); n.Is("call") && c != nil {
		var columns [][]code.Value
		for _, a := range c.Args {
			column, ok := r.items(a.Value, binds, depth+1)
			if !ok || a.Name != "" || a.Star > 0 {
				return nil, false
			}
			columns = append(columns, column)
		}
		switch {
		case c.Callee.Matches("itertools.pairwise") && len(columns) == 1 && len(columns[0]) > 0:
			return rows(columns[0], columns[0][1:]), true
		case c.Callee.Matches("builtins.zip") && len(columns) > 0:
			return rows(columns...), true
		}
	}
	v := r.p.Eval(n, binds...)
	if v.Kind != code.ValueList && v.Kind != code.ValueTuple || slices.ContainsFunc(v.Items, func(i code.Value) bool { return i.Rest }) {
		return nil, false
	}
	return v.Items, true
}

// rows zips columns.
func rows(columns ...[]code.Value) []code.Value {
	var out []code.Value
	for i := 0; ; i++ {
		row := code.Value{Kind: code.ValueTuple}
		for _, c := range columns {
			if i >= len(c) {
				return out
			}
			row.Items = append(row.Items, c[i])
		}
		out = append(out, row)
	}
}

// cut applies a slice with literal bounds and step 1.
func cut(items []code.Value, slice string) ([]code.Value, bool) {
	parts := strings.Split(slice, ":")
	bounds := [2]int{0, len(items)}
	if len(parts) > 2 && strings.TrimSpace(parts[2]) != "" && strings.TrimSpace(parts[2]) != "1" {
		return nil, false
	}
	for i := range bounds {
		text := strings.TrimSpace(parts[i])
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, false
		}
		if n < 0 {
			n += len(items)
		}
		bounds[i] = min(max(n, 0), len(items))
	}
	if bounds[0] > bounds[1] {
		return nil, true
	}
	return items[bounds[0]:bounds[1]], true
}
