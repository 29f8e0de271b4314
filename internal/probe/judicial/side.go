package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
)

// side says what the truth of a test tells of the model.
type side int

const (
	neither side = iota
	with         // there is a key, or a model
	without      // there is none, or none is to be asked
)

func (s side) opposite() side { return [...]side{neither: neither, with: without, without: with}[s] }

// sideOf reads a test about a key or a model; where switches count, also one
// about a setting by which the user does without.
func sideOf(n code.Node, switches bool) side {
	n = n.Unparen()
	switch n.Kind() {
	case "not_operator":
		return sideOf(n.Field("argument"), switches).opposite()
	case "boolean_operator":
		l, r := sideOf(n.Field("left"), switches), sideOf(n.Field("right"), switches)
		strong, weak := with, without // one key that is there is enough, whatever others are not
		if n.Field("operator").Text() == "or" {
			strong, weak = without, with
		}
		switch {
		case l == strong || r == strong:
			return strong
		case l == weak || r == weak:
			return weak
		}
		return neither
	case "comparison_operator":
		return comparedSide(n, switches)
	}
	return namedSide(n, switches)
}

// comparedSide reads key is None, "KEY" in os.environ, mode == "offline".
func comparedSide(n code.Node, switches bool) side {
	ops := n.Fields("operators")
	if len(ops) != 1 {
		return neither
	}
	s := namedSide(n, switches)
	empty := false
	for c := range n.Children() {
		text, ok := c.Literal()
		empty = empty || c.Is("none", "false") || ok && has([]string{text}, "", "0", "false", "False", "none")
	}
	switch ops[0].Text() {
	case "is", "==":
		if empty {
			s = s.opposite()
		}
	case "is not", "!=":
		if !empty {
			s = s.opposite()
		}
	case "in", "not in":
		if _, ok := n.Child(0).Literal(); !ok {
			return neither
		}
		if ops[0].Text() == "not in" {
			s = s.opposite()
		}
	default:
		return neither
	}
	return s
}

// namedSide reads the names in a test.
func namedSide(n code.Node, switches bool) side {
	found := neither
	for x := range n.Walk() {
		if !x.Is("string_content", "identifier") {
			continue
		}
		ws := split(x.Text())
		if off(ws) {
			if switches {
				return without
			}
			return neither
		}
		if has(ws, "key", "keys", "llm", "token", "apikey") || len(ws) == 1 && has(ws, "model", "client") {
			found = with
		}
	}
	return found
}

// off recognises the name of a setting by which no model is asked.
func off(ws []string) bool {
	if has(ws, "offline", "mock", "mocked") {
		return true
	}
	for i := 1; i < len(ws); i++ {
		if has(ws[i-1:i], "no", "without", "skip", "disable", "disabled") && has(ws[i:i+1], "llm", "llms", "model") || ws[i-1] == "dry" && ws[i] == "run" {
			return true
		}
	}
	return false
}

// elseBranch is the else branch that an if or elif belongs to.
func elseBranch(n code.Node) code.Node {
	if n.Is("elif_clause") {
		n = n.Parent()
	}
	for _, a := range n.Fields("alternative") {
		if a.Is("else_clause") {
			return a
		}
	}
	return code.Node{}
}
