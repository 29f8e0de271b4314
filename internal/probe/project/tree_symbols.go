package project

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
)

// inTrees lists the definitions, fields and constants that are asked for, and
// the imports of the name that are used.
func (w symbolWanted) inTrees(p *syntax.Program, scope string) (found, used []court.Place) {
	files := parsed(p, scope)
	types := map[string][]syntax.Node{}
	if w.base != "" {
		for _, f := range p.Files {
			for n := range f.Root().Walk() {
				if n.Is("class") {
					types[n.Name()] = append(types[n.Name()], n)
				}
			}
		}
	}
	for _, f := range files {
		for n := range f.Root().Walk() {
			if w.defines(n, types) {
				found = append(found, at(n))
			}
		}
		if w.kind == "any" && w.name != "*" && w.base == "" {
			used = append(used, w.importedIn(f)...)
		}
	}
	return slices.Compact(found), used
}

// defines tells a node that defines what is asked for.
func (w symbolWanted) defines(n syntax.Node, types map[string][]syntax.Node) bool {
	var kinds []string
	switch n.Kind() {
	case "class":
		if n.Detail() == "impl" || n.Name() == "" {
			return false
		}
		kinds = []string{"class"}
	case "func":
		switch {
		case n.Name() == "":
			return false
		case n.Has(syntax.Method):
			kinds = []string{"method", "function"}
		default:
			kinds = []string{"function"}
		}
	case "assign":
		if kinds = declares(n); kinds == nil {
			return false
		}
	default:
		return false
	}
	if w.base != "" {
		return kinds[0] == "class" && w.re.MatchString(qualified(n)) && w.inherits(n, types, 6)
	}
	if w.kind != "any" && !slices.Contains(kinds, w.kind) {
		return false
	}
	if n.Is("assign") && n.Name() == "" {
		return slices.ContainsFunc(targets(n), func(t string) bool { return w.re.MatchString(owner(n) + t) })
	}
	return w.re.MatchString(qualified(n))
}

// targets are the names that a declaration of several gives.
func targets(n syntax.Node) []string {
	var out []string
	for t := range n.Children("target") {
		if t.Is("name") {
			out = append(out, t.Name())
		}
	}
	return out
}

// declares is what kinds of thing a declaration is: a function where it names
// one, a constant at the top of a file or a fixed field, else a field; nil for
// what is local.
func declares(n syntax.Node) []string {
	switch {
	case !n.Has(syntax.Declare):
		return nil
	case n.Child("value").Is("func"):
		return []string{"function"}
	case n.Has(syntax.Field):
		if n.Has(syntax.Constant) && n.Has(syntax.Static) {
			return []string{"constant", "field"}
		}
		return []string{"field"}
	}
	for a := range n.Around() {
		if a.Is("func", "class") {
			return nil
		}
	}
	return []string{"constant"}
}

// qualified is the name of a definition with its class and its package or file.
func qualified(n syntax.Node) string { return owner(n) + n.Name() }

// owner is what stands before the name of a definition: package or file, and
// the types around it, with dots.
func owner(n syntax.Node) string {
	out := ""
	if r := n.Child("receiver").Child("type").Name(); r != "" && n.File().Language == "go" {
		name, _, _ := strings.Cut(strings.TrimLeft(r, "*"), "[")
		out = name + "."
	}
	for a := range n.Around() {
		switch {
		case a.Is("class") && a.Name() != "":
			name, _, _ := strings.Cut(a.Name(), "<")
			out = dots(name) + "." + out
		case a.Is("func") && a.Name() != "":
			out = a.Name() + "." + out
		}
	}
	pkg := packageOf(n.File())
	if pkg == "" {
		pkg = strings.TrimSuffix(path.Base(n.Path()), path.Ext(n.Path()))
	}
	return pkg + "." + out
}

// inherits tells whether a class has the base that is asked for, directly or by
// classes of the project.
func (w symbolWanted) inherits(class syntax.Node, types map[string][]syntax.Node, depth int) bool {
	re, err := nameGlob(dots(w.base))
	if err != nil || depth == 0 {
		return false
	}
	for b := range class.Children("base") {
		name, _, _ := strings.Cut(strings.TrimLeft(dots(b.Name()), "*&"), "<")
		name, _, _ = strings.Cut(name, "[")
		head, rest, _ := strings.Cut(name, ".")
		from, other := bound(class.File(), head)
		full := strings.Trim(dots(from)+"."+other+"."+rest, ".")
		if re.MatchString(name) || from != "" && (re.MatchString(full) || re.MatchString(dots(from))) {
			return true
		}
		for _, t := range types[name[strings.LastIndexByte(name, '.')+1:]] {
			if t != class && w.inherits(t, types, depth-1) {
				return true
			}
		}
	}
	if class.Detail() == "impl" {
		return false
	}
	for _, t := range types[class.Name()] { // Rust says elsewhere what a type is
		if of := t.Child("of").Name(); t.Detail() == "impl" && of != "" {
			if name, _, _ := strings.Cut(dots(of), "<"); re.MatchString(name) {
				return true
			}
		}
	}
	return false
}

// importedIn lists the imports of the name that a file uses.
func (w symbolWanted) importedIn(f *syntax.File) []court.Place {
	var out []court.Place
	for n := range f.Root().Children() {
		if !n.Is("import") {
			continue
		}
		for b := range n.Children("bind") {
			full := dots(n.Name())
			if of := b.Child("of").Name(); of != "" && of != "*" && !strings.HasSuffix(full, "."+of) {
				full += "." + of
			}
			if w.re.MatchString(full) && wordIn(f.Text()[n.End():], b.Name()) >= 0 {
				out = append(out, at(n))
			}
		}
	}
	return out
}
