package project

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// gathered is what the tests in trees were found to import of the project.
type gathered struct {
	missing []court.Place
	first   string // the first that is missing
	looked  int
}

// treeCollected follows what tests import of the project's own code: packages
// of Go and the names that are taken from them, files that scripts name by
// where they lie, modules that Rust declares. What a build makes, what is
// ignored, and what a test expects to fail is left out. Of Java, only what is
// there is known: its classes may come from a build.
// The caller holds the lock of the analyses.
func treeCollected(inv *inventory, p *syntax.Program, all *analyse.Analyses) gathered {
	var g gathered
	c := collector{p: p, all: all, paths: map[string]bool{}, folders: map[string]bool{}, names: map[string]map[string]bool{}}
	for _, link := range inv.symlinks { // what it leads to has another name
		c.paths[link], c.folders[link] = true, true
	}
	for _, f := range inv.files {
		c.paths[f.path] = true
		for d := f.dir(); d != ""; d = path.Dir(d) {
			if d == "." || c.folders[d] {
				break
			}
			c.folders[d] = true
		}
		if f.base == ".gitignore" {
			c.ignored = append(c.ignored, strings.Fields(f.text)...)
		}
	}
	for _, f := range p.Files {
		if !f.Parsed || f.Scope != code.ScopeTest || fed(f.Path) {
			continue
		}
		for _, i := range p.Imports(f) {
			if !i.Own || i.Node.Has(syntax.TypeOnly) || i.Node.Has(syntax.Dynamic) || i.Node.Enclosing("try", "func", "if").Valid() {
				continue
			}
			g.looked++
			name, gone := i.Node.Name(), false
			switch f.Language {
			case "go":
				name, gone = c.goMissing(f, i)
			case "rust":
				gone = i.Node.Has(syntax.Module) && i.Path == "" && !decoratedImport(i.Node) && !c.declared(path.Join(path.Dir(f.Path), i.Node.Child("bind").Name()))
			case "javascript", "typescript":
				gone = i.Path == "" && c.scriptMissing(f, name)
			}
			if here := at(i.Node); gone && !slices.Contains(g.missing, here) {
				if g.missing = append(g.missing, here); g.first == "" {
					g.first = name
				}
			}
		}
	}
	return g
}

// collector knows what there is to import.
type collector struct {
	p       *syntax.Program
	all     *analyse.Analyses
	paths   map[string]bool
	folders map[string]bool
	ignored []string                   // by git
	names   map[string]map[string]bool // of Go's packages, by folder; nil: not all of them are known
}

// goMissing is the first name that a test takes from a package of the project
// which does not have it.
func (c *collector) goMissing(f *syntax.File, i syntax.Import) (string, bool) {
	local := i.Node.Child("bind").Name()
	if i.Path == "" || len(i.Files) == 0 || local == "." || local == "_" {
		return "", false
	}
	names := c.goNames(i.Path)
	if names == nil {
		return "", false
	}
	pkg := packageOf(i.Files[0])
	if renamed := i.Node.Child("bind").Start() < i.Node.Start()+len(local) && strings.HasPrefix(i.Node.Text(), local); !renamed && pkg != local {
		local = pkg
	}
	for n := range f.Root().Walk() {
		if n.Is("member") && n.Child("object").Is("name") && n.Child("object").Name() == local && !names[n.Name()] && c.ofPackage(n) {
			return i.Node.Name() + "." + n.Name(), true
		}
	}
	return "", false
}

// ofPackage tells a member of what an import brings, not of a variable of that name.
func (c *collector) ofPackage(n syntax.Node) bool {
	for _, s := range c.all.Written(n.Path(), n.Start(), n.End()) {
		if get := s.Function.Def(s.Function.Root(s.Value())); get != nil && get.Op == il.Get {
			of := c.all.Names.Operand(s.Function, get.Args[0])
			return of != nil && of.Modules != nil
		}
	}
	return false
}

// goNames are the names at the top of a package of Go, those that it has for
// tests only included; nil where a file of it was not read.
func (c *collector) goNames(dir string) map[string]bool {
	if names, ok := c.names[dir]; ok {
		return names
	}
	c.names[dir] = nil
	out := map[string]bool{}
	for p := range c.paths {
		if path.Dir(p) != dir || path.Ext(p) != ".go" {
			continue
		}
		f := c.p.File(p)
		if f == nil || !f.Parsed || f.Examined < f.Bytes || strings.Contains(f.Text(), `import "C"`) {
			return nil
		}
		for n := range f.Root().Children() {
			if n.Is("func", "class", "assign") && !n.Has(syntax.Method) {
				out[n.Name()] = true
				for _, t := range targets(n) {
					out[t] = true
				}
			}
		}
	}
	c.names[dir] = out
	return out
}

// declared tells whether a module of Rust lies where its declaration says.
func (c *collector) declared(name string) bool { return c.folders[name] || c.paths[name+".rs"] }

// decoratedImport tells a declaration of a module under a condition, or with a
// path of its own.
func decoratedImport(n syntax.Node) bool {
	return n.Child("decorator").Valid() || strings.Contains(n.File().Text()[max(0, n.Start()-60):n.Start()], "#[")
}

// scriptMissing tells a path beside a script where nothing lies, in a folder
// that is there, that no build and no list of ignored files speaks of.
func (c *collector) scriptMissing(f *syntax.File, name string) bool {
	if !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") || strings.ContainsAny(name, "?!*$#") {
		return false
	}
	full := path.Join(path.Dir(f.Path), name)
	base := strings.TrimSuffix(path.Base(full), path.Ext(full))
	for part := range strings.SplitSeq(path.Dir(full), "/") {
		switch part {
		case "dist", "build", "lib", "out", "esm", "cjs", "es", "umd", "target", "generated", "__generated__", "gen", "node_modules", "pkg", "wasm", ".next", "coverage":
			return false
		}
	}
	if strings.HasPrefix(full, "..") || full == "." || c.folders[full] || !c.folders[path.Dir(full)] && path.Dir(full) != "." || strings.Contains(strings.ToLower(base), "version") || strings.Contains(strings.ToLower(base), "generated") {
		return false
	}
	for _, pattern := range c.ignored {
		if pattern = strings.Trim(pattern, "/!*"); pattern != "" && (strings.Contains(full, pattern) || strings.TrimSuffix(pattern, path.Ext(pattern)) == full) {
			return false
		}
	}
	for p := range c.paths {
		if rest, ok := strings.CutPrefix(p, path.Join(path.Dir(full), base)); ok && (rest == "" || rest[0] == '.' || rest[0] == '/') {
			return false
		}
	}
	return true
}
