package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// selects says whether the argument of the Sends in a loop chooses whom the
// node plays: it has a key for one reviewer, or the loop goes over the
// reviewers. A loop over something else leaves it Unknown.
func (r *router) selects(body, loop code.Node) agentgraph.Truth {
	for n := range body.Walk() {
		if n.Is("call") && r.isSend(n) && r.choosing(n.Field("arguments").Child(1), 0) {
			return agentgraph.Yes
		}
	}
	for l := loop; l.Valid() && !l.Is("function_definition", "lambda", "module"); l = l.Parent() {
		if !loops(l) {
			continue
		}
		over := []code.Node{iterated(l)}
		for c := range l.Children() {
			if c.Is("for_in_clause") {
				over = append(over, c.Field("right"))
			}
		}
		if slices.ContainsFunc(over, func(n code.Node) bool { return r.words.NamesAll(n.Text()) || r.twoNamed(r.p.Eval(n)) }) {
			return agentgraph.Yes
		}
	}
	return agentgraph.Unknown
}

// choosing reports whether the argument of a Send has a key that names one
// reviewer.
func (r *router) choosing(n code.Node, depth int) bool {
	if depth > 2 || !n.Valid() {
		return false
	}
	if n.Is("identifier") {
		d := r.p.Enclosing(n)
		return d != nil && slices.ContainsFunc(assigned(d, n.Text(), n), func(v code.Node) bool { return r.choosing(v, depth+1) })
	}
	for m := range n.Walk() {
		switch {
		case m.Is("pair"):
			if key, ok := r.p.Eval(m.Field("key")).Str(); ok && r.words.ChoosesOne(key) {
				return true
			}
		case m.Is("keyword_argument") && r.words.ChoosesOne(m.Field("name").Text()):
			return true
		}
	}
	return false
}

// twoNamed reports whether a value holds the names of two reviewers.
func (r *reader) twoNamed(v code.Value) bool {
	seen := map[string]bool{}
	for _, i := range append(slices.Clone(v.Items), v.Keys...) {
		for _, x := range append([]code.Value{i}, i.Items...) {
			if text, ok := x.Str(); ok {
				for _, part := range r.words.PartsIn(text, r.words.Reviewers) {
					seen[part] = true
				}
			}
		}
	}
	return len(seen) >= 2
}
