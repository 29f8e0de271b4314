package judicial

import (
	"bytes"
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// elsewhere is the error that the court may be written in another language:
// there is no Python that the program runs, but production code that names
// judges or their graph. Nothing is said to be absent then.
func elsewhere(ctx context.Context, s *probe.Scene, p *intree.Program) error {
	for _, m := range p.Modules {
		if m.Scope == code.ScopeProduction {
			return nil
		}
	}
	files, err := s.Elsewhere(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Language().Code() { // a notebook or a script is perhaps Python
			continue
		}
		text := bytes.ToLower(f.Bytes)
		if bytes.Contains(text, []byte("langgraph")) || bytes.Contains(text, []byte("judge")) {
			return &probe.Unable{Reason: court.NoDetector, Why: "the code is in a language of which only lines can be read: " + court.Clean(f.Path, 120)}
		}
	}
	return nil
}
