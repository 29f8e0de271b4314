package flow

import (
	"bytes"
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// elsewhere is the error that a graph may be built where the Python model does
// not reach: code of another language, a notebook or a script without an
// extension that names StateGraph. What is in such code is not known, so that
// nothing of it is said to be absent.
func elsewhere(ctx context.Context, s *probe.Scene, p *code.Program) error {
	files, err := s.Files(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		if p.Module(f.Path) != nil || p.Layout.Scope(f.Path) != code.ScopeProduction || !bytes.Contains(f.Bytes, []byte("StateGraph")) {
			continue
		}
		lang := f.Language()
		switch {
		case lang == "python":
		case lang == "" && bytes.HasPrefix(f.Bytes, []byte("#!")):
			return &probe.Unable{Reason: court.NoDetector, Why: "a script without an extension names StateGraph; its graph cannot be read: " + court.Clean(f.Path, 120)}
		case lang.Code(), lang == "notebook":
			return &probe.Unable{Reason: court.NoDetector, Why: "graphs are read in Python; " + string(lang) + " names StateGraph here: " + court.Clean(f.Path, 120)}
		}
	}
	return nil
}
