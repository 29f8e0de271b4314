package langgraph

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// annotatedField takes an annotation apart: the type without Annotated, and
// the reducer in it.
func (r *reader) annotatedField(n code.Node) (string, agentgraph.Reducer) {
	return r.annotatedAt(n, 0)
}

func (r *reader) annotatedAt(n code.Node, depth int) (string, agentgraph.Reducer) {
	for n.Is("type", "parenthesized_expression") {
		n = n.Child(0)
	}
	none := agentgraph.Reducer{Kind: agentgraph.ReducerNone}
	if !n.Valid() || depth > 2*maxCalls {
		return "", none
	}
	if n.Is("string") {
		return r.quoted(n)
	}
	if n.Is("identifier", "attribute") {
		s := r.p.Resolve(n)
		if s.Def == nil && s.Module == nil && !s.Instance && s.Node.Valid() && s.Node != n {
			if text, reducer := r.annotatedAt(s.Node, depth+1); reducer.Kind != agentgraph.ReducerNone {
				return text, reducer
			}
		}
		return n.Text(), none
	}
	if n.Is("type_alias_statement") {
		return r.annotatedAt(n.Field("right"), depth+1)
	}
	if !n.Is("subscript", "generic_type") {
		return n.Text(), none
	}
	head, args := typeParts(n)
	switch lastName(head) {
	case "Required", "NotRequired", "ReadOnly", "Optional", "Final", "ClassVar":
		if len(args) > 0 {
			if text, reducer := r.annotatedAt(args[0], depth+1); reducer.Kind != agentgraph.ReducerNone {
				return text, reducer
			}
		}
		return n.Text(), none
	case "Annotated":
		if len(args) == 0 {
			return n.Text(), none
		}
		text, inner := r.annotatedAt(args[0], depth+1)
		for i := len(args) - 1; i > 0; i-- {
			if reducer, ok := r.reducer(args[i]); ok {
				return text, reducer
			}
		}
		return text, inner
	}
	return n.Text(), none
}

// quoted reads an annotation that is written as a string.
func (r *reader) quoted(n code.Node) (string, agentgraph.Reducer) {
	none := agentgraph.Reducer{Kind: agentgraph.ReducerNone}
	text, ok := n.Literal()
	if !ok {
		return n.Text(), agentgraph.Reducer{}
	}
	_, list, annotated := strings.Cut(text, "Annotated[")
	if !annotated {
		return text, none
	}
	parts := topLevel(strings.TrimSuffix(strings.TrimSpace(list), "]"))
	for k := len(parts) - 1; k > 0; k-- {
		if s := r.p.ResolveName(parts[k], n); s.Known() {
			return parts[0], r.named(s, parts[k])
		}
	}
	return parts[0], agentgraph.Reducer{}
}

// topLevel splits a text at the commas outside brackets.
func topLevel(text string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// reducer reads one piece of metadata of Annotated; ok is false when it is
// nothing that reduces, such as a description.
func (r *reader) reducer(n code.Node) (agentgraph.Reducer, bool) {
	n = n.Unparen()
	switch n.Kind() {
	case "lambda":
		d := r.p.Definition(n)
		return agentgraph.Reducer{Kind: agentgraph.ReducerCustom, Name: "<lambda>", Func: r.p.Resolve(n).Qualified, Merges: r.bodies.Merges(r.p.Body(d))}, true
	case "string", "concatenated_string", "integer", "float", "none", "true", "false", "ellipsis", "list", "dictionary", "tuple":
		return agentgraph.Reducer{}, false
	case "call":
		return r.channel(n)
	}
	s := r.p.Resolve(n)
	if s.Instance && s.Def == nil && s.Node.Is("call") {
		return r.channel(s.Node)
	}
	if !s.Known() {
		return agentgraph.Reducer{Name: n.Text(), Func: s.Qualified}, true
	}
	return r.named(s, n.Text()), true
}

// named reads a reducer that is a function.
func (r *reader) named(s intree.Symbol, text string) agentgraph.Reducer {
	out := agentgraph.Reducer{Kind: agentgraph.ReducerCustom, Func: s.Qualified}
	switch {
	case s.Matches("operator.ior", "_operator.ior", "operator.__ior__"):
		return agentgraph.Reducer{Kind: agentgraph.ReducerIor, Func: s.Qualified, Merges: agentgraph.Yes}
	case s.Matches("operator.add", "_operator.add", "operator.__add__"):
		return agentgraph.Reducer{Kind: agentgraph.ReducerAdd, Func: s.Qualified, Merges: agentgraph.Yes}
	case s.Def != nil:
		out.Name = s.Def.Name
		out.Merges = r.bodies.Merges(r.p.Body(callable(r.p, s)))
	case s.Matches("operator.*", "langgraph.*"):
		out.Name, out.Merges = strings.TrimPrefix(s.Qualified, "_"), agentgraph.Yes
		if s.Matches("langgraph.*") {
			out.Name = s.Qualified[strings.LastIndex(s.Qualified, ".")+1:]
		}
	default:
		out.Name = text
	}
	return out
}

// channel reads metadata that is a call: a channel object with an operator, a
// partial, or a function that makes the reducer. A description such as
// Field(...) is none.
func (r *reader) channel(n code.Node) (agentgraph.Reducer, bool) {
	c := r.p.Call(n)
	if c == nil {
		return agentgraph.Reducer{}, false
	}
	if c.Callee.Matches("langgraph.*") {
		out := agentgraph.Reducer{Kind: agentgraph.ReducerCustom, Name: c.Name, Func: c.Callee.Qualified}
		if c.Name == "BinaryOperatorAggregate" {
			op := c.Arg("operator", 1)
			if inner, ok := r.reducer(op); ok {
				out.Func, out.Merges = inner.Func, inner.Merges
				out.Name = inner.Name
				if inner.Kind == agentgraph.ReducerIor || inner.Kind == agentgraph.ReducerAdd {
					out.Name = string(inner.Kind)
				}
			}
		}
		return out, true
	}
	if c.Callee.Matches("pydantic.*", "typing.*", "annotated_types.*", "msgspec.*", "fastapi.*") {
		return agentgraph.Reducer{}, false
	}
	s := r.p.Resolve(n)
	if d := callable(r.p, s); d != nil {
		return agentgraph.Reducer{Kind: agentgraph.ReducerCustom, Name: d.Name, Func: s.Qualified, Merges: r.bodies.Merges(r.p.Body(d))}, true
	}
	if !c.Callee.Known() || !s.Known() {
		return agentgraph.Reducer{Name: c.Name, Func: s.Qualified}, true
	}
	return agentgraph.Reducer{Kind: agentgraph.ReducerCustom, Name: c.Name, Func: s.Qualified}, true
}
