package project

import (
	"context"
	"errors"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// trees is the code that package syntax reads. Where nobody can read it there
// is none, and what is asked is answered by lines of text.
func trees(ctx context.Context, s *probe.Scene) (*syntax.Program, error) {
	p, err := s.Syntax(ctx)
	if _, ok := errors.AsType[*probe.Unable](err); ok {
		return &syntax.Program{}, nil
	}
	return p, err
}

// parsed lists the files with a tree in a scope.
func parsed(p *syntax.Program, scope string) []*syntax.File {
	var out []*syntax.File
	for _, f := range p.Files {
		if f.Parsed && (file{scope: f.Scope}).inScope(scope) {
			out = append(out, f)
		}
	}
	return out
}

// sourceOf is how well the language of a tree is read.
func sourceOf(f *syntax.File) court.Source {
	if f.Language == "go" {
		return court.AST
	}
	return court.Structure
}

// sourceAt is how well the languages of some places are read: the least of
// them.
func sourceAt(places []court.Place) court.Source {
	for _, p := range places {
		if lang := (code.File{Path: p.Path}).Language(); lang != "" && lang.Level() != 'A' {
			return court.Structure
		}
	}
	return court.AST
}

// weaker is the source of a finding that rests on both.
func weaker(a, b court.Source) court.Source {
	if a == court.AST {
		return b
	}
	return a
}

func at(n syntax.Node) court.Place { return court.Place{Path: n.Path(), Line: n.Line()} }

// spelled is a name as it is written, with dots whatever the language writes:
// "a.b", "f().c"; "" for what is not a name.
func spelled(n syntax.Node) string {
	switch n.Kind() {
	case "name":
		return n.Name()
	case "member":
		if o := spelled(n.Child("object")); o != "" {
			return o + "." + n.Name()
		}
		return "?." + n.Name()
	case "call":
		if c := spelled(n.Child("callee")); c != "" {
			return c + "()"
		}
	}
	return ""
}

// first is the outermost object of a chain of members and calls: expect in
// expect(x).not.toBe(y).
func first(n syntax.Node) syntax.Node {
	for {
		var inner syntax.Node
		switch n.Kind() {
		case "member", "index":
			inner = n.Child("object")
		case "call":
			inner = n.Child("callee")
		case "unary", "cast":
			inner = n.Child("value")
		}
		if !inner.Valid() {
			return n
		}
		n = inner
	}
}

// last is the name that a callee ends with.
func last(n syntax.Node) string {
	if n.Is("name", "member") {
		return n.Name()
	}
	return ""
}

// constant tells an expression of literals only.
func constant(n syntax.Node) bool {
	for x := range n.Walk() {
		if x.Is("name", "member", "call", "index", "func", "element", "other", "broken") || x.Is("entry") && x.Child("key").Is("call") {
			return false
		}
	}
	return n.Valid()
}

// unquoted is the constant text of a node: a string, or a name that the file
// gives one to at its top.
func unquoted(n syntax.Node) (string, bool) {
	switch {
	case n.Is("string"):
		return n.Name(), true
	case n.Is("template"):
		var text strings.Builder
		for c := range n.Children() {
			if !c.Is("string") {
				return "", false
			}
			text.WriteString(c.Name())
		}
		return text.String(), true
	case n.Is("name"):
		for a := range n.File().Root().Children() {
			if a.Is("assign") && a.Has(syntax.Declare) && a.Name() == n.Name() && a.Child("value").Is("string") {
				return a.Child("value").Name(), true
			}
		}
	}
	return "", false
}

// dots writes Rust's paths as other languages do.
func dots(name string) string { return strings.ReplaceAll(name, "::", ".") }

// moduleOf is what a name of a file is imported from; "" when it is not
// imported.
func moduleOf(f *syntax.File, name string) string {
	for n := range f.Root().Children() {
		if !n.Is("import") {
			continue
		}
		for b := range n.Children("bind") {
			if b.Name() == name {
				return strings.TrimPrefix(n.Name(), "node:")
			}
		}
	}
	return ""
}
