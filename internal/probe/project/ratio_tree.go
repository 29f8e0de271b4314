package project

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// subject is what tests import as one: a file, in Go a package.
type subject struct {
	at        court.Place
	functions int
	reached   bool
}

// units are the production code of a program with functions that do something,
// by the path of the file or Go's folder.
func units(p *syntax.Program) map[string]*subject {
	out := map[string]*subject{}
	for _, f := range parsed(p, "production") {
		n := 0
		for x := range f.Root().Walk() {
			if x.Is("func") && productiveFunction(x) {
				n++
			}
		}
		if n == 0 {
			continue
		}
		u := out[unitOf(f)]
		if u == nil {
			u = &subject{at: court.Place{Path: f.Path}}
			out[unitOf(f)] = u
		}
		u.functions += n
	}
	return out
}

func unitOf(f *syntax.File) string {
	if f.Language == "go" {
		return path.Dir(f.Path)
	}
	return f.Path
}

// productiveFunction tells a function by name that does something. What only
// hands a field in or out does not, nor does what is compiled for tests only.
func productiveFunction(n syntax.Node) bool {
	if functionName(n) == "" || !filled(n) || n.Role() == "arg" || n.File().Language == "rust" && (n.Has(syntax.Test) || inTestModule(n)) {
		return false
	}
	body := n.Child("body")
	if !body.Is("block") {
		return !simple(body)
	}
	statements := 0
	for c := range body.Children() {
		statements++
		if statements > 1 {
			return true
		}
		switch {
		case c.Is("return"):
			if !simple(c.Child("value")) {
				return true
			}
		case c.Is("assign") && c.Child("target").Is("member"):
			if !simple(c.Child("value")) {
				return true
			}
		case !simple(c):
			return true
		}
	}
	return false
}

// simple tells a name, a field or a literal.
func simple(n syntax.Node) bool {
	for n.Is("unary") {
		n = n.Child("value")
	}
	return !n.Valid() || n.Is("name", "string", "number", "bool", "nil") || n.Is("member") && simple(n.Child("object"))
}

// reach marks the units that tests reach: by an import, in Go and Java from
// within the package, in Rust from within the file, or by starting the program
// whose file they are part of.
func reach(p *syntax.Program, all map[string]*subject, found []trial) {
	r := reaching{p: p, units: all, seen: map[string]bool{}, words: map[string]map[string]bool{}}
	for _, t := range found {
		if !t.tree {
			continue
		}
		f := p.File(t.at.Path)
		r.mark(unitOf(f)) // Go's package, or Rust's file
	}
	for _, f := range p.Files {
		if !f.Parsed || f.Scope != code.ScopeTest || fed(f.Path) {
			continue
		}
		r.follow(f)
	}
	r.inPackages()
}

type reaching struct {
	p     *syntax.Program
	units map[string]*subject
	seen  map[string]bool
	words map[string]map[string]bool // of test files, by Java's package
}

func (r *reaching) mark(key string) {
	if u := r.units[key]; u != nil {
		u.reached = true
	}
}

// follow marks what a test file imports.
func (r *reaching) follow(f *syntax.File) {
	for _, i := range r.p.Imports(f) {
		if f.Language == "java" && i.Node.Child("bind").Child("of").Name() == "*" {
			for _, x := range i.Files {
				r.note(packageOf(x), f)
			}
			continue
		}
		for _, x := range i.Files {
			r.pass(x)
		}
	}
	switch f.Language {
	case "java":
		r.note(packageOf(f), f)
	case "rust":
		if startsProgram.MatchString(f.Text()) {
			r.program(f)
		}
	}
}

// startsProgram is how a test of Rust starts the program that it is built with.
var startsProgram = regexp.MustCompile(`CARGO_BIN_EXE|\bcargo_bin\b|\bassert_cmd\b|\bprocess::Command\b|\bcurrent_exe\b`)

// pass marks a file, and what a file passes on that only gathers others.
func (r *reaching) pass(f *syntax.File) {
	if r.seen[f.Path] {
		return
	}
	r.seen[f.Path] = true
	r.mark(unitOf(f))
	base := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	script := f.Language == "javascript" || f.Language == "typescript"
	for _, i := range r.p.Imports(f) {
		if i.Node.Has(syntax.Reexport) || script && base == "index" {
			for _, x := range i.Files {
				r.pass(x)
			}
		}
	}
}

// program marks the files of the programs of the crate that a test belongs to:
// a test cannot import them, only start them.
func (r *reaching) program(test *syntax.File) {
	home := path.Dir(path.Dir(test.Path))
	for _, f := range r.p.Files {
		if f.Language == "rust" && f.Parsed && (f.Path == path.Join(home, "src/main.rs") || path.Dir(f.Path) == path.Join(home, "src/bin")) {
			r.declared(f)
		}
	}
}

// declared marks a file of Rust and those that it declares as its modules.
func (r *reaching) declared(f *syntax.File) {
	if r.seen["mod "+f.Path] {
		return
	}
	r.seen["mod "+f.Path] = true
	r.mark(f.Path)
	for _, i := range r.p.Imports(f) {
		if i.Node.Has(syntax.Module) {
			for _, x := range i.Files {
				r.declared(x)
			}
		}
	}
}

// note keeps the words of a test file that sees a package of Java.
func (r *reaching) note(pkg string, f *syntax.File) {
	if r.seen[pkg+" "+f.Path] {
		return
	}
	r.seen[pkg+" "+f.Path] = true
	words := r.words[pkg]
	if words == nil {
		words = map[string]bool{}
		r.words[pkg] = words
	}
	for n := range f.Root().Walk() {
		switch {
		case n.Is("name") && capital(n.Name()):
			words[n.Name()] = true
		case n.Is("type"):
			for w := range strings.FieldsFuncSeq(n.Name(), func(c rune) bool { return strings.ContainsRune("<>,.[]? &", c) }) {
				if capital(w) {
					words[w] = true
				}
			}
		}
	}
}

func capital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// inPackages marks the classes of Java that tests of their package name.
func (r *reaching) inPackages() {
	for key, u := range r.units {
		f := r.p.File(key)
		if u.reached || f == nil || f.Language != "java" {
			continue
		}
		words := r.words[packageOf(f)]
		for c := range f.Root().Children() {
			u.reached = u.reached || c.Is("class") && words[c.Name()]
		}
	}
}

// unreached are the places of the units that no test reaches, by path, and how many
// functions all units have.
func unreached(all map[string]*subject) (open []court.Place, functions int) {
	for _, u := range all {
		functions += u.functions
		if !u.reached {
			open = append(open, u.at)
		}
	}
	slices.SortFunc(open, comparePlaces)
	return open, functions
}
