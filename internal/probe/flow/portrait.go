package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// What a record shows of a graph at most: as much as one picture can.
const (
	mostNodes = 60
	mostEdges = 200
	mostMarks = 50

	mostPlaces = 6 // of a mark
)

// maxNodeName and maxMark bound the texts of a portrait, in runes.
const (
	maxNodeName = 120
	maxMark     = 200
)

// Portrait is the graph that the submission's program runs, for readers: whole,
// or as much of it as a record shows. Without a graph it says what was looked
// for. An error means that nothing could be looked at.
func Portrait(ctx context.Context, s *probe.Scene, whole bool) (*court.Wiring, error) {
	r, err := readGraph(ctx, s)
	if u, ok := errors.AsType[*probe.Unable](err); ok {
		return lacking(u.Why), nil
	}
	if err != nil {
		return nil, err
	}
	if r.Main == nil {
		return lacking(r.noGraph().Rationale), nil
	}
	p := &painter{Scene: s, graph: r.Main, names: map[string]string{}}
	p.paint()
	if !whole {
		p.bound()
	}
	return &p.wiring, nil
}

func lacking(why string) *court.Wiring {
	return &court.Wiring{Lacking: court.Clean(probe.Mask(why), maxMark), Nodes: []court.WiredNode{}, Edges: []court.WiredEdge{}, Defects: []court.Mark{}, Unread: []court.Mark{}}
}

// painter makes the portrait of one graph.
type painter struct {
	*probe.Scene
	graph  *agentgraph.Graph
	wiring court.Wiring
	names  map[string]string // as the portrait has them, by the graph's own
}

func (p *painter) paint() {
	w := lacking("")
	w.At = p.spot(p.graph.Builder)
	p.wiring = *w
	for _, n := range p.graph.Nodes {
		p.name(n.Name)
	}
	for i := range p.graph.Nodes {
		p.node(&p.graph.Nodes[i])
	}
	for _, e := range p.graph.Edges {
		p.wiring.Edges = append(p.wiring.Edges, court.WiredEdge{From: p.name(e.From), To: p.name(e.To), Kind: court.WireAlways, At: p.spot(e.At), Doubt: conditional(e.Guarded)})
	}
	for i := range p.graph.Routes {
		p.route(&p.graph.Routes[i])
	}
	p.defects()
	for _, u := range p.graph.Unresolved {
		expr := u.Text()
		p.wiring.Unread = append(p.wiring.Unread, court.Mark{What: "could not be resolved", Text: text(expr), At: p.spots(u.At)})
	}
}

// name is a node's name as it is shown: no key, no control character, bounded,
// and no other node's.
func (p *painter) name(raw string) string {
	if shown, ok := p.names[raw]; ok || raw == "" {
		return shown
	}
	base := court.Clean(probe.Mask(raw), maxNodeName)
	shown := base
	for n := 2; p.taken(shown); n++ {
		shown = fmt.Sprintf("%s (%d)", base, n)
	}
	p.names[raw] = shown
	return shown
}

func (p *painter) taken(shown string) bool {
	for _, other := range p.names {
		if other == shown {
			return true
		}
	}
	return false
}

func (p *painter) all(raw []string) (out []string) {
	for _, n := range raw {
		out = append(out, p.name(n))
	}
	return out
}

func (p *painter) spots(in ...agentgraph.Place) []court.Place { return p.Located(facts.At(in...)...) }

func (p *painter) spot(in agentgraph.Place) court.Place {
	if list := p.spots(in); len(list) > 0 {
		return list[0]
	}
	return court.Place{}
}

func text(s string) string { return court.Clean(probe.Mask(s), maxMark) }

func conditional(guarded bool) string {
	if guarded {
		return "it is added under a condition"
	}
	return ""
}

