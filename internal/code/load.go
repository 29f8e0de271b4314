package code

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// maxParallel bounds how many files are being parsed at a time.
const maxParallel = 8

// File is one file of a repository at one commit.
type File struct {
	Path  string // slash-separated, relative to the repository
	Bytes []byte // raw bytes; nil when the file was not read (its path still counts)
}

// Parser turns one request into one answer: a pool of sandboxed workers that
// run Service.
type Parser interface {
	Do(ctx context.Context, request []byte) ([]byte, error)
}

// watcher is a Parser that wants to know how far the files of a program are:
// how many are behind it, out of how many, and which one was taken up last. It
// is told from several goroutines.
type watcher interface {
	Parsing(done, of int, path string)
}

// Fault says that a file could not be examined, and why. It describes our
// inquiry, not the file's author: text that is not Python is not a fault but
// found by Module.Broken.
type Fault struct {
	Path   string
	Reason string
}

// Program is everything known about the Python code of one repository. It is
// safe for concurrent readers; indexes are built when first asked for.
type Program struct {
	Modules []*Module // every examined Python file, by path
	Faults  []Fault   // files that could not be examined, by path
	Layout  *Layout   // scope classes and project root

	manifests map[string]string // text of the files that declare entry points and dependencies
	failed    failures
	names     moduleNames
	mentions  mentionIndex
}

// Load parses the Python files among files, concurrently, each once, and
// links them into a Program. Vendored and generated files are not parsed.
// Other files serve only the layout, and manifests the entry points. A file
// that cannot be read becomes a Fault; the error is only ever the context's.
func Load(ctx context.Context, parser Parser, files []File) (*Program, error) {
	return Survey(files).Load(ctx, parser, files)
}

// Load is Load of the files that the layout was made from.
func (l *Layout) Load(ctx context.Context, parser Parser, files []File) (*Program, error) {
	return loadFrom(ctx, parser, l, files, nil)
}

// LoadVersions is Load for versions of files, apart from the program; one that
// the program holds unchanged, or could not parse, is not parsed again. They
// share what the program has left of its waste budget.
func (p *Program) LoadVersions(ctx context.Context, parser Parser, files []File) (*Program, error) {
	return loadFrom(ctx, parser, Survey(files), files, p)
}

func loadFrom(ctx context.Context, parser Parser, layout *Layout, files []File, parsed *Program) (*Program, error) {
	p := &Program{Layout: layout, manifests: map[string]string{}, failed: failures{left: wasteBudget}}
	p.names.hidden = map[string]bool{}
	for _, f := range files {
		p.names.hide(f)
		if f.Bytes == nil {
			continue
		}
		if declares(f.Path) && len(f.Bytes) <= maxSource {
			p.manifests[f.Path], _ = f.Text()
		}
		if l := f.Language(); l != "python" && l != "notebook" {
			continue
		}
		if scope := p.Layout.Scope(f.Path); scope != ScopeVendor && scope != ScopeGenerated {
			m := newModule(p, f, scope)
			if m == nil {
				continue
			}
			if parsed != nil {
				m.share(parsed.Module(m.Path))
			}
			p.Modules = append(p.Modules, m)
		}
	}
	slices.SortStableFunc(p.Modules, func(a, b *Module) int { return strings.Compare(a.Path, b.Path) })
	p.Modules = slices.CompactFunc(p.Modules, func(a, b *Module) bool { return a.Path == b.Path })
	known := &p.failed
	if parsed != nil {
		known = &parsed.failed
	}
	if err := p.parse(ctx, parser, p.Modules, known); err != nil {
		return nil, err
	}
	p.names.build(p)
	return p, nil
}

// parse fills in trees of modules and collects the faults. Modules of the
// same text share one tree, or one failure: no text is given to a parser twice.
func (p *Program) parse(ctx context.Context, parser Parser, modules []*Module, known *failures) error {
	seen := map[string]bool{}
	var queue []*Module // to be parsed
	for _, m := range modules {
		if !seen[m.text] && !m.Parsed && m.refused == "" && known.of(m) == "" {
			queue = append(queue, m)
			seen[m.text] = true
		}
	}
	reasons := p.parseAll(ctx, parser, queue, known)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("loading program: %w", err)
	}
	trees := map[string]*Module{}
	for i, m := range queue {
		trees[m.text] = m
		if reasons[i] != nil {
			known.keep(m, reasons[i])
		}
	}
	for _, m := range modules {
		if m.refused == "" {
			m.share(trees[m.text])
		}
		if reason := cmp.Or(m.refused, known.of(m)); !m.Parsed && reason != "" {
			p.Faults = append(p.Faults, Fault{Path: m.Path, Reason: reason})
		}
	}
	return nil
}

// parseAll parses modules, several at a time, and returns why the failed ones
// failed. Where the waste budget ends, so do the trees.
func (p *Program) parseAll(ctx context.Context, parser Parser, queue []*Module, known *failures) []error {
	a := known.allowance()
	watch, watched := parser.(watcher)
	watched = watched && known == &p.failed // of versions, nobody knows how many there will be
	var done atomic.Int64
	errs := a.Each(ctx, len(queue), func(at int) (int, error) {
		if watched {
			watch.Parsing(int(done.Load()), len(queue), queue[at].Path)
		}
		err := queue[at].parse(ctx, parser)
		done.Add(1)
		return queue[at].Bytes, err
	})
	for at, m := range queue {
		if a.Spent(at) != nil {
			m.tree, m.folded, m.Parsed = nil, nil, false
		}
	}
	known.spend(a.before(len(queue)))
	return errs
}

// Module returns the module at path, or nil.
func (p *Program) Module(path string) *Module { return p.names.byPath[path] }

// ModuleNamed returns the module with this dotted name, or nil. A package is
// its __init__.py. Where a package shadows a module of the same name, it is
// the package.
func (p *Program) ModuleNamed(name string) *Module { return p.names.byName[name] }

// Manifests are the texts of the files that declare packages and entries, by path.
func (p *Program) Manifests() map[string]string { return p.manifests }

// ModuleBelow is the module of a dotted name below a folder, nil where there is none.
func (p *Program) ModuleBelow(folder, name string) *Module {
	at, _ := p.names.descend(folder, name)
	return at.module
}
