package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
)

// Read reads the program; the profile says what such programs call the parts of
// their graphs. all are the analyses of the same program, whose lock the caller
// holds. It never fails: what it cannot follow it names.
func Read(p *intree.Program, all *analyse.Analyses, words *agentgraph.Profile) *agentgraph.Reading {
	r := &reader{p: p, words: words, within: analyse.Origins{Names: all.Names, Counts: func(analyse.Site) bool { return false }}, sides: map[*agentgraph.Graph]*side{}}
	r.bodies = body.Bodies{Analyses: all, Entry: r.entry}
	out := &agentgraph.Reading{Other: r.others()}
	out.Graphs = r.graphs()
	functional := r.entrypoints()
	for _, g := range out.Graphs {
		s := r.side(g)
		bare := !s.schema.Known() && !s.schemaGiven()
		if bare {
			s.schema = r.worked(g)
		}
		g.Schema, g.State = s.schema.Qualified, r.stateOf(s.schema)
		g.State.Loose = bare && g.Provenance == agentgraph.FromLangGraph
	}
	out.Unnest()
	r.models(out, slices.Concat(out.Graphs, functional))
	for _, g := range functional {
		r.holders(g.State, out)
		r.inner(g)
	}
	for _, g := range out.Graphs {
		r.holders(g.State, out)
		r.writes(g)
		r.inner(g)
		r.made(g, out)
	}
	out.Graphs = append(out.Graphs, functional...)
	r.runs(out.Graphs)
	out.Settle(words)
	for _, g := range out.Graphs {
		r.hiddenIn(g)
	}
	r.undeclaredReads(out)
	if out.Main != nil {
		if s, main := r.looseState(out), r.side(out.Main); s != nil && !main.schema.Known() && !main.schemaGiven() {
			out.Main.State = s
		}
		out.State = out.Main.State
	} else {
		out.State = r.looseState(out)
		out.Sentinels = r.sentinels()
	}
	return out
}

// sentinels returns the tokens "StateGraph" in call position in production
// code, definitions of that name apart, and those in files without a tree.
func (r *reader) sentinels() []agentgraph.Place {
	var out []agentgraph.Place
	for _, m := range r.p.Mentions("StateGraph", code.ScopeProduction) {
		tokens := m.Tokens()
		for i, t := range tokens {
			if t.Text != "StateGraph" {
				continue
			}
			called := i+1 < len(tokens) && tokens[i+1].Text == "("
			defined := i > 0 && slices.Contains([]string{"def", "class"}, tokens[i-1].Text)
			if called && !defined || !m.Parsed {
				out = append(out, agentgraph.Place{Path: m.Path, Line: t.Line, End: t.Line})
			}
		}
	}
	for _, m := range r.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		for _, c := range r.p.CallsOf(m) { // getattr(module, "StateGraph")
			if c.Name == "getattr" {
				if name, _ := r.p.Text(c.Arg("name", 1)); name == "StateGraph" {
					out = append(out, placeOf(c.Node))
				}
			}
		}
	}
	return agentgraph.Places(out...)
}

// others returns the uses of LangGraph that build no StateGraph.
func (r *reader) others() (out []agentgraph.OtherAPI) {
	add := func(name string, n code.Node) {
		o := agentgraph.OtherAPI{Name: name, At: placeOf(n)}
		if !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	defer func() {
		slices.SortStableFunc(out, func(a, b agentgraph.OtherAPI) int { return a.At.Compare(b.At) })
	}()
	names := []string{"create_react_agent", "create_agent", "create_supervisor", "create_swarm", "Pregel", "entrypoint", "task", "ToolNode"}
	for _, m := range r.p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for _, c := range r.p.CallsOf(m) {
			if c.Callee.Matches("langgraph*", "langchain.agents.create_agent") && slices.Contains(names, c.Name) {
				add(c.Name, c.Node)
			}
		}
		for _, d := range m.Definitions() {
			for _, name := range []string{"entrypoint", "task"} {
				if dec := r.decorator(d, name); dec.Valid() {
					add(name, dec)
				}
			}
		}
	}
	return out
}
