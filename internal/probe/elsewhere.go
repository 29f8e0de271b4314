package probe

import (
	"bytes"
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
)

// Elsewhere lists the production files with code that the Python model does
// not hold: those of other languages, notebooks of other languages, and scripts without an
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

// shipment is the answer of Shipped.
type shipment struct {
	program *code.Program
	used    map[string]bool
}

// Shipped is the model of the Python code with what it imports of vendored and
// generated files, and the paths outside of production code that it imports;
// see code.Program.Shipped.
func (s *Scene) Shipped(ctx context.Context) (*code.Program, map[string]bool, error) {
	p, err := s.Python(ctx)
	if err != nil {
		return nil, nil, err
	}
	files, err := s.Files(ctx)
	if err != nil {
		return nil, nil, err
	}
	out, err := Shared(s, "probe.shipped", func() (shipment, error) {
		x, used, err := p.Shipped(ctx, s.o.Parser, files)
		return shipment{x, used}, err
	})
	return out.program, out.used, err
}
