package langgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// updates reads what the functions of nodes return as state updates.
type updates struct {
	*reader
	keys   []agentgraph.Write
	opaque bool
	active map[*code.Definition]bool
	state  *agentgraph.State // of the graph; nil when anything may be an update
	only   [][]code.Symbol   // what is read has passed isinstance tests for these
}

// writes fills in what the nodes of a graph write.
func (r *reader) writes(g *agentgraph.Graph) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if Def(n.Source) == nil || n.Within != nil { // what a graph with another state hands out is for that graph to tell
			n.Opaque = n.Nested == nil && !n.Gate
			continue
		}
		u := &updates{reader: r, active: map[*code.Definition]bool{}, state: g.State}
		u.function(called(n), stateParam(called(n)), 0)
		n.Opaque = u.opaque
		for _, w := range u.keys {
			w.Node = n.Name
			w.Held, w.Echoes = r.old(called(n), w)
			if !slices.ContainsFunc(g.Writes, func(o agentgraph.Write) bool {
				return o.Node == w.Node && o.Key == w.Key && o.Source == w.Source && o.At == w.At && o.Grows == w.Grows
			}) {
				g.Writes = append(g.Writes, w)
			}
		}
	}
	slices.SortStableFunc(g.Writes, func(a, b agentgraph.Write) int {
		return cmp.Or(strings.Compare(a.Node, b.Node), strings.Compare(a.Key, b.Key), a.At.Compare(b.At))
	})
}

// stateParam returns the name of the parameter that takes the state: the first
// that is not self.
func stateParam(d *code.Definition) string {
	params := d.Params()
	if d.Kind == code.DefMethod && len(params) > 0 && (params[0].Name == "self" || params[0].Name == "cls") {
		params = params[1:]
	}
	if len(params) == 0 {
		return ""
	}
	return params[0].Name
}

// function reads the returns of a function.
func (u *updates) function(d *code.Definition, state string, depth int) {
	if depth > maxCalls || u.active[d] {
		u.opaque = true
		return
	}
	u.active[d] = true
	defer delete(u.active, d)
	for _, v := range d.ReturnValues() {
		if !v.Is("return_statement") && !u.p.Dead(v) {
			u.value(v, d, state, depth)
		}
	}
}

// value reads one returned expression.
func (u *updates) value(n code.Node, d *code.Definition, state string, depth int) {
	n = n.Unparen()
	switch n.Kind() {
	case "none":
	case "dictionary":
		u.dictionary(n, d, state, depth)
	case "conditional_expression":
		u.value(n.Child(0), d, state, depth)
		u.value(n.Child(2), d, state, depth)
	case "boolean_operator", "binary_operator":
		u.value(n.Field("left"), d, state, depth)
		u.value(n.Field("right"), d, state, depth)
	case "await":
		u.value(n.Child(0), d, state, depth)
	case "identifier":
		u.local(n, d, state, depth)
	case "call":
		u.call(n, d, state, depth)
	case "list", "tuple", "expression_list": // several commands
		for c := range n.Children() {
			u.free(func() { u.value(c, d, state, depth) })
		}
	default:
		u.opaque = true
	}
}

// note keeps what is written, with what the analyses ask about its value.
func (u *updates) note(w agentgraph.Write) {
	w.Empty, w.List = emptyValue(Expr(w.Source)), Expr(w.Source).Is("list")
	if w.Whole {
		w.Beside = setBeside(Expr(w.Source))
	}
	u.keys = append(u.keys, w)
}

// setBeside returns the keys that the dictionary which takes the whole state in
// sets itself.
func setBeside(whole code.Node) (out []string) {
	d := whole.Parent()
	for ; d.Valid() && !d.Is("dictionary", "return_statement"); d = d.Parent() {
	}
	for c := range d.Children() {
		if c.Is("pair") {
			out = append(out, strings.Trim(c.Field("key").Text(), `"'`))
		}
	}
	return out
}

// whole notes that the whole state is returned.
func (u *updates) whole(n code.Node) {
	if !u.asWhole() {
		return
	}
	u.note(agentgraph.Write{Whole: true, Source: n, At: placeOf(n)})
}

// key notes one key.
func (u *updates) key(key, value code.Node) {
	text, ok := u.p.Eval(key).Str()
	if !ok {
		u.opaque = true
		return
	}
	u.note(agentgraph.Write{Key: text, Source: value, At: placeOf(key)})
}

// grow notes one key that is added to in place.
func (u *updates) grow(key, value code.Node) {
	if text, ok := u.p.Eval(key).Str(); ok {
		u.note(agentgraph.Write{Key: text, Source: value, At: placeOf(key), Grows: true})
	}
}

// dictionary reads {"a": x, **other}.
func (u *updates) dictionary(n code.Node, d *code.Definition, state string, depth int) {
	if !u.passes(nil) {
		return
	}
	for c := range n.Children() {
		switch c.Kind() {
		case "pair":
			u.key(c.Field("key"), c.Field("value"))
		case "dictionary_splat":
			u.free(func() { u.value(c.Child(0), d, state, depth) })
		default:
			u.opaque = true
		}
	}
}

