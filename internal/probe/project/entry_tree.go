package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// javaStarts are annotations of a class by which a framework starts a program.
var javaStarts = regexp.MustCompile(`(?:^|\.)(?:SpringBootApplication|QuarkusMain|MicronautApplication)$`)

// treeStart is the line by which a file starts a program, 0 when it does not: a
// main function where the language wants it, a class that a framework starts, a
// script that listens or draws. What a build of Rust runs starts no program.
func treeStart(f *syntax.File) int {
	switch f.Language {
	case "go":
		if packageOf(f) != "main" {
			return 0
		}
		return topFunction(f, "main")
	case "rust":
		if f.Path == "build.rs" || strings.HasSuffix(f.Path, "/build.rs") {
			return 0
		}
		return topFunction(f, "main")
	case "java":
		for n := range f.Root().Walk() {
			if n.Is("class") && annotated(n, javaStarts) || n.Is("func") && javaMain(n) {
				return n.Line()
			}
		}
	case "javascript", "typescript":
		if strings.HasPrefix(f.Text(), "#!") {
			return 1
		}
		for n := range f.Root().Walk() {
			if n.Is("call") && scriptStarts(n) {
				return n.Line()
			}
		}
	}
	return 0
}

func topFunction(f *syntax.File, name string) int {
	for n := range f.Root().Children() {
		if n.Is("func") && n.Name() == name && !n.Has(syntax.Method) && !n.Child("param").Valid() {
			return n.Line()
		}
	}
	return 0
}

// javaMain tells a method that Java starts a program with: of old with what was
// written on the command line, newly without.
func javaMain(n syntax.Node) bool {
	if n.Name() != "main" || n.Child("result").Name() != "void" && n.Child("result").Valid() {
		return false
	}
	first, second := n.Nth("param", 0), n.Nth("param", 1)
	if !first.Valid() {
		return n.Child("body").Valid()
	}
	return !second.Valid() && strings.HasPrefix(first.Child("type").Name(), "String")
}

// scriptStarts tells a call that starts a server or draws a page. What listens
// by a function only is told of events.
func scriptStarts(n syntax.Node) bool {
	name := spelled(n.Child("callee"))
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "listen":
		return strings.Contains(name, ".") && !n.Nth("arg", 0).Is("func")
	case "createRoot", "createApp", "bootstrapApplication", "hydrateRoot":
		return true
	case "render":
		return strings.HasSuffix(name, "ReactDOM.render")
	case "serve":
		return name == "Deno.serve" || name == "Bun.serve"
	}
	return false
}
