package document

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
)

// declaration is a class or function of the project, in any language.
type declaration struct {
	name     string
	path     string
	line     int
	last     int
	scope    code.Scope
	python   *code.Definition // nil in other languages
	node     syntax.Node      // of the others
	topmost  bool             // no method
	exported bool             // of another language than Python: others may use it without being seen here
}

func (d *declaration) at() court.Place {
	return court.Place{Path: d.path, Line: d.line, EndLine: d.line}
}

// declare notes the definitions of the repository by their folded names.
func (a *against) declare() {
	a.defined = map[string][]*declaration{}
	add := func(d *declaration) { a.defined[fold(d.name)] = append(a.defined[fold(d.name)], d) }
	for _, m := range a.program.Modules {
		for _, d := range m.Definitions() {
			if d.Kind != code.DefLambda {
				add(&declaration{name: d.Name, path: m.Path, line: d.Line(), last: d.Node.EndLine(), scope: m.Scope, python: d,
					topmost: d.Kind == code.DefClass || d.Kind == code.DefFunction})
			}
		}
	}
	for _, f := range a.others.Files {
		if !f.Parsed {
			continue
		}
		for n := range f.Root().Walk() {
			if name := declaredName(n); name != "" {
				add(&declaration{name: name, path: f.Path, line: n.Line(), last: n.EndLine(), scope: f.Scope, node: n,
					topmost: !n.Has(syntax.Method), exported: n.Has(syntax.Exported) && !hidden(f)})
			}
		}
	}
}

// declaredName is the name that a node gives to a class or function; Rust's
// implementations of a type declare nothing.
func declaredName(n syntax.Node) string {
	switch {
	case n.Is("class") && n.Detail() != "impl", n.Is("func") && !n.Has(syntax.Lambda):
		return n.Name()
	case n.Is("assign") && n.Has(syntax.Declare) && n.Child("value").Is("func"):
		return n.Name()
	}
	return ""
}

// hidden tells a file whose exported names no other project can use.
func hidden(f *syntax.File) bool {
	if f.Language != "go" {
		return false
	}
	if slices.Contains(strings.Split(f.Path, "/"), "internal") {
		return true
	}
	for n := range f.Root().Children() {
		if n.Is("package") {
			return n.Name() == "main"
		}
	}
	return false
}

// mentions tells whether code but tests uses a name outside of a declaration of
// another language and of imports, in code or in a text.
func (a *against) mentions(d *declaration) bool {
	for _, f := range a.others.Files {
		if !f.Parsed || f.Scope == code.ScopeTest || !strings.Contains(f.Text(), d.name) {
			continue
		}
		for n := range f.Root().Walk() {
			if f.Path == d.path && n.Start() >= d.node.Start() && n.End() <= d.node.End() {
				continue
			}
			switch {
			case n.Is("name", "member", "element", "decorator") && n.Name() == d.name,
				n.Is("type", "string", "class", "template") && strings.Contains(n.Name(), d.name),
				n.Is("call") && n.Has(syntax.Macro) && strings.Contains(n.Text(), d.name):
				return true
			}
		}
	}
	return false
}

// seen is where code in other languages than Python uses a name.
func (a *against) seen(name string, scope code.Scope) []court.Place {
	for _, f := range a.others.Files {
		if !f.Parsed || f.Scope != scope || !strings.Contains(f.Text(), name) {
			continue
		}
		for n := range f.Root().Walk() {
			if n.Is("name", "member", "func", "class", "assign", "param", "entry") && n.Name() == name {
				return []court.Place{{Path: f.Path, Line: n.Line(), EndLine: n.Line()}}
			}
		}
	}
	return nil
}
