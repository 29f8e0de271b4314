package report

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// graphWords is a node in words: all that the drawing says of it.
type graphWords struct {
	Name, Role, Place, Link string
	Says                    []string
}

func (g *grapher) words(i int) graphWords {
	n := g.nodes[i]
	w := graphWords{Name: g.label(n.Name), Role: g.part(i), Place: line(n.At.String()), Link: linkTo(g.app, g.c, n.At)}
	if g.terminal(i) {
		w.Place, w.Link = "", ""
	}
	say := func(s string) { w.Says = append(w.Says, sentence(s)) }
	if n.Many {
		say("Runs once for each of several items")
	}
	if len(n.Waits) > 0 {
		say("Waits for all of " + g.labels(n.Waits))
	}
	g.leads(n.Name, say)
	if n.Doubt != "" {
		say("In doubt: " + line(n.Doubt))
	}
	if g.stranger(i) {
		say("Edges name it, and nothing adds it")
	}
	if list := g.defects[i]; len(list) > 0 {
		say("See " + numbers(list) + " above")
	}
	return w
}

func (g *grapher) labels(names []string) string {
	var out []string
	for _, n := range names[:min(len(names), mostDrawnNodes)] {
		out = append(out, g.label(n))
	}
	return strings.Join(out, ", ")
}

// leads says where a run goes on from a node, edges of one kind and decider
// together.
func (g *grapher) leads(name string, say func(string)) {
	type way struct {
		kind court.WireKind
		by   string
	}
	var order []way
	to := map[way][]string{}
	for _, i := range g.edges {
		e := g.Edges[i]
		if e.From != name {
			continue
		}
		k := way{e.Kind, line(e.By)}
		if to[k] == nil {
			order = append(order, k)
		}
		target := g.label(e.To)
		var more []string
		if e.Doubt != "" {
			more = append(more, line(e.Doubt))
		}
		if list := g.wrong[i]; len(list) > 0 {
			more = append(more, "see "+numbers(list)+" above")
		}
		if len(more) > 0 {
			target += " (" + strings.Join(more, "; ") + ")"
		}
		to[k] = append(to[k], target)
	}
	for _, k := range order {
		targets := strings.Join(to[k], ", ")
		switch k.kind {
		case court.WireAlways:
			say("Always goes on to " + targets)
		case court.WireSend:
			say(fmt.Sprintf("%s sends to %s", decider(k.by), targets))
		case court.WireNever:
			say(fmt.Sprintf("%s names, and never takes, %s", decider(k.by), targets))
		default:
			say(fmt.Sprintf("%s decides on %s", decider(k.by), targets))
		}
	}
}

func decider(by string) string {
	if by == "" {
		return "A router"
	}
	return "The router " + by
}
