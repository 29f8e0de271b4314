package cli

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
)

// found is a submission's graph as a drawing. Its terminals are spelled alike
// everywhere.
func found(w *court.Wiring) graph.Drawing {
	d := graph.Drawing{Name: fmt.Sprintf("%s:%d", w.At.Path, w.At.Line)}
	for _, n := range w.Nodes {
		d.Nodes = append(d.Nodes, graph.DrawnNode{Name: n.Name, Map: n.Many, Waits: n.Waits})
	}
	for _, e := range w.Edges {
		label := map[court.WireKind]string{court.WireRoute: "route", court.WireSend: "send", court.WireNever: "never taken"}[e.Kind]
		d.Edges = append(d.Edges, graph.DrawnEdge{From: e.From, To: e.To, Branch: label})
	}
	return d
}

// markLines tells what is wrong with a graph and what could not be read of it,
// one line each.
func markLines(w *court.Wiring) []string {
	var out []string
	for _, m := range append(append([]court.Mark{}, w.Defects...), w.Unread...) {
		out = append(out, court.Clean(m.What+": "+m.Text+places(m.At), 300))
	}
	return out
}

func places(at []court.Place) string {
	var out []string
	for _, p := range at {
		out = append(out, fmt.Sprintf("%s:%d", p.Path, p.Line))
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}
