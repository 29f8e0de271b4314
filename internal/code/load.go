package code

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
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
// run Service, or Inline.
type Parser interface {
	Do(ctx context.Context, request []byte) ([]byte, error)
}

// Fault says that a file could not be examined, and why. It describes our
// inquiry, not the file's author: text that is not Python is no fault but
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

	manifests  map[string]string // text of the files that declare entry points and dependencies
	names      moduleNames
	calls      callIndex
	subclasses subclassIndex
	flow       flowIndex
	mentions   mentionIndex
}

// Load parses the Python files among files, concurrently, each once, and
// links them into a Program. Vendored and generated files are not parsed.
// Other files serve only the layout, and manifests the entry points. A file
// that cannot be read becomes a Fault; the error is only ever the context's.
func Load(ctx context.Context, parser Parser, files []File) (*Program, error) {
	return loadFrom(ctx, parser, files, nil)
}

// LoadVersions is Load for versions of files, apart from the program; one that
// the program holds unchanged is not parsed again.
func (p *Program) LoadVersions(ctx context.Context, parser Parser, files []File) (*Program, error) {
	return loadFrom(ctx, parser, files, p)
}

func loadFrom(ctx context.Context, parser Parser, files []File, parsed *Program) (*Program, error) {
	p := &Program{Layout: Survey(files), manifests: map[string]string{}}
	for _, f := range files {
		if f.Bytes == nil {
			continue
		}
		if declares(f.Path) && len(f.Bytes) <= maxSource {
			p.manifests[f.Path], _ = f.Text()
		}
		if f.Language() != "python" {
			continue
		}
		if scope := p.Layout.Scope(f.Path); scope != ScopeVendor && scope != ScopeGenerated {
			m := newModule(p, f, scope)
			if parsed != nil {
				m.share(parsed.Module(m.Path))
			}
			p.Modules = append(p.Modules, m)
		}
	}
	slices.SortStableFunc(p.Modules, func(a, b *Module) int { return strings.Compare(a.Path, b.Path) })
	p.Modules = slices.CompactFunc(p.Modules, func(a, b *Module) bool { return a.Path == b.Path })
	if err := p.parse(ctx, parser); err != nil {
		return nil, err
	}
	p.names.build(p)
	return p, nil
}

// parse fills in the modules' trees and collects the faults. Modules of the
// same text share one tree, or one failure: no text is given to a parser twice.
func (p *Program) parse(ctx context.Context, parser Parser) error {
	firsts := map[string]int{}
	var queue []int // modules to be parsed
	for i, m := range p.Modules {
		if _, known := firsts[m.text]; !known && !m.Parsed {
			firsts[m.text] = i
			queue = append(queue, i)
		}
	}
	reasons := make([]string, len(p.Modules))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(maxParallel, runtime.GOMAXPROCS(0), len(queue)) {
		group.Go(func() {
			for ctx.Err() == nil {
				at := int(next.Add(1)) - 1
				if at >= len(queue) {
					return
				}
				i := queue[at]
				if err := p.Modules[i].parse(ctx, parser); err != nil {
					reasons[i] = err.Error()
				}
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("loading program: %w", err)
	}
	for _, m := range p.Modules {
		if m.Parsed {
			continue
		}
		first := firsts[m.text]
		m.share(p.Modules[first])
		if reason := reasons[first]; reason != "" {
			p.Faults = append(p.Faults, Fault{Path: m.Path, Reason: reason})
		}
	}
	return nil
}

// Module returns the module at path, or nil.
func (p *Program) Module(path string) *Module { return p.names.byPath[path] }

// ModuleNamed returns the module with this dotted name, or nil. A package is
// its __init__.py. Where a package shadows a module of the same name, it is
// the package.
func (p *Program) ModuleNamed(name string) *Module { return p.names.byName[name] }
