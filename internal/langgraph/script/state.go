package script

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
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

// writes reads what the nodes return.
func (r *reader) writes(g *agentgraph.Graph) {
	r.bodies.Write(g, body.State{}, func(n *agentgraph.Node) *il.Function {
		f, _ := n.Source.(syntax.Node)
		return r.lowered(f)
	})
}

// place is where a key stands in what a stretch of a file writes.
func (r *reader) place(path string, at il.Span, key string) agentgraph.Place {
	for e := range r.p.File(path).At(int(at.From), int(at.To), "record").Children() {
		if e.Is("entry") && e.Name() == key || e.Is("unary") && key == "**" {
			return placeOf(e)
		}
	}
	return agentgraph.Place{}
}
