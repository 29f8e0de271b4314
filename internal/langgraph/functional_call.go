package langgraph

import (
	"fmt"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// hold notes what a variable, or what is kept in it, holds. A variable keeps
// what it held: waiting for it again changes nothing.
func (w *walker) hold(left code.Node, names []string) {
	if len(names) == 0 {
		return
	}
	switch {
	case left.Is("subscript"):
		w.hold(left.Field("value"), names)
	case left.Is("identifier", "attribute"):
		w.scope().held[left.Text()] = union(w.scope().held[left.Text()], names)
	default:
		for c := range left.Children() {
			w.hold(c, names)
		}
	}
}

// eval follows an expression and returns the started nodes that it holds.
func (w *walker) eval(n code.Node) []string {
	if !w.step(n) {
		return nil
	}
	switch n.Kind() {
	case "call":
		return w.call(n)
	case "await":
		w.wait(w.children(n), n)
		return nil
	case "identifier", "attribute":
		if d := w.p.Resolve(n).Def; d != nil && w.decorator(d, "task").Valid() {
			w.lose(n) // a task as a value: nobody knows who calls it
		}
		for _, s := range slices.Backward(w.scopes) {
			if held, ok := s.held[n.Text()]; ok {
				return held
			}
		}
		if n.Is("attribute") {
			return w.eval(n.Field("object"))
		}
		return nil
	case "lambda", "conditional_expression", "boolean_operator": // may start what is in it, or not
		if w.starts(n) {
			w.lose(n)
		}
		return w.children(n)
	case "assignment", "augmented_assignment":
		w.assign(n)
		return nil
	case "named_expression":
		held := w.eval(n.Field("value"))
		w.hold(n.Field("name"), held)
		return held
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		return w.comprehension(n)
	default:
		return w.children(n)
	}
}

func (w *walker) children(n code.Node) []string {
	var out []string
	for c := range n.Children() {
		out = union(out, w.eval(c))
	}
	return out
}

func (w *walker) assign(n code.Node) {
	left, right := n.Field("left"), n.Field("right").Unparen()
	if left.Is("pattern_list", "tuple_pattern") && right.Is("expression_list", "tuple", "list") {
		var values []code.Node
		for c := range right.Children() {
			values = append(values, c)
		}
		i := 0
		for c := range left.Children() {
			if i < len(values) {
				w.hold(c, w.eval(values[i]))
			}
			i++
		}
		return
	}
	w.hold(left, w.eval(right))
}

func (w *walker) comprehension(n code.Node) []string {
	for c := range n.Children() {
		if c.Is("for_in_clause") {
			w.hold(c.Field("left"), w.eval(c.Field("right")))
		}
	}
	var held []string
	w.repeat(n, w.starts(n.Field("body")), func() { held = union(held, w.eval(n.Field("body"))) })
	return held
}

// call follows a call: of a task, of what waits for tasks, of a function that
// starts some, or of something else, which may do anything with what it is given.
func (w *walker) call(n code.Node) []string {
	f := n.Field("function").Unparen()
	d, sure := w.called(n)
	if !sure && (d == nil || w.decorator(d, "task").Valid() || w.leadsOn(d)) {
		w.lose(n)
	}
	if d != nil && !w.decorator(d, "task").Valid() && w.leadsOn(d) {
		return w.helper(n, d)
	}
	given := w.children(n.Field("arguments"))
	name := lastName(f)
	s := w.p.Resolve(f)
	switch {
	case d != nil && w.decorator(d, "task").Valid():
		key := fmt.Sprint(w.scope().via, " ", n.Path(), " ", n.Start())
		node := w.node(key, d.Name, d, n)
		if w.leadsOn(d) {
			w.lose(n) // tasks of a task
		}
		w.start(node, n)
		return []string{node}
	case f.Is("attribute") && (name == "result" || name == "exception"):
		w.wait(w.eval(f.Field("object")), n)
		return nil
	case s.Matches("concurrent.futures.wait"):
		w.wait(given, n)
		return given
	case f.Is("attribute") && slices.Contains([]string{"append", "add", "extend", "insert", "setdefault", "update"}, name):
		w.hold(f.Field("object"), given)
		return nil
	case f.Is("attribute") && slices.Contains([]string{"values", "items", "keys", "get", "pop", "popleft", "copy", "done"}, name):
		return union(given, w.eval(f.Field("object")))
	case s.Matches("asyncio.gather", "asyncio.wait", "asyncio.as_completed", "asyncio.wait_for", "asyncio.shield", "concurrent.futures.as_completed"),
		s.External && s.Matches("builtins.*"):
		return given
	}
	if f.Is("attribute") {
		w.eval(f.Field("object"))
	}
	if len(given) > 0 {
		w.lose(n)
	}
	return nil
}

// called returns the function of ours that a call calls; sure is false where it
// may be another one.
func (w *walker) called(n code.Node) (d *code.Definition, sure bool) {
	sure = true
	f := n.Field("function").Unparen()
	for _, s := range w.p.ResolveAll(f) {
		if s.Def != nil && s.Def.IsFunction() && !s.Instance {
			sure, d = d == nil && sure, s.Def
		}
	}
	return d, sure && (f.Is("attribute") || f.Is("identifier") && len(w.p.ResolveAll(f)) == 1)
}

// helper follows a function that starts tasks into its body.
func (w *walker) helper(n code.Node, d *code.Definition) []string {
	deep := slices.ContainsFunc(w.scopes, func(s scope) bool { return s.def == d }) || len(w.scopes) > maxHelpers
	if deep || d.Async && !n.Parent().Is("await") { // of several at once nobody knows the order
		w.lose(n)
		w.children(n.Field("arguments"))
		return nil
	}
	held := map[string][]string{}
	if c := w.p.Call(n); c != nil {
		given := w.p.Parameters(c)
		for _, name := range slices.SortedFunc(maps.Keys(given), func(a, b string) int { return given[a].Start() - given[b].Start() }) {
			held[name] = w.eval(given[name])
		}
	}
	loops := w.loops
	w.loops = nil
	w.scopes = append(w.scopes, scope{def: d, held: held, via: fmt.Sprint(w.scope().via, " ", n.Path(), " ", n.Start())})
	w.block(d.Body())
	done := *w.scope()
	w.scopes, w.loops = w.scopes[:len(w.scopes)-1], loops
	w.at = w.merge(append(done.left, w.at...), n)
	return done.result
}

// leadsOn reports whether a function starts tasks, itself or by others.
func (w *walker) leadsOn(d *code.Definition) bool {
	if known, ok := w.leads[d]; ok {
		return known
	}
	w.leads[d] = false
	w.leads[d] = w.starts(d.Body())
	return w.leads[d]
}

// starts reports whether code starts a task.
func (w *walker) starts(n code.Node) bool {
	if !n.Valid() {
		return false
	}
	for c := range n.WalkScope() {
		if c.Is("call") {
			if d, _ := w.called(c); d != nil && (w.decorator(d, "task").Valid() || w.leadsOn(d)) {
				return true
			}
		}
	}
	return false
}

// matters reports whether code starts a task or leaves where it stands.
func (w *walker) matters(n code.Node) bool {
	if !n.Valid() {
		return false
	}
	for c := range n.WalkScope() {
		if c.Is("return_statement", "break_statement", "continue_statement") {
			return true
		}
	}
	return w.starts(n)
}

// union adds what a list lacks.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
