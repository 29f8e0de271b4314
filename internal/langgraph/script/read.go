package script

import (
	"fmt"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
	"github.com/automaton-auditor/automaton/internal/langgraph/wiring"
)

// library is what the names of LangGraph.js begin with.
const library = "@langchain/langgraph"

// maxSteps bounds how far a value is followed.
const maxSteps = 24

// Read reads the program. manifests are the texts of its langgraph.json files
// by path; the profile says what such programs call the parts of their graphs. all are
// the analyses of the same program, whose lock the caller holds. It never fails: what it
// cannot follow it names.
func Read(p *syntax.Program, all *analyse.Analyses, manifests map[string]string, words *agentgraph.Profile) *agentgraph.Reading {
	r := &reader{p: p}
	r.bodies = body.Bodies{Analyses: all, Entry: r.place}
	out := &agentgraph.Reading{}
	for _, g := range wiring.Read(r.wiring(words)) {
		r.complete(g, manifests)
		out.Graphs = append(out.Graphs, g.Graph)
	}
	if len(out.Graphs) == 0 {
		return out
	}
	out.Unnest()
	out.Settle(words)
	if out.Main != nil {
		out.State = out.Main.State
	}
	return out
}

// reader is the state of one Read.
type reader struct {
	p      *syntax.Program
	bodies body.Bodies
}

// complete adds to the wiring of a graph its state, how it is run, and what its nodes do.
func (r *reader) complete(g wiring.Graph, manifests map[string]string) {
	n := r.node(g.In, g.At.Span)
	g.Name = n.Path()
	g.State = r.state(n.Nth("arg", 0))
	g.Graph.Schema = g.State.Name
	for at, text := range manifests {
		if rel, ok := strings.CutPrefix(n.Path(), strings.TrimPrefix(path.Dir(at)+"/", "./")); ok && strings.Contains(text, rel+":") {
			g.Live, g.Invoked, g.Run = true, true, true
		}
	}
	g.Compiled = len(g.Compiles) > 0
	for _, c := range g.Invokes {
		if call, ok := c.Source.(syntax.Node); ok && call.File().Scope == code.ScopeProduction {
			g.Live, g.Invoked, g.Run = true, true, true
		}
	}
	for i := range g.Nodes {
		if f, ok := g.Nodes[i].Source.(syntax.Node); ok {
			g.Nodes[i].Inner = r.startedAtOnce(f)
		}
	}
	r.writes(g.Graph)
}

// wiring is what the reader of wiring asks of the text.
func (r *reader) wiring(words *agentgraph.Profile) wiring.Program {
	return wiring.Program{
		Analyses: r.bodies.Analyses, Idle: r.bodies.Idle, Tests: r.bodies.Tests, Words: words, Library: library, Camel: true,
		Scope: func(path string) wiring.Scope {
			switch f := r.p.File(path); {
			case f == nil || f.Language != "javascript" && f.Language != "typescript" || f.Scope == code.ScopeVendor || f.Scope == code.ScopeGenerated:
				return wiring.Foreign
			case f.Scope == code.ScopeProduction:
				return wiring.Production
			}
			return wiring.Aside
		},
		Place: func(f *il.Function, s il.Span) agentgraph.Place {
			if n := r.p.File(f.Module.Path).At(int(s.From), int(s.To), "call"); n.Valid() {
				return placeOf(n)
			}
			p := f.Place(s)
			return agentgraph.Place{Path: p.Path, Line: p.Line, End: p.EndLine}
		},
		Text: func(f *il.Function, s il.Span) string { return r.p.File(f.Module.Path).Text()[s.From:s.To] },
		Keys: func(f *il.Function, s il.Span) (out []il.Span) {
			for e := range r.node(f, s).Children() {
				k := e.Child("key")
				out = append(out, il.Span{From: uint32(k.Start()), To: uint32(k.End())})
			}
			return out
		},
		Statement: func(f *il.Function, s il.Span) string { return r.statement(f, s).Text() },
		Unknown: func(f *il.Function, s il.Span) string {
			n := r.node(f, s)
			return fmt.Sprintf("?%s@%s:%d", n.Child("callee").Name(), f.Module.Path, placeOf(n).Line)
		},
		Node: func(f *il.Function, s il.Span) any { return r.node(f, s) },
		Source: func(inner, _ *il.Function) (any, agentgraph.Place, string) {
			n := r.p.File(inner.Module.Path).At(int(inner.Span.From), int(inner.Span.To), "func")
			if !n.Valid() {
				return nil, agentgraph.Place{}, ""
			}
			return n, placeOf(n), n.Name()
		},
	}
}

// node is the call, or else the expression, that a stretch of text is.
func (r *reader) node(f *il.Function, s il.Span) syntax.Node {
	file := r.p.File(f.Module.Path)
	if n := file.At(int(s.From), int(s.To), "call"); n.Valid() {
		return n
	}
	for n := range file.Root().Walk() {
		if n.Start() == int(s.From) && n.End() == int(s.To) {
			return n
		}
	}
	return syntax.Node{}
}

// statement is the definition of a name.
func (r *reader) statement(f *il.Function, s il.Span) syntax.Node {
	return r.node(f, s).Parent()
}

// startedAtOnce are the places where a function waits for several promises
// together. Whose work they are is not followed.
func (r *reader) startedAtOnce(f syntax.Node) (out []agentgraph.Inner) {
	for n := range f.Walk() {
		if !n.Is("call") {
			continue
		}
		switch r.called(n) {
		case "Promise.all", "Promise.allSettled", "Promise.any", "Promise.race":
			out = append(out, agentgraph.Inner{Role: agentgraph.RoleUnknown, Concurrent: true, At: placeOf(n)})
		}
	}
	return out
}

// function is the first-party function that an expression stands for.
func (r *reader) function(n syntax.Node, depth int) syntax.Node {
	switch {
	case depth > maxSteps:
	case n.Is("func"):
		return n
	case n.Is("cast"):
		return r.function(n.Child("value"), depth+1)
	case n.Is("name", "member"):
		if d := r.written(r.symbol(n)); d.Valid() {
			return d
		}
		if v := r.values(n); len(v) == 1 {
			return r.function(v[0], depth+1)
		}
	}
	return syntax.Node{}
}

// entry is the value under a key of a literal.
func entry(record syntax.Node, key string) syntax.Node {
	if record.Is("record") {
		for e := range record.Children() {
			if e.Is("entry") && e.Name() == key {
				return e.Child("value")
			}
		}
	}
	return syntax.Node{}
}

// placeOf is the place of a node, of a call in a chain that of its own link.
func placeOf(n syntax.Node) agentgraph.Place {
	if !n.Valid() {
		return agentgraph.Place{}
	}
	line := n.Line()
	if callee := n.Child("callee"); callee.Is("member") {
		line = callee.EndLine()
	}
	return agentgraph.Place{Path: n.Path(), Line: line, End: n.EndLine()}
}
