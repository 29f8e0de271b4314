package flow

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var graphWired = probe.Probe{
	ID: "graph.wired", Version: "1", Target: court.GithubRepo,
	Title:  "A node of the graph plays the role",
	Doc:    "Looks for nodes of the role, or one node that runs the judges in its body. Functions and classes that carry the role's name but are not a node speak against it.",
	Remedy: "Add the written function to the graph as a node, with edges in and out.", Effort: 20,
	Args: []probe.Arg{{Name: "role", Type: "string", Allowed: []string{"judges", "chief"}, Default: "judges", Doc: "which role"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		r, err := readGraph(ctx, s)
		if err != nil {
			return nil, err
		}
		words := []string{"prosecutor", "defense", "defence", "tech_lead", "techlead"}
		if a.String("role") == "chief" {
			words = []string{"chief_justice", "chiefjustice"}
		}
		if r.Main != nil {
			role := facts.Judge
			if a.String("role") == "chief" {
				role = facts.Chief
			}
			switch plays := r.Plays(role); plays.Answer {
			case agentgraph.Yes:
				f := probe.Present(court.AST, plays.At, "The graph runs these as nodes: %s.", names(plays.Value))
				return []probe.Finding{r.hollowed(role, f)}, nil
			case agentgraph.Unknown:
				return []probe.Finding{unsettled(plays.At, plays.Why.Text)}, nil
			default: // not wired; perhaps written
			}
		}
		if r.Main == nil && r.Absent() == agentgraph.Unknown {
			return []probe.Finding{r.noGraph()}, nil
		}
		if written, called := written(r.program, words); len(written) > 0 {
			return []probe.Finding{probe.Against(court.AST, written, "The code is written here, but no node of a graph runs it.").Do("%s", toWire(called, a.String("role")))}, nil
		}
		return []probe.Finding{probe.Missing(probe.Ratio(r.program.Examined()), court.AST, "No node of a graph and no function plays the role of %s.", a.String("role")).Do("Write the %s as a function and add it to the graph as a node, with edges in and out.", map[string]string{"judges": "judges", "chief": "chief justice"}[a.String("role")])}, nil
	},
}

// written finds production functions and classes whose names have one of the
// words.
func written(p *intree.Program, words []string) (out []court.Place, called []string) {
	for _, m := range p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for _, d := range m.Definitions() {
			if d.Kind == code.DefLambda || d.Kind == code.DefMethod {
				continue
			}
			name := strings.ToLower(d.Name)
			for _, w := range words {
				if strings.Contains(name, w) {
					out = append(out, court.Place{Path: m.Path, Line: d.Line()})
					if len(called) < mostNamed {
						called = append(called, court.Clean(d.Name, 60))
					}
					break
				}
			}
		}
	}
	return out, called
}

// names lists the nodes of an answer.
func names(items []agentgraph.Item) string {
	out := ""
	for _, it := range items {
		for _, n := range it.Nodes {
			out = comma(out, court.Clean(n, 60))
		}
	}
	return out
}
