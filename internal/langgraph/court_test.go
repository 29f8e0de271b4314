package langgraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/facts"
)

// TestCourts asks every analysis of whole programs.
func TestCourts(t *testing.T) { fixtures(t, "courts", answers) }

// answers writes the roles of the main graph and what every analysis says.
func answers(r *agentgraph.Reading) string {
	var b strings.Builder
	fmt.Fprintf(&b, "graphs %d\n", len(r.Graphs))
	g := r.Main
	if g == nil {
		return b.String()
	}
	fmt.Fprintf(&b, "main %s:%d %s%s\n", g.Builder.Path, g.Builder.Line, g.Provenance, flags("live", g.Live, "compiled", g.Compiled, "invoked", g.Invoked))
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "%s %s%s", n.Role, n.Name, flags("many", n.Many, "opaque", n.Opaque))
		for _, in := range n.Inner {
			fmt.Fprintf(&b, " runs %s %v%s", in.Role, in.Names, flags("concurrently", in.Concurrent))
		}
		b.WriteString("\n")
	}
	for _, a := range []struct {
		name string
		ask  func() agentgraph.Answer
	}{
		{"detectives parallel", func() agentgraph.Answer { return g.RunTogether(facts.Detective) }}, {"fan-in", func() agentgraph.Answer { return g.Join(facts.Detective) }},
		{"judges present", func() agentgraph.Answer { return g.Present(facts.Judge) }}, {"judges parallel", func() agentgraph.Answer { return g.RunTogether(facts.Judge) }}, {"judges join", func() agentgraph.Answer { return g.Join(facts.Judge) }},
		{"chief present", func() agentgraph.Answer { return g.Present(facts.Chief) }}, {"routes", g.HasRoutes}, {"linear", g.Linear},
		{"detectives in sequence", func() agentgraph.Answer { return g.Sequence(facts.Detective) }},
		{"judges in sequence", func() agentgraph.Answer { return g.Sequence(facts.Judge) }},
		{"detectives inside", func() agentgraph.Answer { return g.InsideNode(facts.Detective) }},
		{"unreachable", g.Unreachable}, {"decorative", g.Decorative}, {"dead targets", g.DeadTargets},
		{"double trigger", g.DoubleTrigger}, {"starved join", g.StarvedJoin}, {"unbounded loops", g.UnboundedLoops},
		{"hidden sequence", g.HiddenSequence}, {"undeclared", g.Undeclared}, {"whole state", g.WholeState}, {"lost updates", g.LostUpdates},
	} {
		fmt.Fprintf(&b, "%s: %s\n", a.name, said(a.ask()))
	}
	routes, complete := g.ErrorRoutes()
	for _, e := range routes {
		fmt.Fprintf(&b, "error route %s covers %v%s", agentgraph.Label(e.Route.From), e.Covers, flags("partly", !complete))
		for _, i := range e.Bypass {
			fmt.Fprintf(&b, " bypassed %v", i.Nodes)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "width %d\n", g.Width())
	return b.String()
}

// said writes an answer in one line: its value and the nodes of its items.
func said(a agentgraph.Answer) string {
	out := a.Value.String()
	if a.Value != agentgraph.Yes {
		return out
	}
	for _, i := range a.Items {
		var names []string
		for _, n := range i.Nodes {
			names = append(names, agentgraph.Label(n))
		}
		out += " " + fmt.Sprint(names)
	}
	return out
}
