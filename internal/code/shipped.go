package code

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Bounds on the vendored and generated files that are parsed because the
// program imports them: a design choice, a few libraries' worth.
const (
	maxBorrowed      = 200
	maxBorrowedBytes = 4 << 20
)

// Shipped returns the program as it ships: with the vendored and generated
// files that production code imports, directly or not, and with the scripts
// that only their first line says to be Python, parsed as well; it is the
// program itself where there are none. The map holds the modules, by path,
// that production code imports although their paths or headers say that they
// are something else. Vendored files that were not looked at, for their number
// or because they cannot be parsed, are among the new Faults.
func (p *Program) Shipped(ctx context.Context, parser Parser, files []File) (*Program, map[string]bool, error) {
	x := &Program{Layout: p.Layout, manifests: p.manifests, failed: failures{left: wasteBudget}}
	foreign := 0
	var scripts []*Module
	for _, f := range files {
		script := f.pythonScript()
		if f.Language() != "python" && !script || f.Bytes == nil {
			continue
		}
		m := newModule(x, f, p.Layout.Scope(f.Path))
		switch own := p.Module(m.Path); {
		case m.borrowable():
			foreign++
		case own != nil:
			m.share(own)
		case script && m.Scope == ScopeOther || m.Scope == ScopeProduction:
			m.Scope = ScopeProduction
			scripts = append(scripts, m)
		default:
			continue
		}
		x.Modules = append(x.Modules, m)
	}
	if foreign+len(scripts) == 0 {
		used, _, err := p.follow(ctx, nil, nil)
		return p, used, err
	}
	slices.SortStableFunc(x.Modules, func(a, b *Module) int { return strings.Compare(a.Path, b.Path) })
	x.names.build(x)
	if err := x.parse(ctx, parser, scripts, &p.failed); err != nil {
		return nil, nil, err
	}
	used, parsed, err := x.follow(ctx, parser, &p.failed)
	if err != nil || parsed+len(scripts) == 0 {
		return p, used, err
	}
	x.Modules = slices.DeleteFunc(x.Modules, func(m *Module) bool { return m.borrowable() && !used[m.Path] })
	return x, used, nil
}

// borrowable tells a file that is not own code by its path or header.
func (m *Module) borrowable() bool { return m.Scope == ScopeVendor || m.Scope == ScopeGenerated }

// pythonShebang is the first line of a script that Python runs.
var pythonShebang = regexp.MustCompile(`^#![^\n]*\bpython[0-9.]*\b`)

// pythonScript tells a script without an extension that is Python's.
func (f File) pythonScript() bool {
	return f.Language() == "" && path.Ext(f.Path) == "" && pythonShebang.Match(f.Bytes[:min(len(f.Bytes), 200)])
}

// follow walks the imports from the production modules, parses the vendored and
// generated files that it comes to, and returns what it met outside of
// production code and the number of such files.
func (p *Program) follow(ctx context.Context, parser Parser, known *failures) (used map[string]bool, borrowed int, err error) {
	used = map[string]bool{}
	var level []*Module
	size := 0
	for _, m := range p.Modules {
		if m.Scope == ScopeProduction {
			level = append(level, m)
		}
	}
	for len(level) > 0 {
		var next, unparsed []*Module
		for _, m := range level {
			for _, target := range p.loaded(m) {
				if target.Scope == ScopeProduction || used[target.Path] {
					continue
				}
				used[target.Path] = true
				if next = append(next, target); !target.borrowable() {
					continue
				}
				borrowed++
				if size += target.Bytes; borrowed > maxBorrowed || size > maxBorrowedBytes {
					p.Faults = append(p.Faults, Fault{target.Path, fmt.Sprintf("at most %d such files and %d bytes are looked at", maxBorrowed, maxBorrowedBytes)})
					continue
				}
				unparsed = append(unparsed, target)
			}
		}
		if len(unparsed) > 0 {
			if err := p.parse(ctx, parser, unparsed, known); err != nil {
				return nil, 0, err
			}
		}
		level = next
	}
	return used, borrowed, nil
}

// loaded lists the modules that Python loads for a module's imports: those
// named, and the packages that they lie in.
func (p *Program) loaded(m *Module) []*Module {
	var out []*Module
	add := func(target *Module) {
		if target != nil && target != m && !slices.Contains(out, target) {
			out = append(out, target)
		}
	}
	for i := range m.indexed().imps {
		spec := &m.indexed().imps[i]
		at, ok, _ := p.findPlace(spec)
		if !ok || typeOnly(spec.node) {
			continue
		}
		add(at.module)
		folder := at.folder
		if sub, found := p.names.sub(at, spec.name); found && spec.name != "" {
			add(sub.module)
		}
		if at.module != nil {
			folder = dirOf(at.module.Path)
		}
		for range maxAbove {
			init := p.names.byPath[path.Join(folder, "__init__.py")]
			if folder == "" || init == nil {
				break
			}
			add(init)
			folder = dirOf(folder)
		}
	}
	return out
}
