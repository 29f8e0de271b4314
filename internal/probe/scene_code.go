package probe

import (
	"context"
	"errors"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
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
		return nil, &Unable{Reason: court.NoDetector, Why: "of older states, only Python is read"}
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
			return nil, &Unable{Reason: court.NoDetector, Why: "no parser of this language is to be had"}
		}
		return syntax.Load(ctx, s.o.Syntax, layout, files)
	})
}

// Analyses are what is asked of the repository's code of all languages, lowered
// and linked. Whoever asks holds their lock.
func (s *Scene) Analyses(ctx context.Context) (*analyse.Analyses, error) {
	l, err := s.lowering(ctx)
	return l.all, err
}

// Joined is the model of the repository's Python code with what its lowered code says of
// its runs; nothing, where nothing lowers code.
func (s *Scene) Joined(ctx context.Context) (*intree.Program, error) {
	l, err := s.lowering(ctx)
	if unable, ok := errors.AsType[*Unable](err); !ok || unable.Reason != court.NoDetector {
		return l.python, err
	}
	p, err := s.Python(ctx)
	if err != nil {
		return nil, err
	}
	return intree.Join(p, analyse.Of(&il.Program{})), nil
}

// lowered is code as its analyses see it, and Python's joined with it.
type lowered struct {
	all    *analyse.Analyses
	python *intree.Program
}

func (s *Scene) lowering(ctx context.Context) (lowered, error) {
	s = s.whole()
	python, err := s.Python(ctx)
	if err != nil {
		return lowered{}, err
	}
	return s.lowered.get(ctx, s, "il", func(ctx context.Context) (lowered, error) { return s.lower(ctx, python) })
}

// ShippedAnalyses are Analyses of the program of Shipped, and that program joined with them.
func (s *Scene) ShippedAnalyses(ctx context.Context) (*analyse.Analyses, *intree.Program, error) {
	s = s.whole()
	python, _, err := s.Shipped(ctx)
	if err != nil {
		return nil, nil, err
	}
	l, err := s.shipped.get(ctx, s, "il of what is imported", func(ctx context.Context) (lowered, error) { return s.lower(ctx, python) })
	return l.all, l.python, err
}

// LowerOf is a program that was parsed apart, by Parse, with the analyses of it alone.
func (s *Scene) LowerOf(ctx context.Context, p *code.Program) (*intree.Program, *analyse.Analyses, error) {
	if s.o.Lower == nil {
		return nil, nil, &Unable{Reason: court.NoDetector, Why: "nothing here lowers code"}
	}
	lowered, err := s.o.Lower(ctx, p, nil)
	if err != nil {
		return nil, nil, err
	}
	all := analyse.Of(lowered)
	return intree.Join(p, all), all, nil
}

func (s *Scene) lower(ctx context.Context, python *code.Program) (lowered, error) {
	others, err := s.Trees(ctx)
	if unable, ok := errors.AsType[*Unable](err); err != nil && (!ok || unable.Reason != court.NoDetector) {
		return lowered{}, err
	}
	if s.o.Lower == nil {
		return lowered{}, &Unable{Reason: court.NoDetector, Why: "nothing here lowers code"}
	}
	p, err := s.o.Lower(ctx, python, others)
	if err != nil {
		return lowered{}, err
	}
	all := analyse.Of(p)
	all.Values.Aside = func(path string) bool { return python.Layout.Scope(path) == code.ScopeTest }
	l := lowered{all, intree.Join(python, all)}
	return l, nil
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
