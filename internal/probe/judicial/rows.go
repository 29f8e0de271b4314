package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// rowOf are the conditions of a table of rules under which a function of it runs: where
// a call that may run it stands under a call that may run the function beside it, as in
// `for applies, act in RULES: if applies(case): score = act(case, score)`, the latter is
// its condition. What only functions of one row run has the conditions of that row.
func (b *bench) rowOf(d *code.Definition, r *programPart) []code.Guard { return b.row(d, r, 0) }

// maxWrapped bounds the functions around one that stands in a row.
const maxWrapped = 3

func (b *bench) row(d *code.Definition, r *programPart, depth int) []code.Guard {
	var beside []*code.Definition
	for _, n := range append(b.p.Uses(d), d.Node) {
		beside = append(beside, b.beside(n)...)
	}
	if len(beside) == 0 {
		return b.inRow(d, r, depth)
	}
	var out []code.Guard
	for _, c := range b.p.Callers(d) {
		if !r.holds(c.Func) {
			continue
		}
		for _, g := range b.p.Guards(c.Node) {
			if g.Kind != "if" && g.Kind != "ternary" && g.Kind != "and" || g.Negated {
				continue
			}
			for n := range g.Condition.Walk() {
				test := b.p.Call(n)
				if test == nil {
					continue
				}
				for _, s := range test.Symbols() {
					if slices.Contains(beside, s.Def) {
						out = append(out, b.yes(s.Def)...)
					}
				}
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// inRow are the conditions of the row whose functions alone run another one.
func (b *bench) inRow(d *code.Definition, r *programPart, depth int) []code.Guard {
	var out []code.Guard
	for _, c := range b.p.Callers(d) {
		if c.Func == nil || !r.holds(c.Func) {
			continue
		}
		if depth >= maxWrapped || c.Func == d || len(b.p.Guards(c.Node)) > 0 {
			return nil
		}
		under := b.row(c.Func, r, depth+1)
		if len(under) == 0 {
			return nil
		}
		out = append(out, under...)
	}
	return out
}

// yes are the conditions under which a test of the program says yes: what it returns,
// or what is so where it returns that it is.
func (b *bench) yes(test *code.Definition) []code.Guard {
	var out []code.Guard
	for _, v := range test.ReturnValues() {
		switch v = v.Unparen(); v.Kind() {
		case "true":
			out = append(out, b.p.Guards(v)...)
		case "false", "none":
		default:
			out = append(out, code.Guard{Kind: "if", Condition: v})
		}
	}
	return out
}

// beside lists the functions that stand with an expression in one row: of a tuple, a
// list, a dictionary, or the arguments of a construction.
func (b *bench) beside(n code.Node) []*code.Definition {
	row := n.Parent()
	for row.Is("pair", "keyword_argument") {
		row = row.Parent()
	}
	if !row.Is("tuple", "list", "dictionary", "argument_list") {
		return nil
	}
	var out []*code.Definition
	for c := range row.Children() {
		if c.Is("pair", "keyword_argument") {
			c = c.Field("value")
		}
		if c = c.Unparen(); c == n || !c.Is("lambda", "identifier", "attribute") {
			continue
		}
		d := b.p.Definition(c)
		if s := b.p.Resolve(c); d == nil && !s.Instance {
			d = s.Def
		}
		if d != nil && d.IsFunction() {
			out = append(out, d)
		}
	}
	return out
}
