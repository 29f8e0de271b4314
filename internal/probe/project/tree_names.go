package project

import (
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// calledName is a pattern for one of some names of calls: the whole name as it
// is written or as the imports make it, or its end.
func calledName(names []string) *regexp.Regexp {
	var all []string
	for _, n := range names {
		n = dots(strings.TrimSuffix(n, "!"))
		all = append(all, strings.ReplaceAll(regexp.QuoteMeta(n), `\*`, `.*`))
	}
	re, err := regexp.Compile(`^(?:.*[./])?(?:` + strings.Join(all, "|") + `)$`)
	if err != nil { // bytes that are no text: nothing in code has such a name
		return regexp.MustCompile(`^\b$`)
	}
	return re
}

// treeCalls lists the calls of one of some names, and whether one of the files
// is read less well than in full. The caller holds the lock of the analyses.
func treeCalls(p *syntax.Program, all *analyse.Analyses, names []string, arg, scope string) (found []court.Place, weak bool) {
	re := calledName(names)
	var ends []string
	for _, n := range names {
		n = dots(n)
		ends = append(ends, n[strings.LastIndexByte(n, '.')+1:])
	}
	end := calledName(ends)
	for _, f := range parsed(p, scope) {
		weak = weak || sourceOf(f) != court.AST
		renamed := renames(f)
		for n := range f.Root().Walk() {
			if !n.Is("call") {
				continue
			}
			callee := n.Child("callee")
			if name := last(callee); name == "" || !end.MatchString(name) && !renamed[name] {
				continue
			}
			if meant(all, n, re) && handed(n, arg) {
				found = append(found, at(callee))
			}
		}
	}
	return slices.Compact(found), weak
}

// renames are the names of a file that are imported under another name.
func renames(f *syntax.File) map[string]bool {
	out := map[string]bool{}
	for n := range f.Root().Children() {
		if !n.Is("import") {
			continue
		}
		for b := range n.Children("bind") {
			if of := b.Child("of").Name(); of != "" && of != b.Name() {
				out[b.Name()] = true
			}
		}
	}
	return out
}

// meant tells whether what a call calls fits a pattern, as it is written or in full.
func meant(all *analyse.Analyses, call syntax.Node, re *regexp.Regexp) bool {
	name := spelled(call.Child("callee"))
	return name != "" && (re.MatchString(name) || re.MatchString(inFull(all, call)))
}

// inFull is the full name of what a call calls, "" where that is not known.
func inFull(all *analyse.Analyses, call syntax.Node) string {
	at, ok := all.CallAt(call.Path(), call.Start(), call.End())
	if !ok {
		return ""
	}
	name, _ := all.Names.Called(at.Function, at.At)
	return name
}

// bound is the module that a name of a file is imported from, and the name that
// it has there; "" for the module itself.
func bound(f *syntax.File, name string) (module, other string) {
	for n := range f.Root().Children() {
		if !n.Is("import") {
			continue
		}
		for b := range n.Children("bind") {
			if b.Name() == name {
				return strings.TrimPrefix(n.Name(), "node:"), b.Child("of").Name()
			}
		}
	}
	return "", ""
}

// handed tells whether a call is given an argument, of that value if one is
// asked for: a keyword, an entry of an object or struct, or a position.
func handed(call syntax.Node, arg string) bool {
	if arg == "" {
		return true
	}
	name, value, valued := strings.Cut(arg, "=")
	name, value = strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"'`)
	same := func(n syntax.Node) bool {
		if !n.Valid() || !valued {
			return n.Valid()
		}
		text, ok := unquoted(n)
		return ok && text == value || n.Text() == value
	}
	if i, err := strconv.Atoi(name); err == nil {
		return i >= 0 && same(call.Nth("arg", i))
	}
	for a := range call.Children("arg") {
		if a.Has(syntax.Keyword) && a.Name() == name {
			v := a.Child("value")
			if !v.Valid() {
				v = a
			}
			return same(v)
		}
		for a.Is("unary") { // &Options{...}
			a = a.Child("value")
		}
		for e := range a.Children() {
			if a.Is("record") && e.Is("entry") && e.Name() == name {
				return same(e.Child("value"))
			}
		}
	}
	return false
}

// treeImports lists the imports of one of some modules or of something in it.
func treeImports(p *syntax.Program, modules []string, scope string) []court.Place {
	var found []court.Place
	for _, f := range parsed(p, scope) {
		for n := range f.Root().Walk() {
			if n.Is("import") && slices.ContainsFunc(modules, func(m string) bool { return brought(n, m) }) ||
				f.Language == "rust" && n.Is("member") && n.Role() != "object" && slices.ContainsFunc(modules, func(m string) bool { return pathOf(n, m) }) {
				found = append(found, at(n))
			}
		}
	}
	return slices.Compact(found)
}

// brought tells whether an import is of a module or of something in it. A path
// of Go may be named by its end, as in "testify".
func brought(n syntax.Node, module string) bool {
	name := n.Name()
	switch n.File().Language {
	case "java", "rust":
		name, module = strings.ReplaceAll(dots(name), "-", "_"), strings.ReplaceAll(dots(module), "-", "_")
		return name == module || strings.HasPrefix(name, module+".")
	case "go":
		return strings.Contains("/"+name+"/", "/"+module+"/")
	}
	name, module = strings.TrimPrefix(name, "node:"), strings.TrimPrefix(module, "node:")
	if name == module || strings.HasPrefix(name, module+"/") {
		return true
	}
	for b := range n.Children("bind") {
		if of := b.Child("of").Name(); of != "" && name+"."+of == module {
			return true
		}
	}
	return false
}

// pathOf tells a path of Rust that begins with a module and needs no import.
func pathOf(n syntax.Node, module string) bool {
	name, module := spelled(n), strings.ReplaceAll(dots(module), "-", "_")
	return strings.HasPrefix(name, module+".") && first(n).Is("name") && n.Detail() != "."
}

// treeDecorators lists the decorators, annotations and attributes of a name;
// what Rust derives is named in an attribute.
func treeDecorators(p *syntax.Program, re *regexp.Regexp, scope string) []court.Place {
	var found []court.Place
	for _, f := range parsed(p, scope) {
		for n := range f.Root().Walk() {
			if !n.Is("decorator") {
				continue
			}
			hit := re.MatchString(dots(n.Name())) || re.MatchString(decoratorInFull(n))
			if n.Name() == "derive" {
				for a := range n.Children("arg") {
					hit = hit || re.MatchString(spelled(a))
				}
			}
			if hit {
				found = append(found, at(n))
			}
		}
	}
	return found
}

// decoratorInFull is the name of a decorator with what it is imported from.
func decoratorInFull(n syntax.Node) string {
	head, rest, dotted := strings.Cut(dots(n.Name()), ".")
	from, other := bound(n.File(), head)
	if from == "" {
		return n.Name()
	}
	full := dots(from)
	if other != "" && !strings.HasSuffix(full, "."+other) {
		full += "." + other
	}
	if dotted {
		full += "." + rest
	}
	return full
}
