package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// addNode reads add_node in all its forms.
func (w *wirer) addNode(o operation) {
	first := given(o.call, 0, "node", "name", "key", "node_name")
	second := given(o.call, 1, "action", "func", "function", "fn", "runnable", "handler")
	if !first.Valid() {
		w.unresolved(o, o.call.Node, agentgraph.Unresolved{Node: true})
		return
	}
	if inner := w.p.Call(first.Unparen()); inner != nil && !second.Valid() && w.wraps(inner) {
		w.wrapped(o, inner)
		return
	}
	values := w.eval(first, o.site)
	if !second.Valid() {
		if v := values.Choices(); !anyString(v) {
			w.function(o, first)
			return
		}
	}
	for _, l := range w.labels(first, o.site) {
		w.node(o, l, second)
	}
}

func anyString(values []code.Value) bool {
	for _, v := range values {
		if v.Kind == code.ValueString {
			return true
		}
	}
	return false
}

// wraps reports whether an argument is an object that carries a node: a
// home-made class constructed with a name and a function.
func (w *wirer) wraps(c *code.Call) bool {
	if c.Callee.Def == nil || c.Callee.Def.Kind != code.DefClass || w.p.Method(c.Callee.Def, "__call__") != nil {
		return false
	}
	_, name, function := w.parts(c, site{})
	return name.Valid() && function.Valid()
}

// parts finds the name and the function among the arguments of a node object.
func (w *wirer) parts(c *code.Call, s site) (text string, name, function code.Node) {
	for _, a := range c.Args {
		if t, ok := w.eval(a.Value, s).Str(); ok && !name.Valid() {
			text, name = t, a.Value
		} else if sym := w.p.Resolve(a.Value); !function.Valid() && (callable(w.p, sym) != nil || a.Value.Is("lambda")) {
			function = a.Value
		}
	}
	return text, name, function
}

// wrapped adds a node given as an object: Node("a", f).
func (w *wirer) wrapped(o operation, c *code.Call) {
	text, _, function := w.parts(c, o.site)
	w.node(o, label{text: text}, function)
}

// function adds a node that is named after what it runs.
func (w *wirer) function(o operation, n code.Node) {
	f := w.runs(n, o.site)
	switch {
	case f.Def != nil && f.Known():
		w.node(o, label{text: f.Def.Name}, n)
	case f.Known() && f.External && !strings.HasSuffix(f.Qualified, ")"):
		w.node(o, label{text: f.Qualified[strings.LastIndex(f.Qualified, ".")+1:]}, n)
	default:
		w.node(o, label{text: "*", pattern: true}, n)
	}
}

// runs says what an expression that is used as a node stands for.
func (w *wirer) runs(n code.Node, s site) code.Symbol {
	v := w.eval(n, s)
	for _, c := range v.Choices() {
		if c.Kind == code.ValueSymbol && c.Symbol.Known() {
			return unwrapRunnable(w.reader, c.Symbol)
		}
	}
	at := n
	if v.Node.Valid() {
		at = v.Node
	}
	return unwrapRunnable(w.reader, w.p.Resolve(at))
}

// unwrapRunnable looks through RunnableLambda(f) and the like.
func unwrapRunnable(r *reader, s code.Symbol) code.Symbol {
	for range maxCalls {
		if s.Def != nil || !s.Node.Is("call") || !s.Matches("*.RunnableLambda", "*.RunnableCallable", "*.ToolNode", "*.RunnableGenerator") {
			return s
		}
		first := s.Node.Field("arguments").Child(0)
		if first.Is("keyword_argument") {
			first = first.Field("value")
		}
		next := r.p.Resolve(first)
		if next.Def == nil {
			return s
		}
		s = next
	}
	return s
}

// node adds a node, or completes one that is there.
func (w *wirer) node(o operation, l label, bound code.Node) {
	n := agentgraph.Node{Name: l.text, Pattern: l.pattern, Many: l.pattern, Guarded: o.cond.guarded, At: placeOf(o.call.Node)}
	if bound.Valid() {
		runs := w.runs(bound, o.site)
		if inner, outer := w.wrappedFunction(bound, o.site, callable(w.p, runs)); inner != nil {
			n.Source, n.Body, n.Called = &function{inner, outer}, placeOfDef(inner), inner.Name
			if inner.Name == "__call__" && inner.Parent != nil {
				n.Called = inner.Parent.Name
			}
			n.Idle = w.bodies.Idle(w.lowered(inner))
		}
		for _, b := range runs.Bound {
			if text, ok := w.p.Eval(b.Value).Str(); ok {
				n.Given = append(n.Given, text)
			}
		}
		if n.Nested = w.nestedIn(bound, o.site); n.Nested == nil && n.Source != nil {
			n.Nested = w.runBy(Def(n.Source))
		}
	}
	if !l.known() {
		w.unresolved(o, o.call.Node, agentgraph.Unresolved{Node: true, From: []string{}, To: []string{}})
	}
	n.Deferred = truthy(w.eval(o.call.Arg("defer", -1), o.site)) == agentgraph.Yes
	for _, key := range []string{"retry", "retry_policy"} {
		if a := o.call.Arg(key, -1); a.Valid() && !a.Is("none") {
			n.Retry = true
			w.g.Ops.RetryPolicy = agentgraph.Places(append(w.g.Ops.RetryPolicy, placeOf(o.call.Node))...)
		}
	}
	if start := o.call.Arg("start", -1); start.Valid() && truthy(w.eval(start, o.site)) == agentgraph.Yes {
		defer w.edge(o, label{text: agentgraph.START}, l, agentgraph.Entry, nil)
	}
	if l.pattern && !l.known() && !slices.Contains(w.bare, l.over) {
		w.bare = append(w.bare, l.over)
	}
	if old := w.g.Node(l.text); old != nil {
		old.Guarded = old.Guarded && n.Guarded
		old.Several = old.Several || l.pattern && another(w.made[l.text], o)
		return
	}
	w.made[l.text] = o
	w.g.Nodes = append(w.g.Nodes, n)
}

