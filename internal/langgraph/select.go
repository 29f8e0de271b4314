package langgraph

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// selects says whether the argument of a Send in a loop chooses whom the node
// plays: the argument, or what the loop goes over, names judges or detectives.
// A loop over something else, such as the criteria, leaves it Unknown.
func (r *router) selects(body, loop code.Node, s site) Truth {
	if partWords(body.Text()) {
		return Yes
	}
	for l := loop; l.Valid(); l = l.Parent() {
		if l.Is("function_definition", "lambda", "module") {
			break
		}
		if !loops(l) {
			continue
		}
		for c := range l.Children() {
			over := c.Field("right")
			if l.Is("for_statement") {
				over = l.Field("right")
			}
			if over.Valid() && (partWords(over.Text()) || r.partValues(r.eval(over, s))) {
				return Yes
			}
		}
	}
	return Unknown
}

// partWords reports whether a text names a part that is played: persona,
// judge, role, or one of the judges.
func partWords(text string) bool {
	for _, w := range words(text) {
		if w == "persona" || w == "personas" || w == "judge" || w == "judges" || w == "role" || w == "roles" || personaOf(w) != "" {
			return true
		}
	}
	return false
}

// partValues reports whether a value holds the names of two judges.
func (r *router) partValues(v code.Value) bool {
	seen := map[string]bool{}
	for _, i := range append(v.Items, v.Keys...) {
		if text, ok := i.Str(); ok {
			for _, w := range words(text) {
				if p := personaOf(w); p != "" {
					seen[p] = true
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
