package probe

import (
	"bytes"
	"context"
	"path"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Graphs is what was read of graphs of agents, in Python and in scripts.
func (s *Scene) Graphs(ctx context.Context) (*agentgraph.Reading, error) {
	w, err := s.Wiring(ctx)
	if err != nil {
		return nil, err
	}
	return w.Reading, nil
}

// Wiring is what is so about the graphs of the Python code.
func (s *Scene) Wiring(ctx context.Context) (*facts.Wiring, error) {
	s = s.whole()
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, err
	}
	return s.wiring.get(ctx, s, "graphs", func(ctx context.Context) (*facts.Wiring, error) {
		all, err := s.Analyses(ctx)
		if err != nil {
			return nil, err
		}
		all.Lock()
		defer all.Unlock()
		r := &agentgraph.Reading{}
		if s.o.Graphs != nil {
			r = s.o.Graphs(p, all, s.o.Words)
		}
		r, err = s.scriptGraphs(ctx, all, r)
		if err != nil {
			return nil, err
		}
		return facts.Wired(r), nil
	})
}

// scriptGraphs adds the graphs of TypeScript and JavaScript to those of Python.
// The caller holds the lock of the analyses. Scripts are only parsed where one names StateGraph.
func (s *Scene) scriptGraphs(ctx context.Context, all *analyse.Analyses, python *agentgraph.Reading) (*agentgraph.Reading, error) {
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	manifests, named := map[string]string{}, false
	for _, f := range files {
		switch lang := f.Language(); {
		case path.Base(f.Path) == "langgraph.json":
			manifests[f.Path] = string(f.Bytes)
		case lang == "javascript" || lang == "typescript":
			named = named || bytes.Contains(f.Bytes, []byte("StateGraph"))
		}
	}
	if !named || s.o.Scripts == nil {
		return python, nil
	}
	scripts, err := s.Syntax(ctx)
	if err != nil {
		return python, ctx.Err() // without a parser they stay unread
	}
	return agentgraph.Union(python, s.o.Scripts(scripts, all, manifests, s.o.Words)), nil
}
