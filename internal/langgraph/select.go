package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// selects says whether the argument of the Sends in a loop chooses whom the
// node plays: it has a key for the judge or persona, or the loop goes over the
// judges. A loop over something else, such as the criteria, leaves it Unknown.
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
		if slices.ContainsFunc(over, func(n code.Node) bool { return overJudges(n.Text()) || judgesNamed(r.p.Eval(n)) }) {
			return agentgraph.Yes
		}
	}
	return agentgraph.Unknown
}

// choosing reports whether the argument of a Send has a key that names the
// judge.
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
			if key, ok := r.p.Eval(m.Field("key")).Str(); ok && judgeKey(key) {
				return true
			}
		case m.Is("keyword_argument") && judgeKey(m.Field("name").Text()):
			return true
		}
	}
	return false
}

// judgeKey reports whether a key names one judge: "judge", "persona",
// "judge_name" and the like.
func judgeKey(key string) bool {
	ws := agentgraph.Words(key)
	return (slices.Contains(ws, "judge") || slices.Contains(ws, "persona")) &&
		!slices.ContainsFunc(ws, func(w string) bool {
			return !slices.Contains([]string{"judge", "persona", "name", "role", "id", "type", "current", "target", "active", "key"}, w)
		})
}

// overJudges reports whether what a loop goes over is called the judges or
// personas.
func overJudges(text string) bool {
	return slices.ContainsFunc(agentgraph.Words(text), func(w string) bool { return w == "judges" || w == "personas" })
}

// judgesNamed reports whether a value holds the names of two judges.
func judgesNamed(v code.Value) bool {
	seen := map[string]bool{}
	for _, i := range append(slices.Clone(v.Items), v.Keys...) {
		for _, part := range append([]code.Value{i}, i.Items...) {
			if text, ok := part.Str(); ok {
				for _, w := range agentgraph.Words(text) {
					if p := personaOf(w); p != "" {
						seen[p] = true
					}
				}
			}
		}
	}
	return len(seen) >= 2
}

// personaOf returns the judge that a word means, "" for none.
func personaOf(word string) string {
	switch {
	case strings.HasPrefix(word, "prosecut"):
		return "prosecutor"
	case strings.HasPrefix(word, "defense"), strings.HasPrefix(word, "defence"), strings.HasPrefix(word, "defend"):
		return "defense"
	case word == "tech", word == "techlead", word == "technical":
		return "tech lead"
	default:
		return ""
	}
}
