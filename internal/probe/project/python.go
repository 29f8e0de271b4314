package project

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// divided is the source text of every code file in a scope, taken apart.
type divided struct {
	file file
	tree *syntax.File // nil where there is none
	parts
}

// byLines tells a file of which nothing is known but its text: it is neither
// Python nor has it a tree.
func (d divided) byLines() bool { return d.tree == nil && d.file.lang != "python" }

// sources takes the code files of a scope apart: Python by its own tokens,
// other languages by their trees, and by lines where there is none.
func sources(ctx context.Context, s *probe.Scene, scope string) ([]divided, error) {
	return probe.Shared(s, "project.sources."+scope, func() ([]divided, error) {
		inv, err := files(ctx, s)
		if err != nil {
			return nil, err
		}
		program, err := s.Joined(ctx)
		if err != nil {
			return nil, err
		}
		others, err := trees(ctx, s)
		if err != nil {
			return nil, err
		}
		var out []divided
		for _, f := range inv.files {
			if !f.lang.Code() || !f.inScope(scope) {
				continue
			}
			d := divided{file: f}
			if m := program.Module(f.path); m != nil {
				f.text = m.Text()
				d.parts = splitPython(m)
			} else if t := others.File(f.path); t != nil && t.Parsed {
				d.tree, d.parts = t, splitTree(t)
			} else {
				d.parts = split(f.lang, f.text)
			}
			out = append(out, d)
		}
		return out, nil
	})
}

// splitPython takes a module apart by its tokens. A docstring is a comment: it
// says what is meant, not what is done.
func splitPython(m *code.Module) parts {
	text := m.Text()
	classes := make([]class, len(text))
	mark := func(tokens []code.Token, c class) {
		for _, t := range tokens {
			for i := t.Pos; i < min(t.Pos+len(t.Text), len(text)); i++ {
				classes[i] = c
			}
		}
	}
	mark(m.Quoted(), inString)
	mark(m.Comments(), inComment)
	mark(m.Docstrings(), inComment)
	return assemble(text, classes)
}
