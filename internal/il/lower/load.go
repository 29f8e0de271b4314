package lower

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// maxTotal bounds the text that is lowered of one repository, in bytes:
// production code comes first, then tests, by path.
const maxTotal = 64 << 20

// source is a file that is to be lowered.
type source struct {
	path   string
	scope  code.Scope
	size   int
	tree   func(context.Context) (*syntax.File, error)
	reason string   // why it cannot be
	lines  []uint32 // where the file's lines begin in its text, if not behind line ends
	link   func(*il.Module, map[string]*il.Module)
}

// Load lowers the code of a repository and links its imports. The trees of others are
// there; those of Python are read in a worker that runs syntax.Service. A file that
// could not be lowered is a module that is damaged; the error is only ever the context's.
func Load(ctx context.Context, worker code.Parser, python *code.Program, others *syntax.Program) (*il.Program, error) {
	sources := append(pythonSources(worker, python), otherSources(others)...)
	slices.SortFunc(sources, func(a, b source) int {
		return cmp.Or(cmp.Compare(rank(a.scope), rank(b.scope)), cmp.Compare(a.path, b.path))
	})
	total := 0
	for i := range sources {
		if total += sources[i].size; total > maxTotal && sources[i].reason == "" {
			sources[i].reason = fmt.Sprintf("not tried: the files before it have %d MiB", maxTotal>>20)
		}
	}
	modules := make([]*il.Module, len(sources))
	errs := code.NewAllowance().Each(ctx, len(sources), func(at int) (size int, err error) {
		if sources[at].reason != "" {
			return 0, nil
		}
		modules[at], err = sources[at].lower(ctx)
		return sources[at].size, err
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("lowering program: %w", err)
	}
	p := &il.Program{Modules: modules, Hidden: map[string]bool{}}
	if python != nil {
		for _, name := range python.Hidden() {
			p.Hidden[name] = true
		}
	}
	byPath := map[string]*il.Module{}
	for at, err := range errs {
		if reason := cmp.Or(err, errors.New(sources[at].reason)).Error(); err != nil || reason != "" {
			modules[at] = lost(sources[at].path, reason)
		}
		byPath[modules[at].Path] = modules[at]
	}
	for at := range sources {
		sources[at].link(modules[at], byPath)
	}
	slices.SortFunc(p.Modules, func(a, b *il.Module) int { return cmp.Compare(a.Path, b.Path) })
	return p, nil
}

func rank(s code.Scope) int {
	if s == code.ScopeProduction {
		return 0
	}
	return 1
}

// lower reads the tree and lowers it. The text is anybody's: what the lowering trips over
// is one file lost, as a parser that it kills is.
func (s *source) lower(ctx context.Context) (m *il.Module, err error) {
	f, err := s.tree(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, fmt.Errorf("lowering %s: %v", s.path, p)
		}
	}()
	if m, err = Module(f); err != nil {
		return nil, err
	}
	m.Path = s.path
	if s.lines != nil {
		m.Lines = s.lines
	}
	return m, nil
}

// lost is the module of a file that could not be lowered.
func lost(path, reason string) *il.Module {
	m := &il.Module{Path: path, Language: string(code.File{Path: path}.Language()), Damaged: true, Lines: []uint32{0}}
	m.Top = &il.Function{Kind: il.Top, Module: m, Lost: reason}
	return m
}

func pythonSources(worker code.Parser, p *code.Program) (out []source) {
	if p == nil {
		return nil
	}
	reasons := map[string]string{}
	for _, f := range p.Faults {
		reasons[f.Path] = f.Reason
	}
	for _, m := range p.Modules {
		as, language := m.Path, code.File{Path: m.Path}.Language()
		if language != "python" { // a notebook, or a script whose name has no ending
			as += ".py"
		}
		s := source{path: m.Path, scope: m.Scope, size: len(m.Text()), reason: reasons[m.Path],
			tree: func(ctx context.Context) (*syntax.File, error) { return syntax.Read(ctx, worker, as, m.Text()) }}
		if language == "notebook" {
			for _, at := range m.Starts() {
				s.lines = append(s.lines, uint32(at))
			}
		}
		s.link = func(to *il.Module, byPath map[string]*il.Module) {
			to.Name, to.Links = m.Name, map[string]il.Link{}
			for name := range importsOf(to) {
				var l il.Link
				var found *code.Module
				l.Name, found, l.Own = p.Means(m, name)
				if found != nil && byPath[found.Path] != nil {
					l.Modules = []*il.Module{byPath[found.Path]}
				}
				to.Links[name] = l
			}
		}
		out = append(out, s)
	}
	return out
}

func otherSources(p *syntax.Program) (out []source) {
	if p == nil {
		return nil
	}
	for _, f := range p.Files {
		s := source{path: f.Path, scope: f.Scope, size: f.Bytes, reason: f.Reason, tree: func(context.Context) (*syntax.File, error) { return f, nil }}
		s.link = func(to *il.Module, byPath map[string]*il.Module) {
			to.Name, to.Links = p.Home(f), map[string]il.Link{}
			if packaged[to.Language] {
				to.Package, to.Partial = to.Language+" "+to.Name, p.Partial(f)
			}
			for _, given := range syntax.Given(to.Language) {
				to.Links[given] = il.Link{Brings: syntax.Brings(to.Language, given), Given: true}
			}
			for _, i := range p.Imports(f) {
				l := il.Link{Own: i.Own, Name: i.Package, Brings: syntax.Brings(to.Language, i.Node.Name())}
				for _, file := range i.Files {
					l.Modules = append(l.Modules, byPath[file.Path])
				}
				if len(l.Modules) > 0 {
					l.Name = p.Home(i.Files[0])
				}
				l.Given = to.Links[i.Node.Name()].Given
				to.Links[i.Node.Name()] = l
			}
		}
		out = append(out, s)
	}
	return out
}

// packaged are the languages whose files see the names of the other files of
// their package.
var packaged = set("go", "java", "c#")

// importsOf are the names that a module imports from, as they are written.
func importsOf(m *il.Module) map[string]bool {
	out := map[string]bool{}
	for f := range m.All() {
		for _, in := range f.Instructions() {
			if in.Op == il.Import {
				out[in.Kind] = true
			}
		}
	}
	return out
}
