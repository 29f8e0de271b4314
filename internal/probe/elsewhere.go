package probe

import (
	"bytes"
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
)

// Elsewhere lists the production files with code that the Python model does
// not hold: those of other languages, notebooks, and scripts without an
// extension, whose language is "". What is in them is not known, so that a
// probe that reads Python does not say of it that something is absent.
func (s *Scene) Elsewhere(ctx context.Context) ([]code.File, error) {
	p, err := s.Python(ctx)
	if err != nil {
		return nil, err
	}
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	return Shared(s, "probe.elsewhere", func() ([]code.File, error) { return elsewhere(p, files), nil })
}

func elsewhere(p *code.Program, files []code.File) (out []code.File) {
	for _, f := range files {
		if len(f.Bytes) == 0 || p.Module(f.Path) != nil || p.Layout.Scope(f.Path) != code.ScopeProduction {
			continue
		}
		lang := f.Language()
		script := lang == "" && bytes.HasPrefix(f.Bytes, []byte("#!"))
		if lang != "python" && (script || lang == "notebook" || lang.Code()) {
			out = append(out, f)
		}
	}
	return out
}

// Unread lists the production Python files that nobody could look into: their
// content is not to be had, or is too large. A probe that has found nothing in
// the others cannot say that there is nothing.
func (s *Scene) Unread(ctx context.Context) ([]court.Place, error) {
	p, err := s.Python(ctx)
	if err != nil {
		return nil, err
	}
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	return Shared(s, "probe.unread", func() ([]court.Place, error) { return s.unread(p, files), nil })
}

func (s *Scene) unread(p *code.Program, files []code.File) (out []court.Place) {
	for _, f := range files {
		e, _ := s.Entry(f.Path)
		if f.Bytes == nil && e.Size != 0 && f.Language() == "python" && p.Layout.Scope(f.Path) == code.ScopeProduction {
			out = append(out, court.Place{Path: f.Path, Blob: e.OID})
		}
	}
	return out
}
