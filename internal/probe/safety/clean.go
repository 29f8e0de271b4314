package safety

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// cleaned says whether something on the way of a value leaves no text of
// somebody's: yes when it surely does, unsure when it may.
func (v *survey) cleaned(way []code.Node) tri {
	answer := no
	for i, n := range way {
		t := no
		switch n.Kind() {
		case "call":
			t = v.cleanCall(n)
		case "binary_operator":
			t = boolTri(numeric(n))
		case "conditional_expression":
			if i+1 < len(way) {
				t = v.chosen(n.Child(1), way[i+1], way[i+1] == n.Child(2).Unparen())
			}
		case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension":
			t = v.filtered(n)
		}
		answer = max(answer, t)
	}
	return answer
}

// cleanCall tells a conversion: of the table, of an enumeration, or what a
// request is asked to convert to.
func (v *survey) cleanCall(n code.Node) tri {
	c := v.p.Call(n)
	if c == nil {
		return no
	}
	if c.Callee.In(tables.Of(tables.Flow), "clean") {
		return yes
	}
	if d := c.Callee.Def; d != nil && d.Kind == code.DefClass && v.p.Inherits(d, "enum.*") {
		return yes
	}
	if c.Name == "get" || c.Name == "getlist" {
		if kind := c.Arg("type", -1); kind.Valid() {
			return v.typeTaint(kind).opposite()
		}
	}
	return no
}

var placeholder = regexp.MustCompile(`%[^%a-zA-Z]*([a-zA-Z])`)

// numeric tells the formatting of a text all whose placeholders are of numbers.
func numeric(n code.Node) bool {
	left := n.Field("left")
	if n.Field("operator").Text() != "%" || !left.Is("string") {
		return false
	}
	found := placeholder.FindAllStringSubmatch(strings.ReplaceAll(left.Text(), "%%", ""), -1)
	for _, m := range found {
		if !strings.Contains("diufFeEgGxXoc", m[1]) {
			return false
		}
	}
	return len(found) > 0
}

// filtered tells a comprehension that keeps only values that a test of their
// content lets pass.
func (v *survey) filtered(n code.Node) tri {
	answer := no
	for c := range n.Children() {
		if !c.Is("if_clause") {
			continue
		}
		for x := range n.Field("body").Walk() {
			if x.Is("identifier") {
				answer = max(answer, v.chosen(c.Child(0), x, false))
			}
		}
	}
	return answer
}

// chosen says whether a condition that must hold (or fail) for a value to be
// taken leaves only values of the program's own.
func (v *survey) chosen(condition, value code.Node, otherwise bool) tri {
	if !value.Valid() {
		return no
	}
	fn := v.function(condition)
	if fn == nil {
		return no
	}
	condition = condition.Unparen()
	if condition.Is("comparison_operator") && condition.Child(0).Text() == value.Text() {
		var ops []string
		for _, o := range condition.Fields("operators") {
			ops = append(ops, o.Text())
		}
		op := strings.Join(ops, " ")
		list, complete := v.p.Eval(condition.Child(1)).Strings()
		if complete && len(list) > 0 && (op == "in" && !otherwise || op == "not in" && otherwise) {
			return yes
		}
	}
	if v.about(fn, map[string]bool{value.Text(): true}, 0).tests(condition) {
		return unsure
	}
	return no
}

// replaced tells whether a value that fails a test is replaced before its use.
func (v *survey) replaced(use code.Node) bool {
	w := v.way(use)
	for _, fn := range w.order {
		s := v.about(fn, w.texts[fn], 0)
		for n := range fn.Body().WalkScope() {
			if !n.Is("if_statement") || v.function(use) == fn && n.Start() > use.Start() || !s.tests(n.Field("condition")) {
				continue
			}
			for x := range block(n).WalkScope() {
				if x.Is("assignment") && x.Field("left").Is("identifier") && w.texts[fn][x.Field("left").Text()] {
					return true
				}
			}
		}
	}
	return false
}
