package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
)

// mappedFrames returns the ways in which a function runs that is mapped over
// something: list(map(lambda n: b.add_edge(n, "z"), names)). A map that nothing
// takes from never runs.
func (r *reader) mappedFrames(d *code.Definition) []*frame {
	uses := r.p.Uses(d)
	if d.Kind == code.DefLambda {
		uses = []code.Node{d.Node}
	}
	var out []*frame
	for _, use := range uses {
		list := use.Parent()
		over := list.Child(1)
		if !list.Is("argument_list") || list.Child(0) != use || !over.Valid() || list.Child(2).Valid() || !r.consumed(list.Parent()) {
			continue
		}
		items, ok := r.items(over, nil, 0)
		if v := r.p.Eval(over); !ok && slices.Contains([]code.ValueKind{code.ValueList, code.ValueTuple, code.ValueSet}, v.Kind) {
			items, ok = v.Items, true
		}
		if !ok || len(items) > maxTurns || len(d.Params()) != 1 {
			continue
		}
		for _, item := range items {
			out = append(out, &frame{call: list.Parent(), def: d, bind: code.Binding{d.Params()[0].Name: item}})
		}
	}
	return out
}

// consumed reports whether a call is map(...) and something goes through what
// it gives.
func (r *reader) consumed(call code.Node) bool {
	if !call.Is("call") || !r.p.Resolve(call.Field("function")).Matches("builtins.map") {
		return false
	}
	up := call.Parent()
	switch {
	case up.Is("argument_list") && up.Parent().Is("call"):
		return r.p.Resolve(up.Parent().Field("function")).Matches("builtins.list", "builtins.tuple", "builtins.set", "builtins.all", "builtins.any", "builtins.sum", "collections.deque")
	case up.Is("for_statement", "for_in_clause"):
		return call.FieldName() == "right"
	default:
		return up.Is("list_splat")
	}
}
