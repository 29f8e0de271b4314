package agentgraph

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sketch makes a graph from lines, for tests of the analyses:
//
//	a -> b c        plain edges
//	a+b => c        a barrier
//	a ? b | c&d     a route with its outcomes
//	a ?? b c        a route whose router was not read
//	a * b           many Sends whose argument selects; "*?" when that is unknown
//	a ! b           b is mapped but dead (after the route's own line)
//	unresolved a b  wiring that may lead from a to b; "_" is any
//	defer a         a node that waits
//
// Roles follow from the names.
func sketch(t testing.TB, text string) *Graph {
	t.Helper()
	g := &Graph{words: courtroom(t)}
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		at := Place{Path: "g.py", Line: n + 1, End: n + 1}
		switch {
		case words[0] == "unresolved":
			g.Unresolved = append(g.Unresolved, Unresolved{Expr: "?x@g.py:1", From: anyOf(words[1]), To: anyOf(words[2]), At: at})
		case words[0] == "defer":
			sketchNode(g, words[1]).Deferred = true
		case len(words) < 3:
			t.Fatalf("line %q", line)
		default:
			sketchLine(t, g, words, at)
		}
	}
	return g
}

func anyOf(word string) []string {
	if word == "_" {
		return nil
	}
	return []string{terminal(word)}
}

func sketchLine(t testing.TB, g *Graph, words []string, at Place) {
	t.Helper()
	from := terminal(words[0])
	switch words[1] {
	case "->":
		for _, to := range words[2:] {
			g.Edges = append(g.Edges, Edge{From: sketchName(g, from), To: sketchName(g, to), At: at})
		}
	case "=>":
		sources := strings.Split(words[0], "+")
		for _, s := range sources {
			g.Edges = append(g.Edges, Edge{From: sketchName(g, s), To: sketchName(g, words[2]), Kind: Barrier, Sources: sources, At: at})
		}
	case "?", "??":
		r := Route{From: sketchName(g, from), Complete: words[1] == "?", At: at}
		for _, outcome := range words[2:] {
			if outcome == "|" {
				continue
			}
			var set []string
			for to := range strings.SplitSeq(outcome, "&") {
				set = append(set, sketchName(g, to))
				if !slices.ContainsFunc(r.Targets, func(t Target) bool { return t.Name == terminal(to) }) {
					r.Targets = append(r.Targets, Target{Name: terminal(to)})
				}
			}
			if r.Complete {
				r.Outcomes = append(r.Outcomes, set)
			}
		}
		g.Routes = append(g.Routes, r)
	case "*", "*?":
		selects := Yes
		if words[1] == "*?" {
			selects = Unknown
		}
		to := sketchName(g, words[2])
		g.Routes = append(g.Routes, Route{From: sketchName(g, from), Complete: true, At: at, Outcomes: [][]string{{to}},
			Targets: []Target{{Name: to, Send: true, Many: true, Selects: selects}}})
	case "!":
		r := &g.Routes[len(g.Routes)-1]
		r.Mapped = true
		r.Targets = append(r.Targets, Target{Name: sketchName(g, words[2]), Dead: true})
	default:
		t.Fatalf("arrow %q", words[1])
	}
}

func terminal(word string) string {
	switch word {
	case "START":
		return START
	case "END":
		return END
	}
	return word
}

func sketchName(g *Graph, word string) string {
	name := terminal(word)
	if name != START && name != END {
		sketchNode(g, name)
	}
	return name
}

func sketchNode(g *Graph, name string) *Node {
	if n := g.Node(name); n != nil {
		return n
	}
	role := RoleOther
	for prefix, r := range map[string]Role{
		"repo": detective, "doc": detective, "vision": detective, "agg": RoleAggregator,
		"prosecutor": judge, "defense": judge, "tech": judge, "judge": judge,
		"chief": chief, "handler": RoleHandler, "tie": RoleUnknown,
	} {
		if strings.HasPrefix(name, prefix) {
			role = r
		}
	}
	g.Nodes = append(g.Nodes, Node{Name: name, Role: role, Pattern: strings.Contains(name, "*"), Many: strings.Contains(name, "*")})
	return g.Node(name)
}

// said writes an answer in one line: its value and the nodes of its items.
func said(a Answer) string {
	out := []string{a.Value.String()}
	if a.Value != Yes {
		return out[0]
	}
	for _, i := range a.Items {
		var names []string
		for _, n := range i.Nodes {
			names = append(names, Label(n))
		}
		out = append(out, fmt.Sprint(names))
	}
	return strings.Join(out, " ")
}

// slicesSortNodes puts the nodes in the order that Read gives them.
func slicesSortNodes(g *Graph) {
	slices.SortFunc(g.Nodes, func(a, b Node) int { return strings.Compare(a.Name, b.Name) })
}
