package project

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// ownCode is where the project's own code lies that a test may take without an
// import, and its classes by name.
type ownCode struct {
	folders  map[string]bool // of Go, with production code
	packages map[string]bool // of Java, with production code
	classes  map[string][]syntax.Node
}

func findOwnCode(p *syntax.Program) ownCode {
	h := ownCode{map[string]bool{}, map[string]bool{}, map[string][]syntax.Node{}}
	for _, f := range p.Files {
		switch {
		case !f.Parsed:
		case f.Language == "go" && !strings.HasSuffix(f.Path, "_test.go"):
			h.folders[path.Dir(f.Path)] = true
		case f.Language == "java":
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
// reach the program from outside. A file that imports packages of others only
// is not.
func (e *examiner) ofProject(f *syntax.File) bool {
	own, ok := e.own[f.Path]
	if !ok {
		own = e.takesOwn(f)
		e.own[f.Path] = own
	}
	return own
}

func (e *examiner) takesOwn(f *syntax.File) bool {
	imports := e.p.Imports(f)
	switch f.Language {
	case "go":
		if e.ownCode.folders[path.Dir(f.Path)] {
			return true
		}
	case "java":
		if e.ownCode.packages[packageOf(f)] || len(e.ownCode.packages) == 0 {
			return true
		}
	case "rust": // a path needs no import
		return true
	default:
		if len(imports) == 0 || opensBeside(f) { // everything is there already, or lies in files
			return true
		}
	}
	return slices.ContainsFunc(imports, func(i syntax.Import) bool {
		return i.Own || slices.Contains(outside, packageName(i.Package)) || slices.Contains(outside, i.Package)
	})
}

// opensBeside tells a file of JavaScript that names files by where it lies
// itself: what it tests may lie there.
func opensBeside(f *syntax.File) bool {
	for _, word := range []string{"import.meta", "__dirname", "__filename", "require.resolve"} {
		if strings.Contains(f.Text(), word) {
			return true
		}
	}
	return false
}

// outside are packages by which a test reaches a program without importing it.
var outside = []string{"os/exec", "net/http", "net/http/httptest", "github.com/rogpeppe/go-internal/testscript", "child_process", "http", "https", "fs", "playwright",
	"@playwright/test", "puppeteer", "cypress", "supertest", "execa", "selenium-webdriver", "webdriverio", "java.net.http", "org.openqa.selenium"}

// packageName is the package of an import of JavaScript: the first part of its
// name, or the first two where it has a scope.
func packageName(name string) string {
	parts := strings.SplitN(strings.TrimPrefix(name, "node:"), "/", 3)
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}
