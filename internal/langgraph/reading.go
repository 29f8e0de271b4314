package langgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// Reading is everything LangGraph in one repository.
type Reading struct {
	// Graphs are all builders outside vendored and generated code, best first:
	// the order in which Main is chosen.
	Graphs []*Graph
	// Main is the graph that counts: not in tests or examples, then reachable
	// from an entry point, compiled, with judges, with more nodes, more edges,
	// then by path. nil: no builder was found; see Absent.
	Main *Graph
	// Other are uses of LangGraph that build no StateGraph.
	Other []OtherAPI
	// Sentinels are code tokens "StateGraph" in production code that could be a
	// construction which was not understood. They forbid to say "absent".
	Sentinels []Place

	State    *State // of Main; without a graph the class that is most likely one; nil: none
	Evidence *Model // the evidence model; nil: none
	Opinion  *Model // the opinion model; nil: none
}

// OtherAPI is a use of LangGraph other than a StateGraph.
type OtherAPI struct {
	Name string // create_react_agent, entrypoint, task, Pregel, ...
	At   Place
}

// Read reads the program. It never fails: what it cannot follow it names.
func Read(p *code.Program) *Reading {
	r := &reader{p: p, memo: map[*code.Definition][]*frame{}, traced: map[code.Node][]found{}, filled: map[string]bool{}}
	out := &Reading{Other: r.others()}
	out.Graphs = r.graphs()
	for _, g := range out.Graphs {
		if !g.Schema.Known() && !g.schemaGiven() {
			g.Schema = r.worked(g)
		}
		g.State = r.stateOf(g.Schema)
	}
	r.models(out)
	for _, g := range out.Graphs {
		r.holders(g.State, out)
		r.writes(g)
		r.inner(g)
		r.roles(g, out)
		r.hiddenIn(g)
	}
	r.undeclaredReads(out)
	slices.SortStableFunc(out.Graphs, preference)
	if len(out.Graphs) > 0 && counts(out.Graphs[0]) {
		out.Main = out.Graphs[0]
		if s := r.looseState(out); s != nil && !out.Main.Schema.Known() && !out.Main.schemaGiven() {
			out.Main.State = s
		}
		out.State = out.Main.State
	} else {
		out.State = r.looseState(out)
		out.Sentinels = r.sentinels()
	}
	return out
}

// Absent says whether there is no StateGraph: Yes, No when there is one, or
// Unknown when none was found but Sentinels speak against it.
func (r *Reading) Absent() Truth {
	switch {
	case r.Main != nil:
		return No
	case len(r.Sentinels) > 0:
		return Unknown
	default:
		return Yes
	}
}

// counts reports whether a graph can be the one that counts.
func counts(g *Graph) bool { return g.Scope == code.ScopeProduction }

// preference orders graphs, the one that counts first.
func preference(a, b *Graph) int {
	yes := func(x, y bool) int {
		switch {
		case x == y:
			return 0
		case x:
			return -1
		default:
			return 1
		}
	}
	return cmp.Or(
		yes(counts(a), counts(b)),
		yes(a.Live, b.Live),
		yes(a.Compiled, b.Compiled),
		yes(a.JudgesPresent().Value == Yes, b.JudgesPresent().Value == Yes),
		cmp.Compare(len(b.Nodes), len(a.Nodes)),
		cmp.Compare(len(b.Edges)+len(b.Routes), len(a.Edges)+len(a.Routes)),
		comparePlaces(a.Builder, b.Builder),
	)
}

// sentinels returns the tokens "StateGraph" in call position in production
// code, definitions of that name apart, and those in files without a tree.
func (r *reader) sentinels() []Place {
	var out []Place
	for _, m := range r.p.Mentions("StateGraph", code.ScopeProduction) {
		tokens := m.Tokens()
		for i, t := range tokens {
			if t.Text != "StateGraph" {
				continue
			}
			called := i+1 < len(tokens) && tokens[i+1].Text == "("
			defined := i > 0 && slices.Contains([]string{"def", "class"}, tokens[i-1].Text)
			if called && !defined || !m.Parsed {
				out = append(out, Place{Path: m.Path, Line: t.Line, End: t.Line})
			}
		}
	}
	for _, m := range r.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		for _, c := range m.Calls() { // getattr(module, "StateGraph")
			if name, ok := r.p.Eval(c.Arg("name", 1)).Str(); ok && name == "StateGraph" && c.Name == "getattr" {
				out = append(out, placeOf(c.Node))
			}
		}
	}
	return places(out...)
}

// others returns the uses of LangGraph that build no StateGraph.
func (r *reader) others() (out []OtherAPI) {
	add := func(name string, n code.Node) {
		o := OtherAPI{Name: name, At: placeOf(n)}
		if !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	defer func() {
		slices.SortStableFunc(out, func(a, b OtherAPI) int { return comparePlaces(a.At, b.At) })
	}()
	names := []string{"create_react_agent", "create_agent", "create_supervisor", "create_swarm", "Pregel", "entrypoint", "task", "ToolNode"}
	for _, m := range r.p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for _, c := range m.Calls() {
			if c.Callee.Matches("langgraph*", "langchain.agents.create_agent") && slices.Contains(names, c.Name) {
				add(c.Name, c.Node)
			}
		}
		for _, d := range m.Definitions() {
			for _, dec := range d.Decorators() {
				s := r.p.Resolve(dec)
				name := strings.TrimSuffix(s.Qualified[strings.LastIndex(s.Qualified, ".")+1:], "()")
				if s.Matches("langgraph.func.*") && slices.Contains(names, name) {
					add(name, dec)
				}
			}
		}
	}
	return out
}
