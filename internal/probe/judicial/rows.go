package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// rowOf are the conditions of a table of rules under which a function of it runs: where
// a call that may run it stands under a call that may run the function beside it, as in
// `for applies, act in RULES: if applies(case): score = act(case, score)`, the latter is
// its condition.
func (b *bench) rowOf(d *code.Definition, r *programPart) []code.Guard {
	var beside []*code.Definition
	for _, n := range append(b.p.Uses(d), d.Node) {
		beside = append(beside, b.beside(n)...)
	}
	if len(beside) == 0 {
		return nil
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
						for _, v := range s.Def.ReturnValues() {
							out = append(out, code.Guard{Kind: "if", Condition: v})
						}
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
