package quality

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// interfaces are the items of the other languages that are offered to others
// and are to be documented. What only a program has, which offers nothing, is
// not among them.
func (d *codebase) interfaces(manifests map[string][]byte) (out []syntax.Node) {
	modules := newSurface(d, manifests)
	for _, f := range d.files {
		pick := modules.picker(f)
		if pick == nil {
			continue
		}
		for n := range nodes(f) {
			if n.Is("func", "class") && called(n) != "" && pick(n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// surface is what packages offer.
type surface struct {
	d         *codebase
	manifests map[string][]byte
	shown     map[string]map[string]bool // Rust: by crate's folder, the names that are handed on
	declared  map[string]bool            // Go: methods of the project's interfaces, documented there
	// JavaScript and TypeScript: what the entries of published packages hand out
	// of a file, "*" for all of it.
	entered map[*syntax.File]map[string]bool
}

func newSurface(d *codebase, manifests map[string][]byte) *surface {
	s := &surface{d: d, manifests: manifests, shown: map[string]map[string]bool{}, declared: map[string]bool{}, entered: map[*syntax.File]map[string]bool{}}
	s.enter()
	for _, f := range d.files {
		switch f.Language {
		case "go":
			s.declare(f)
		case "rust":
			s.show(f)
		}
	}
	return s
}

// declare notes the methods of a Go file's interfaces.
func (s *surface) declare(f *syntax.File) {
	for c := range f.Root().Children() {
		if c.Is("class") && c.Detail() == "interface" {
			for m := range c.Children("member") {
				s.declared[m.Name()] = s.declared[m.Name()] || m.Is("func")
			}
		}
	}
}

// show notes the names that a Rust file hands on.
func (s *surface) show(f *syntax.File) {
	dir := s.crate(f)
	if s.shown[dir] == nil {
		s.shown[dir] = map[string]bool{}
	}
	for n := range f.Root().Walk() {
		if !n.Is("import") || !n.Has(syntax.Exported) && !n.Has(syntax.Reexport) {
			continue
		}
		name := strings.TrimPrefix(n.Name(), "self::")
		s.shown[dir][name[strings.LastIndexByte(name, ':')+1:]] = true
		for b := range n.Children("bind") {
			s.shown[dir][b.Name()] = true
			s.shown[dir][b.Child("of").Name()] = true
		}
	}
}

// crate is the folder of the manifest above a Rust file.
func (s *surface) crate(f *syntax.File) string {
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		if _, ok := s.manifests[path.Join(dir, "Cargo.toml")]; ok || dir == "." {
			return dir
		}
	}
}

// picker tells which definitions of a file are offered; nil: none.
func (s *surface) picker(f *syntax.File) func(syntax.Node) bool {
	switch f.Language {
	case "go":
		if goMain(f) {
			return nil
		}
		return s.goOffers
	case "java":
		if slices.Contains(strings.Split(path.Dir(f.Path), "/"), "internal") {
			return nil // for the project itself, by Java's custom
		}
		return javaOffers
	case "rust":
		if !libraryCrate(f, s.manifests) || path.Base(f.Path) == "main.rs" || path.Base(f.Path) == "build.rs" || strings.Contains(f.Path, "src/bin/") {
			return nil
		}
		names := s.shown[s.crate(f)]
		return func(n syntax.Node) bool { return rustOffers(n, f, names) }
	default:
		names := s.entered[f]
		if len(names) == 0 {
			return nil
		}
		return func(n syntax.Node) bool { return scriptOffers(n) && (names["*"] || names[called(n)]) }
	}
}

// goOffers tells exported functions and types, and exported methods of exported
// types that no interface asks for, of the project or of the language's own.
func (s *surface) goOffers(n syntax.Node) bool {
	if !n.Has(syntax.Exported) || !n.Parent().Is("file") {
		return false
	}
	if r := n.Child("receiver"); r.Valid() {
		of := strings.TrimLeft(r.Child("type").Name(), "*")
		return of != "" && !s.declared[n.Name()] && of[0] >= 'A' && of[0] <= 'Z' && !slices.Contains([]string{"String", "Error", "Len", "Less", "Swap", "Read", "Write", "Close", "Unwrap", "Is", "As", "MarshalJSON", "UnmarshalJSON", "MarshalText",
			"UnmarshalText", "ServeHTTP", "Scan", "Value", "Format", "GoString"}, n.Name())
	}
	return true
}

// javaOffers tells public classes and the public methods of public classes.
// What overrides, gives or takes one field, or is a constructor, says little.
func javaOffers(n syntax.Node) bool {
	if !n.Has(syntax.Exported) || n.Enclosing("func").Valid() || n.Has(syntax.Constructor) {
		return false
	}
	for a := range n.Around() {
		if a.Is("class") && (!a.Has(syntax.Exported) || a.Name() == "") {
			return false
		}
	}
	for x := range n.Children("decorator") {
		if x.Name() == "Override" || x.Name() == "Test" {
			return false
		}
	}
	if !n.Is("func") {
		return n.Is("class")
	}
	name := n.Name()
	accessor := (strings.HasPrefix(name, "get") || strings.HasPrefix(name, "set") || strings.HasPrefix(name, "is") || strings.HasPrefix(name, "with")) && n.EndLine()-n.Line() < 4
	return !accessor && name != "main" && (!n.Child("body").Valid() || n.EndLine()-n.Line() >= 3)
}

// rustOffers tells public items in modules that are public as far as the file
// shows, or that are handed on by name.
func rustOffers(n syntax.Node, f *syntax.File, names map[string]bool) bool {
	if !n.Has(syntax.Exported) || n.Is("class") && n.Detail() == "impl" || n.Enclosing("func").Valid() {
		return false
	}
	owner := n.Name()
	for a := range n.Around() {
		switch {
		case a.Is("class") && a.Detail() == "impl":
			if a.Child("of").Valid() {
				return false // of a trait
			}
			owner = a.Name()
		case a.Is("other") && a.Has(syntax.Module) && !a.Has(syntax.Exported):
			return names[owner]
		}
	}
	base := strings.TrimSuffix(path.Base(f.Path), ".rs")
	return base == "lib" || names[owner] || names["*"] && names[base]
}

// scriptOffers tells exported functions and classes.
func scriptOffers(n syntax.Node) bool {
	if n.Enclosing("func").Valid() || n.Has(syntax.Getter) || n.Has(syntax.Constructor) || strings.HasPrefix(n.Name(), "_") || strings.HasPrefix(n.Name(), "#") {
		return false
	}
	if c := n.Enclosing("class"); c.Valid() {
		return false // what a class is for is said above it
	}
	switch {
	case n.Is("class"):
		return n.Has(syntax.Exported) && n.Detail() == "class"
	case n.Has(syntax.Lambda) || n.Name() == "":
		p := n.Parent()
		return n.Role() == "value" && p.Is("assign") && p.Has(syntax.Exported)
	}
	return n.Has(syntax.Exported)
}

// explained tells a definition with words above it.
func explained(n syntax.Node) bool {
	if n.Has(syntax.Documented) || letters.MatchString(leading(n)) {
		return true
	}
	p := n.Parent()
	return p.Valid() && !p.Is("file") && p.Start() >= n.Start()-40 && letters.MatchString(leading(p))
}
