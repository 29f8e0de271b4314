package langgraph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// oneEach spells out an expression that has one value for each item of a
// collection, so that it is known again where another loop goes over the same:
// item["id"] of each in specs["parts"]. It is "" when the expression depends on
// no loop or on something that may have changed.
func (r *reader) oneEach(n code.Node, s site) string {
	text, ok := r.spell(n, s.fr, 0)
	if !ok || !strings.Contains(text, "each(") {
		return ""
	}
	return text
}

// spell writes an expression with its names replaced by what they stand for.
func (r *reader) spell(n code.Node, fr *frame, depth int) (string, bool) {
	n = n.Unparen()
	if !n.Valid() || depth > 2*maxCalls || n.End()-n.Start() > 400 {
		return "", false
	}
	if inner, ok := element(n); n.Is("list_comprehension") {
		if !ok {
			return "", false
		}
		text, ok := r.spell(inner, fr, depth+1)
		return "all(" + text + ")", ok
	}
	var out strings.Builder
	at := n.Start()
	text := n.Text()
	for m := range n.Walk() {
		if !m.Is("identifier") || m.FieldName() == "attribute" || m.FieldName() == "name" && m.Parent().Is("keyword_argument") {
			continue
		}
		stands, ok := r.standsFor(m, fr, depth)
		if !ok {
			return "", false
		}
		out.WriteString(text[at-n.Start() : m.Start()-n.Start()])
		out.WriteString(stands)
		at = m.End()
	}
	out.WriteString(text[at-n.Start():])
	return strings.ReplaceAll(strings.Join(strings.Fields(out.String()), ""), "'", `"`), true
}

// standsFor spells out a name: the variable of a loop, a local variable that
// only one assignment sets, a parameter, or something of the module.
func (r *reader) standsFor(m code.Node, fr *frame, depth int) (string, bool) {
	name, scope := m.Text(), r.p.Enclosing(m)
	loops := loopsAround(m, scope)
	for _, loop := range slices.Backward(loops) {
		if slices.Contains(loopNames(loop), name) {
			return r.each(loop, name, fr, depth)
		}
	}
	for d := scope; d != nil; d = d.Parent {
		if changed(d, name, m) {
			return "", false
		}
		for _, p := range d.Params() {
			if p.Name == name {
				return r.parameter(d, name, fr, depth)
			}
		}
		if len(d.Setters(name)) == 0 {
			continue
		}
		values := assigned(d, name, m)
		if len(values) != 1 {
			return "", false
		}
		text, ok := r.spell(values[0], fr, depth+1)
		if ok && (strings.Contains(text, "each(") || strings.HasPrefix(text, "all(")) {
			return text, true
		}
		// what a call or a list gives is known by the place at which it is made
		return fmt.Sprintf("%s@%s:%d", name, values[0].Path(), values[0].Start()), true
	}
	return cmp.Or(r.p.Resolve(m).Qualified, name), true
}

// parameter spells out a parameter: by what the frame passes for it, or by its
// function when nothing says more.
func (r *reader) parameter(d *code.Definition, name string, fr *frame, depth int) (string, bool) {
	if len(d.Setters(name)) > 0 {
		return "", false
	}
	if fr == nil || fr.def != d {
		owner := d
		if class := d.Class(); class != nil && (name == "self" || name == "cls") {
			owner = class
		}
		return name + "@" + owner.Qualified, true
	}
	if a, ok := fr.args[name]; ok {
		return r.spell(a, fr.up, depth+1)
	}
	return name + "@" + d.Qualified, true
}

// each spells out the variable of a loop by what the loop goes over.
func (r *reader) each(loop code.Node, name string, fr *frame, depth int) (string, bool) {
	left, over := loop.Field("left"), iterated(loop).Unparen()
	for c := range loop.Children() {
		switch {
		case c.Is("for_in_clause") && left.Valid():
			if !loop.Is("for_statement") {
				return "", false // a second loop in one comprehension
			}
		case c.Is("for_in_clause"):
			left = c.Field("left")
		case c.Is("if_clause"):
			return "", false
		}
	}
	part := 0
	if !left.Is("identifier") {
		part = -1
		i := 0
		for c := range left.Children() {
			if c.Is("identifier") && c.Text() == name {
				part = i
			}
			i++
		}
	}
	f, first := over.Field("function"), over.Field("arguments").Child(0)
	pair := !left.Is("identifier")
	switch method := lastName(f); {
	case !over.Is("call"):
	case f.Is("identifier") && method == "enumerate" && pair && part == 1:
		over, pair, part = first, false, 0
	case f.Is("identifier") && (method == "list" || method == "tuple") && first.Valid():
		over = first
	case f.Is("attribute") && (method == "keys" && !pair || method == "items" && pair && part == 0):
		over, pair = f.Field("object"), false
	}
	if part < 0 {
		return "", false
	}
	text, ok := r.spell(over, fr, depth+1)
	if !ok {
		return "", false
	}
	if inner, listed := strings.CutPrefix(text, "all("); listed && !pair {
		return strings.TrimSuffix(inner, ")"), true
	}
	if pair {
		return fmt.Sprintf("each(%s)#%d", text, part), true
	}
	return "each(" + text + ")", true
}

// element returns what a comprehension of one loop without conditions makes of
// each item.
func element(n code.Node) (body code.Node, ok bool) {
	clauses := 0
	for c := range n.Children() {
		if c.Is("for_in_clause", "if_clause") {
			clauses++
		}
	}
	return n.Field("body"), clauses == 1 && n.Field("body").Valid()
}

// changed reports whether a name of a scope is given other items, or loses
// some, after its assignment: then two loops over it may not see the same.
func changed(d *code.Definition, name string, at code.Node) bool {
	for m := range d.Body().WalkScope() {
		switch {
		case m.Is("call") && m.Field("function").Field("object").Text() == name &&
			slices.Contains([]string{"append", "extend", "insert", "remove", "pop", "clear", "update", "add", "discard", "popitem", "setdefault"}, lastName(m.Field("function"))),
			m.Is("delete_statement") && strings.HasPrefix(m.Child(0).Text(), name+"["),
			m.Is("assignment", "augmented_assignment") && (m.Field("left").Is("subscript") && m.Field("left").Field("value").Text() == name ||
				m.Is("augmented_assignment") && m.Field("left").Text() == name):
			if !m.Contains(at) {
				return true
			}
		}
	}
	return false
}

// another reports whether an operation adds a node under a pattern again on
// another turn of the loop around it: names that differ, since a graph takes
// no name twice.
func another(a, b operation) bool {
	if a.call != b.call || a.site.fr != b.site.fr || a.cond.guarded || b.cond.guarded || len(a.site.binds) != len(b.site.binds) {
		return false
	}
	for i := range a.site.binds {
		if !slices.Equal(bindings(a.site.binds[i]), bindings(b.site.binds[i])) {
			return true
		}
	}
	return false
}

// bindings writes out what is bound, in order.
func bindings(b code.Binding) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		out = append(out, name+"="+b[name].String()+fmt.Sprint(b[name].Node.Start()))
	}
	return out
}