// wrappedFunction looks through a function that is called by hand with another
// one: for traced(f) it returns f, when what traced returns calls what it was
// given. outer is what stands around f and works on what f returns, nil when
// all that stands around it hands that on.
func (w *wirer) wrappedFunction(n code.Node, s site, d *code.Definition) (inner, outer *code.Definition) {
	for range maxCalls {
		if v := w.eval(n, s); !n.Is("call") && v.Node.Is("call") {
			n = v.Node
		}
		c := w.p.Call(n.Unparen())
		if d == nil || c == nil || d.Parent == nil || c.Callee.Def != d.Parent {
			return d, outer
		}
		given, handsOn := w.innerOfWrapper(c, d)
		if !given.Valid() {
			return d, outer
		}
		next := callable(w.p, w.runs(given, s))
		if next == nil {
			return d, outer
		}
		if !handsOn && outer == nil {
			outer = d
		}
		n, d = given, next
	}
	return d, outer
}

// innerOfWrapper returns the argument of a wrapper that the function which it
// returns calls, and whether that function hands on what the call returns.
func (w *wirer) innerOfWrapper(c *code.Call, d *code.Definition) (given code.Node, handsOn bool) {
	args := w.p.Parameters(c)
	for _, p := range d.Parent.Params() {
		a, ok := args[p.Name]
		if !ok {
			continue
		}
		for m := range d.Body().Walk() {
			if m.Is("call") && m.Field("function").Text() == p.Name {
				return a, slices.ContainsFunc(d.ReturnValues(), func(v code.Node) bool { return handedOn(v, p.Name, d, 0) })
			}
		}
	}
	return code.Node{}, false
}

// handedOn reports whether an expression may be what the call of a name
// returns, or takes it in as a whole.
func handedOn(n code.Node, name string, d *code.Definition, depth int) bool {
	n = n.Unparen()
	some := func(parts ...code.Node) bool {
		return slices.ContainsFunc(parts, func(p code.Node) bool { return p.Valid() && handedOn(p, name, d, depth+1) })
	}
	switch {
	case depth > 2*maxCalls:
		return false
	case n.Is("call") && n.Field("function").Text() == name:
		return true
	case n.Is("call") && slices.Contains([]string{"dict", "cast", "Command", "wait_for"}, lastName(n.Field("function"))):
		return some(slices.Collect(n.Field("arguments").Children())...)
	case n.Is("await", "dictionary_splat"):
		return some(n.Child(0))
	case n.Is("keyword_argument"):
		return some(n.Field("value"))
	case n.Is("conditional_expression"):
		return some(n.Child(0), n.Child(2))
	case n.Is("boolean_operator", "binary_operator"):
		return some(n.Field("left"), n.Field("right"))
	case n.Is("dictionary"):
		return some(slices.DeleteFunc(slices.Collect(n.Children()), func(c code.Node) bool { return !c.Is("dictionary_splat") })...)
	case n.Is("identifier"):
		return some(assigned(d, n.Text(), n)...)
	default:
		return false
	}
}

// nestedIn returns the constructor of a graph that runs as a node.
func (w *wirer) nestedIn(n code.Node, s site) *agentgraph.Graph {
	if v := w.eval(n, s); v.Node.Valid() {
		n = v.Node
	}
	for _, f := range w.trace(n, s.fr) {
		if f.compiled {
			return &agentgraph.Graph{Builder: placeOf(f.ctor)}
		}
	}
	return nil
}

// runBy is the one graph that a function runs in its body.
func (w *wirer) runBy(d *code.Definition) *agentgraph.Graph {
	var out *agentgraph.Graph
	for _, c := range w.p.CallsIn(d) {
		if !slices.Contains([]string{"invoke", "ainvoke", "stream", "astream"}, c.Name) || !c.Receiver.Valid() || w.p.Dead(c.Node) {
			continue
		}
		for _, f := range w.trace(c.Receiver, nil) {
			at := placeOf(f.ctor)
			if !f.compiled || out != nil && out.Builder != at {
				return nil
			}
			out = &agentgraph.Graph{Builder: at}
		}
	}
	return out
}

// addSequence reads add_sequence([f, ("g", g)]).
func (w *wirer) addSequence(o operation) {
	list := given(o.call, 0, "nodes")
	v := w.eval(list, o.site)
	if v.Kind != code.ValueList && v.Kind != code.ValueTuple {
		w.unresolved(o, list, agentgraph.Unresolved{Node: true})
		return
	}
	var previous label
	for i, item := range v.Items {
		l := label{text: "*", pattern: true}
		n := item.Node
		if item.Kind == code.ValueTuple && len(item.Items) == 2 {
			l, n = w.labelOf(item.Items[0], item.Items[0].Node), item.Items[1].Node
		} else if f := w.runs(n, o.site); f.Def != nil {
			l = label{text: f.Def.Name}
		}
		w.node(o, l, n)
		if i > 0 {
			w.edge(o, previous, l, agentgraph.Plain, nil)
		}
		previous = l
	}
}