// local reads a variable: what it is assigned, and the keys set on it.
func (u *updates) local(n code.Node, d *code.Definition, state string, depth int) {
	kept := u.only
	u.only = append(slices.Clone(kept), u.tests(n, d)...)
	defer func() { u.only = kept }()
	if n.Text() == state && state != "" {
		u.whole(n)
		for k := range d.Body().WalkScope() { // keys set on the state itself
			if k.Is("assignment") {
				u.setOn(k.Field("left"), k.Field("right"), state)
			} else if key, value := u.grown(k, state); key.Valid() {
				u.grow(key, value)
			}
		}
		return
	}
	values := assigned(d, n.Text(), n)
	if len(values) == 0 || depth > maxCalls {
		u.opaque = true
		return
	}
	for _, v := range values {
		u.value(v, d, state, depth+1)
	}
	for k := range d.Body().WalkScope() {
		switch {
		case k.Is("assignment") && k.Start() < n.Start():
			u.setOn(k.Field("left"), k.Field("right"), n.Text())
		case k.Is("call") && k.Field("function").Text() == n.Text()+".update":
			if a := k.Field("arguments").Child(0); !a.Is("keyword_argument") {
				u.free(func() { u.value(a, d, state, depth+1) })
			}
			u.keywords(k)
		}
	}
}

// setOn reads name["key"] = value and name.key = value.
func (u *updates) setOn(left, value code.Node, name string) {
	switch {
	case left.Is("subscript") && left.Field("value").Text() == name:
		u.key(left.Field("subscript"), value)
	case left.Is("attribute") && left.Field("object").Text() == name:
		u.note(agentgraph.Write{Key: left.Field("attribute").Text(), Source: value, At: placeOf(left)})
	}
}

// keywords reads the keyword arguments of a call as keys.
func (u *updates) keywords(n code.Node) {
	for a := range n.Field("arguments").Children() {
		switch {
		case a.Is("keyword_argument"):
			u.note(agentgraph.Write{Key: a.Field("name").Text(), Source: a.Field("value"), At: placeOf(a)})
		case a.Is("dictionary_splat"):
			u.opaque = true
		}
	}
}

// call reads a returned call: Command, dict, a copy of the state, or a
// function of ours.
func (u *updates) call(n code.Node, d *code.Definition, state string, depth int) {
	function := n.Field("function").Unparen()
	c := u.p.Call(n)
	if c == nil {
		u.opaque = true
		return
	}
	switch method := lastName(function); {
	case c.Callee.Matches("langgraph.*.Command"):
		if a := c.Arg("update", 1); a.Valid() {
			u.free(func() { u.value(a, d, state, depth+1) })
		}
	case c.Callee.Matches(isDict):
		if !u.passes(nil) {
			return
		}
		if a := n.Field("arguments").Child(0); a.Valid() && !a.Is("keyword_argument", "dictionary_splat") {
			u.free(func() { u.value(a, d, state, depth+1) })
		}
		u.keywords(n)
	case function.Is("attribute") && function.Field("object").Text() == state && slices.Contains([]string{"model_copy", "copy", "model_dump", "dict"}, method):
		u.whole(n)
		if a := c.Arg("update", -1); a.Valid() {
			u.free(func() { u.value(a, d, state, depth+1) })
		}
	case c.Callee.Def != nil && c.Callee.Def.Kind == code.DefClass && u.p.Method(c.Callee.Def, "__call__") == nil:
		switch {
		case !u.passes(c.Callee.Def):
		case u.updating(c.Callee.Def):
			u.keywords(n)
		default:
			u.opaque = true
		}
	default:
		f := callable(u.p, c.Callee)
		if f == nil {
			u.opaque = true
			return
		}
		u.function(f, u.passedState(c, state), depth+1)
	}
}

// passedState returns the parameter of a helper that is passed the state.
func (u *updates) passedState(c *code.Call, state string) string {
	for name, a := range u.p.Parameters(c) {
		if state != "" && a.Text() == state {
			return name
		}
	}
	return ""
}

// emptyValue reports whether an expression is an empty literal.
func emptyValue(n code.Node) bool {
	n = n.Unparen()
	switch n.Kind() {
	case "none":
		return true
	case "dictionary", "list", "tuple", "set":
		return !n.Child(0).Valid()
	case "string":
		return len(n.Text()) <= 2
	default:
		return false
	}
}

// makesModel reports whether the code of a node, helpers included, makes
// objects of a model: it constructs them, or hands the class to a call such as
// with_structured_output. Annotations and type tests make nothing.
func (r *reader) makesModel(n *agentgraph.Node, m *agentgraph.Model) bool {
	within := r.calledBy(Def(n.Source))
	for _, use := range r.p.Uses(Def(m.Source)) {
		if !slices.Contains(within, r.p.Enclosing(use)) {
			continue
		}
		for a := range use.Around() {
			if a.Is("type", "function_definition", "lambda", "assignment", "for_statement") {
				break
			}
			if a.Is("call") {
				if !r.p.Resolve(a.Field("function")).Matches("builtins.isinstance", "builtins.issubclass", "typing.cast") {
					return true
				}
				break
			}
		}
	}
	return false
}

// calledBy returns a function and the first-party ones that it calls, at most
// four deep and 200.
func (r *reader) calledBy(d *code.Definition) []*code.Definition {
	out := []*code.Definition{d}
	for depth, from := 0, 0; depth < maxCalls && from < len(out); depth++ {
		for end := len(out); from < end && len(out) < 200; from++ {
			defs := r.p.Callees(out[from])
			for _, c := range defs {
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
		if len(out) >= 200 {
			break
		}
	}
	return out
}