// node shows a node where its function is defined, else where it is added.
func (p *painter) node(n *agentgraph.Node) {
	out := court.WiredNode{Name: p.name(n.Name), Role: string(n.Role), Many: n.Many, At: p.spot(n.At), Doubt: p.doubt(n)}
	if n.Source != nil {
		out.At = p.spot(agentgraph.Place{Path: n.Body.Path, Line: n.Body.Line, End: n.Body.Line})
	}
	for _, e := range p.graph.Edges {
		if e.Kind == agentgraph.Barrier && e.To == n.Name {
			out.Waits = p.all(e.Sources)
		}
	}
	p.wiring.Nodes = append(p.wiring.Nodes, out)
}

// doubt says why a node may not be there, or not as it is shown.
func (p *painter) doubt(n *agentgraph.Node) string {
	if n.Pattern {
		return "its name is known in part only: it may stand for several nodes"
	}
	if n.Guarded {
		return conditional(true)
	}
	if r := p.graph.Reachable(n.Name); r.Value == agentgraph.Unknown {
		return text("whether it runs is not known: " + r.Reason)
	}
	for _, u := range p.graph.Unresolved {
		if slices.Contains(u.From, n.Name) {
			return "not all that follows it could be resolved"
		}
	}
	return ""
}

func (p *painter) route(r *agentgraph.Route) {
	by := ""
	switch {
	case r.Kind == agentgraph.Command:
		by = "Command"
	case r.Source != nil:
		by = court.Clean(probe.Mask(r.Router), maxNodeName)
	}
	for _, t := range r.Targets {
		e := court.WiredEdge{From: p.name(r.From), To: p.name(t.Name), Kind: court.WireRoute, By: by, At: p.spot(r.At), Doubt: conditional(r.Guarded)}
		switch {
		case t.Dead:
			e.Kind = court.WireNever
		case t.Send:
			e.Kind = court.WireSend
		}
		p.wiring.Edges = append(p.wiring.Edges, e)
	}
}

// defects are what the analyses find, with the edges that each is about.
func (p *painter) defects() {
	type pick func(e court.WiredEdge, nodes []string) bool
	never := func(court.WiredEdge, []string) bool { return false }
	into := func(e court.WiredEdge, nodes []string) bool {
		return len(nodes) > 1 && e.To == nodes[0] && slices.Contains(nodes[1:], e.From)
	}
	out := func(kinds ...court.WireKind) pick {
		return func(e court.WiredEdge, nodes []string) bool {
			return len(nodes) > 1 && e.From == nodes[0] && slices.Contains(nodes[1:], e.To) && slices.Contains(kinds, e.Kind)
		}
	}
	round := func(e court.WiredEdge, nodes []string) bool {
		for i, n := range nodes {
			if e.From == n && e.To == nodes[(i+1)%len(nodes)] && e.Kind != court.WireNever {
				return true
			}
		}
		return false
	}
	for _, f := range []struct {
		what   string
		answer agentgraph.Answer
		about  pick
		all    bool // it is about all nodes that it names, not the first alone
	}{
		{"never runs", p.graph.Unreachable(), never, false},
		{"bypassed or decorative route", p.graph.Decorative(), out(court.WireRoute, court.WireSend), false},
		{"target never taken", p.graph.DeadTargets(), out(court.WireNever), false},
		{"runs more than once", p.graph.DoubleTrigger(), into, false},
		{"join that never fires", p.graph.StarvedJoin(), into, false},
		{"loop without a bound", p.graph.UnboundedLoops(), round, true},
		{"parallel only on paper", p.graph.HiddenSequence(), never, true},
	} {
		if f.answer.Value != agentgraph.Yes {
			continue
		}
		for _, it := range f.answer.Items {
			m := court.Mark{What: f.what, Text: text(it.Reason), Nodes: p.all(it.Nodes), At: p.spots(it.At...)}
			for i, e := range p.wiring.Edges {
				if f.about(e, m.Nodes) {
					m.Edges = append(m.Edges, i)
				}
			}
			if !f.all {
				m.Nodes = m.Nodes[:min(1, len(m.Nodes))]
			}
			p.wiring.Defects = append(p.wiring.Defects, m)
		}
	}
}
