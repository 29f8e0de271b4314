package script

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// Kinds of state types.
const (
	annotation agentgraph.Kind = "Annotation"
	zod        agentgraph.Kind = "zod object"
)

// state reads what a builder is given as state.
func (r *reader) state(n syntax.Node) *agentgraph.State {
	out := &agentgraph.State{Open: true, At: placeOf(n)}
	if s := entry(n, "stateSchema"); s.Valid() {
		n = s
	} else if s := entry(n, "state"); s.Valid() {
		n = s
	}
	if n.Is("name") {
		out.Name = n.Name()
	}
	if r.messages(n) {
		out.Kind, out.Open, out.Fields = annotation, false, []agentgraph.Field{messages(n)}
		return out
	}
	for range maxSteps {
		values := r.values(n)
		if len(values) != 1 {
			break
		}
		n = values[0]
	}
	full := r.called(n)
	switch {
	case strings.HasPrefix(full, library) && strings.HasSuffix(full, "Annotation.Root"):
		out.Kind = annotation
	case strings.HasPrefix(full, "zod") && strings.HasSuffix(full, ".object"):
		out.Kind = zod
	default:
		return out
	}
	out.At, out.Open = placeOf(n), false
	record := n.Nth("arg", 0)
	if !record.Is("record") {
		out.Open = true
	}
	for e := range record.Children() {
		switch v := e.Child("value"); {
		case e.Is("entry") && e.Name() != "":
			out.Fields = append(out.Fields, agentgraph.Field{Name: e.Name(), Type: v.Text(), Source: v, At: placeOf(e), Reducer: r.reducer(v, out.Kind)})
		case v.Is("member") && v.Name() == "spec" && r.messages(v.Child("object")): // ...MessagesAnnotation.spec
			out.Fields = append(out.Fields, messages(e))
		default:
			out.Open = true
		}
	}
	return out
}

// messages tells LangGraph's own state of messages.
func (r *reader) messages(n syntax.Node) bool {
	full := r.full(n)
	return strings.HasPrefix(full, library) && (strings.HasSuffix(full, ".MessagesAnnotation") || strings.HasSuffix(full, ".MessagesZodState"))
}

// messages is its field.
func messages(n syntax.Node) agentgraph.Field {
	return agentgraph.Field{Name: "messages", Type: "BaseMessage[]", Source: n, At: placeOf(n),
		Reducer: agentgraph.Reducer{Kind: agentgraph.ReducerCustom, Name: "messagesStateReducer", Merges: agentgraph.Yes, At: placeOf(n)}}
}

// reducer reads how a field takes several updates: Annotation({reducer}) or
// Annotation<T>, which the last update wins.
func (r *reader) reducer(v syntax.Node, kind agentgraph.Kind) agentgraph.Reducer {
	f := entry(v.Nth("arg", 0), "reducer")
	if !f.Valid() {
		f = entry(v.Nth("arg", 0), "value")
	}
	switch {
	case !f.Valid() && kind == annotation && (v.Is("call") && (v.Nth("arg", 0).Is("record") || !v.Nth("arg", 0).Valid()) || strings.HasSuffix(r.full(v), ".Annotation")):
		return agentgraph.Reducer{Kind: agentgraph.ReducerNone, At: placeOf(v)}
	case !f.Valid() && !strings.Contains(v.Text(), "reducer") && kind == zod && !strings.Contains(v.Text(), "langgraph"):
		return agentgraph.Reducer{Kind: agentgraph.ReducerNone, At: placeOf(v)}
	case !f.Valid():
		return agentgraph.Reducer{At: placeOf(v)}
	}
	out := agentgraph.Reducer{Kind: agentgraph.ReducerCustom, Name: f.Name(), Func: r.full(f), At: placeOf(v)}
	if strings.HasSuffix(out.Func, "essagesStateReducer") {
		out.Merges = agentgraph.Yes
		return out
	}
	out.Merges = r.bodies.Merges(r.lowered(r.function(f, 0)))
	return out
}

// writes reads what the nodes return: literals with known keys, the state with
// more beside it, and the update of a Command. Anything else leaves the node
// opaque.
func (r *reader) writes(g *agentgraph.Graph) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		f, _ := n.Source.(syntax.Node)
		values := returned(f)
		n.Opaque = n.Nested == nil && (n.Source == nil || !f.Child("body").Valid())
		for _, v := range values {
			r.update(g, n, f, v)
		}
	}
	slices.SortStableFunc(g.Writes, func(a, b agentgraph.Write) int {
		if c := strings.Compare(a.Node, b.Node); c != 0 {
			return c
		}
		if c := strings.Compare(a.Key, b.Key); c != 0 {
			return c
		}
		return a.At.Compare(b.At)
	})
}

// update reads one value that a node returns.
func (r *reader) update(g *agentgraph.Graph, n *agentgraph.Node, f, v syntax.Node) {
	if v.Is("call") && r.is(v, "Command") {
		if record := v.Nth("arg", 0); !record.Is("record") {
			n.Opaque = true
		} else if u := entry(record, "update"); u.Valid() {
			r.update(g, n, f, u)
		}
		return
	}
	if !v.Valid() || v.Is("nil") {
		return
	}
	if !v.Is("record") {
		n.Opaque = true
		return
	}
	state := f.Nth("param", 0).Name()
	var whole *agentgraph.Write
	var beside []string
	for e := range v.Children() {
		switch {
		case e.Is("entry") && e.Name() != "":
			value := e.Child("value")
			children := 0
			for range value.Children() {
				children++
			}
			g.Writes = append(g.Writes, agentgraph.Write{Node: n.Name, Key: e.Name(), Source: value, At: placeOf(e),
				Empty: value.Is("nil") || value.Is("list", "record") && children == 0, List: value.Is("list")})
			beside = append(beside, e.Name())
		case e.Is("unary") && e.Child("value").Is("name") && e.Child("value").Name() == state && state != "":
			whole = &agentgraph.Write{Node: n.Name, Whole: true, Source: e, At: placeOf(e)}
		default:
			n.Opaque = true
		}
	}
	if whole != nil {
		whole.Beside = beside
		g.Writes = append(g.Writes, *whole)
	}
}

// is tells a call of a class of LangGraph.
func (r *reader) is(call syntax.Node, name string) bool {
	full := r.called(call)
	return strings.HasPrefix(full, library) && strings.HasSuffix(full, "."+name)
}
