package probe

import (
	"context"
	"errors"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Python is the model of the repository's Python code.
func (s *Scene) Python(ctx context.Context) (*code.Program, error) {
	s = s.whole()
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	return s.program.get(ctx, s, "python", func(ctx context.Context) (*code.Program, error) {
		if s.now != nil {
			return s.now.Parse(ctx, files)
		}
		layout, err := s.Layout(ctx)
		if err != nil {
			return nil, err
		}
		return layout.Load(ctx, s.o.Parser, files)
	})
}

// Syntax is the repository's Go, JavaScript, TypeScript, Java and Rust.
func (s *Scene) Syntax(ctx context.Context) (*syntax.Program, error) {
	s = s.whole()
	others, err := s.Trees(ctx)
	if err != nil {
		return nil, err
	}
	return s.asked.get(ctx, s, "asked", func(context.Context) (*syntax.Program, error) { return others.Asked(), nil })
}

// Trees is the repository's code beside Python in every language that is read: what
// is lowered has its tree here.
func (s *Scene) Trees(ctx context.Context) (*syntax.Program, error) {
	if s.now != nil {
		return nil, &Unable{court.NoDetector, "of older states, only Python is read"}
	}
	layout, err := s.Layout(ctx)
	if err != nil {
		return nil, err
	}
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	return s.others.get(ctx, s, "syntax", func(ctx context.Context) (*syntax.Program, error) {
		if s.o.Syntax == nil {
			return nil, &Unable{court.NoDetector, "no parser of this language is to be had"}
		}
		return syntax.Load(ctx, s.o.Syntax, layout, files)
	})
}

// Analyses are what is asked of the repository's code of all languages, lowered
// and linked. Whoever asks holds their lock.
func (s *Scene) Analyses(ctx context.Context) (*analyse.Analyses, error) {
	s = s.whole()
	python, err := s.Python(ctx)
	if err != nil {
		return nil, err
	}
	return s.lowered.get(ctx, s, "il", func(ctx context.Context) (*analyse.Analyses, error) { return s.lower(ctx, python) })
}

// ShippedAnalyses are Analyses of the program of Shipped.
func (s *Scene) ShippedAnalyses(ctx context.Context) (*analyse.Analyses, error) {
	s = s.whole()
	python, _, err := s.Shipped(ctx)
	if err != nil {
		return nil, err
	}
	return s.shipped.get(ctx, s, "il of what is imported", func(ctx context.Context) (*analyse.Analyses, error) { return s.lower(ctx, python) })
}

// LowerOf are the analyses of a program that was parsed apart, by Parse.
func (s *Scene) LowerOf(ctx context.Context, p *code.Program) (*analyse.Analyses, error) {
	if s.o.Lower == nil {
		return nil, &Unable{court.NoDetector, "nothing here lowers code"}
	}
	lowered, err := s.o.Lower(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	return analyse.Of(lowered), nil
}

func (s *Scene) lower(ctx context.Context, python *code.Program) (*analyse.Analyses, error) {
	others, err := s.Trees(ctx)
	if unable, ok := errors.AsType[*Unable](err); err != nil && (!ok || unable.Reason != court.NoDetector) {
		return nil, err
	}
	if s.o.Lower == nil {
		return nil, &Unable{court.NoDetector, "nothing here lowers code"}
	}
	p, err := s.o.Lower(ctx, python, others)
	if err != nil {
		return nil, err
	}
	all := analyse.Of(p)
	all.Values.Aside = func(path string) bool { return python.Layout.Scope(path) == code.ScopeTest }
	return all, nil
}

// Layout is the scope classes and the project root.
func (s *Scene) Layout(ctx context.Context) (*code.Layout, error) {
	s = s.whole()
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	return s.layout.get(ctx, s, "layout", func(context.Context) (*code.Layout, error) { return code.Survey(files), nil })
}
