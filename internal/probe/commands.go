package probe

import (
	"bytes"
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/command"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Commands is the tree as command lines of a README or of the document are held
// against it.
func (s *Scene) Commands(ctx context.Context) (command.Project, error) {
	texts, err := s.Texts(ctx)
	if err != nil {
		return command.Project{}, err
	}
	layout, err := s.Layout(ctx)
	if err != nil {
		return command.Project{}, err
	}
	p := command.Project{Roots: []string{""}}
	if layout.Root() != "" {
		p.Roots = append(p.Roots, layout.Root())
	}
	for _, e := range s.o.Repo.Tree() {
		if e.Kind == repo.File || e.Kind == repo.Executable {
			p.Paths = append(p.Paths, e.Path)
		}
	}
	p.Text = func(path string) (string, bool) {
		b, ok := texts[path]
		return string(b), ok
	}
	const most = 200 // questions of a hostile document; a yes settles nothing
	asked := 0
	p.Knows = func(text string) bool {
		if asked++; asked > most {
			return true
		}
		for path, b := range texts {
			if sc := layout.Scope(path); sc != code.ScopeDocs && sc != code.ScopeAudit && sc != code.ScopeVendor && bytes.Contains(b, []byte(text)) {
				return true
			}
		}
		return false
	}
	return p, nil
}
