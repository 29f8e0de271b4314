package project

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// homes is what of a project's own code a test may take: packages, folders and
// classes.
type homes struct {
	packages map[string]bool // Java: names of packages with production code
	folders  map[string]bool // Go: folders with production code
	classes  map[string][]syntax.Node
}

func findHomes(p *syntax.Program) homes {
	h := homes{map[string]bool{}, map[string]bool{}, map[string][]syntax.Node{}}
	for _, f := range p.Files {
		if !f.Parsed {
			continue
		}
		if f.Scope != code.ScopeTest || !strings.HasSuffix(f.Path, "_test.go") {
			switch f.Language {
			case "go":
				h.folders[path.Dir(f.Path)] = true
			case "java":
				if f.Scope != code.ScopeTest {
					h.packages[packageOf(f)] = true
				}
				for c := range f.Root().Children() {
					if c.Is("class") {
						h.classes[c.Name()] = append(h.classes[c.Name()], c)
					}
				}
			}
		}
	}
	return h
}

// packageOf is the name of the package that a file says it belongs to.
func packageOf(f *syntax.File) string {
	for n := range f.Root().Children() {
		if n.Is("package") {
			return n.Name()
		}
	}
	return ""
}

// ofProject tells whether the tests of a file are of this project's code, as far
// as that can be told: they lie in its package, import something of it, or
// start a program. A file that imports other packages only is not.
func (e *examiner) ofProject(f *syntax.File) bool {
	own, ok := e.own[f.Path]
	if !ok {
		own = e.takesOwn(f)
		e.own[f.Path] = own
	}
	return own
}

func (e *examiner) takesOwn(f *syntax.File) bool {
	switch f.Language {
	case "go":
		return e.homes.folders[path.Dir(f.Path)] || e.takesFolder(f)
	case "java":
		return e.homes.packages[packageOf(f)] || len(e.homes.packages) == 0 || e.takesPackage(f)
	case "javascript", "typescript":
		return e.takesModule(f)
	}
	return true
}

// outside are packages by which a test reaches a program without importing it.
var outside = []string{"os/exec", "net/http", "child_process", "http", "https", "fs", "playwright", "@playwright/test", "puppeteer", "cypress", "supertest", "execa", "selenium-webdriver", "webdriverio", "testscript"}

func (e *examiner) takesFolder(f *syntax.File) bool {
	for n := range f.Root().Children() {
		if !n.Is("import") {
			continue
		}
		for _, o := range outside {
			if n.Name() == o || strings.HasSuffix(n.Name(), "/"+o) {
				return true
			}
		}
		for dir := range e.homes.folders {
			if dir == "." && strings.Contains(n.Name(), ".") || dir != "." && strings.HasSuffix(n.Name(), "/"+dir) {
				return true
			}
		}
	}
	return false
}

func (e *examiner) takesPackage(f *syntax.File) bool {
	for n := range f.Root().Children() {
		if !n.Is("import") {
			continue
		}
		for name := n.Name(); name != ""; {
			if e.homes.packages[name] {
				return true
			}
			cut := strings.LastIndexByte(name, '.')
			name = name[:max(cut, 0)]
		}
	}
	return false
}

// scriptPackages are the packages that the manifests of a repository are, and
// those that they ask for.
type scriptPackages struct{ own, others map[string]bool }

func findPackages(inv *inventory) scriptPackages {
	s := scriptPackages{map[string]bool{}, map[string]bool{}}
	for _, f := range inv.files {
		if f.base != "package.json" || f.scope == code.ScopeVendor {
			continue
		}
		var m struct {
			Name                                                                  string
			Dependencies, DevDependencies, PeerDependencies, OptionalDependencies map[string]json.RawMessage
		}
		if json.Unmarshal([]byte(f.text), &m) != nil {
			continue
		}
		if m.Name != "" && !f.foreign() {
			s.own[m.Name] = true
		}
		for _, all := range []map[string]json.RawMessage{m.Dependencies, m.DevDependencies, m.PeerDependencies, m.OptionalDependencies} {
			for name := range all {
				s.others[name] = true
			}
		}
	}
	return s
}

// packageName is the package of an import: the first part of its name, or the
// first two where it has a scope.
func packageName(name string) string {
	parts := strings.SplitN(name, "/", 3)
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// takesModule tells a test file of JavaScript that imports other than packages
// that the manifests ask for, that imports nothing at all because everything is
// there already, or that reaches the program from outside.
func (e *examiner) takesModule(f *syntax.File) bool {
	known := false
	for n := range f.Root().Walk() {
		if !n.Is("import") {
			continue
		}
		known = true
		name := strings.TrimPrefix(n.Name(), "node:")
		pkg := packageName(name)
		if e.packages.own[pkg] || slices.Contains(outside, pkg) || !e.packages.others[pkg] && !slices.Contains(scriptBuiltIn, pkg) {
			return true
		}
	}
	return !known
}

// scriptBuiltIn are modules of the runtime that reach nothing outside.
var scriptBuiltIn = []string{"assert", "test", "path", "url", "util", "os", "events", "stream", "buffer", "crypto", "timers", "vm", "zlib", "querystring", "perf_hooks", "bun:test"}
