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
	file   code.File
	scope  code.Scope
	as     string   // the name that it is read under: a script may have no ending
	reason string   // why it cannot be
	lines  []uint32 // where the file's lines begin in its text, if not behind line ends
	link   func(*il.Module, map[string]*il.Module)
}

// Load lowers the code of a repository in a worker that runs Service, and links
// its imports. A file that could not be lowered is a module that is damaged; the
// error is only ever the context's.
func Load(ctx context.Context, worker code.Parser, python *code.Program, others *syntax.Program) (*il.Program, error) {
	sources := append(pythonSources(python), otherSources(others)...)
	slices.SortFunc(sources, func(a, b source) int {
		return cmp.Or(cmp.Compare(rank(a.scope), rank(b.scope)), cmp.Compare(a.file.Path, b.file.Path))
	})
	total := 0
	for i := range sources {
		if total += len(sources[i].file.Bytes); total > maxTotal && sources[i].reason == "" {
			sources[i].reason = fmt.Sprintf("not tried: the files before it have %d MiB", maxTotal>>20)
		}
	}
	modules := make([]*il.Module, len(sources))
	errs := code.NewAllowance().Each(ctx, len(sources), func(at int) (size int, err error) {
		s := &sources[at]
		if s.reason != "" {
			return 0, nil
		}
		if modules[at], err = Read(ctx, worker, code.File{Path: s.as, Bytes: s.file.Bytes}); err == nil {
			modules[at].Path = s.file.Path
			if s.lines != nil {
				modules[at].Lines = s.lines
			}
		}
		return len(s.file.Bytes), err
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
			modules[at] = lost(sources[at].file, reason)
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

// lost is the module of a file that could not be lowered.
func lost(f code.File, reason string) *il.Module {
	m := &il.Module{Path: f.Path, Language: string(f.Language()), Damaged: true, Lines: []uint32{0}}
	m.Top = &il.Function{Kind: il.Top, Module: m, Lost: reason}
	return m
}

func pythonSources(p *code.Program) (out []source) {
	if p == nil {
		return nil
	}
	reasons := map[string]string{}
	for _, f := range p.Faults {
		reasons[f.Path] = f.Reason
	}
	for _, m := range p.Modules {
		s := source{file: code.File{Path: m.Path, Bytes: []byte(m.Text())}, as: m.Path, scope: m.Scope, reason: reasons[m.Path]}
		if s.file.Language() != "python" {
			s.as += ".py"
		}
		if s.file.Language() == "notebook" {
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
		s := source{file: code.File{Path: f.Path, Bytes: []byte(f.Text())}, as: f.Path, scope: f.Scope, reason: f.Reason}
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
