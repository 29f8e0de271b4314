package probe

import (
	"bytes"
	"context"
	"path"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
)

// scriptGraphs adds the graphs of TypeScript and JavaScript to those of Python.
// Scripts are only parsed where one names StateGraph.
func (s *Scene) scriptGraphs(ctx context.Context, python *agentgraph.Reading) (*agentgraph.Reading, error) {
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
	return agentgraph.Union(python, s.o.Scripts(scripts, manifests, s.o.Words)), nil
}
