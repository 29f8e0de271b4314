package analyse

import (
	"math"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// home names a class by where its methods may stand: in its file, or in the files
// of its package.
type home struct{ in, class string }

func homeOf(m *il.Module, class string) home {
	if m.Package != "" {
		return home{m.Package, class}
	}
	return home{m.Path, class}
}

// member notes a method of a class.
func (n *Names) member(f *il.Function) {
	if f.Class == "" || f.Kind == il.ClassBody || f.Kind == il.Lambda {
		return
	}
	name := lastName(f.Name)
	n.methods[name] = append(n.methods[name], f)
	h := homeOf(f.Module, f.Class)
	if n.members[h] == nil {
		n.members[h] = map[string]*il.Function{}
	}
	n.members[h][name] = f
	if f.Kind == il.Plainly {
		h = home{f.Module.Path, f.Class}
		n.written[h] = append(n.written[h], f)
	}
}

// Class is the class of a body, nil for other functions.
func (n *Names) Class(body *il.Function) *il.Class { return n.classes[body] }

// Method is a method that a class has in its own body or from a class of the
// program above it; nil where none is known.
func (n *Names) Method(class *il.Function, name string) *il.Function {
	return n.method(class, name, visited{})
}

// maxBases bounds how far up classes are asked.
const maxBases = 8

// visited are the classes that a question has come to: each is asked once, whatever leads to it.
type visited map[*il.Function]bool

// maxAbove bounds the classes that one question comes to.
const maxAbove = 256

// first tells whether a class is come to for the first time; of too many, none is.
func (v visited) first(class *il.Function) bool {
	if v[class] || v.many() {
		return false
	}
	v[class] = true
	return true
}

func (v visited) many() bool { return len(v) >= maxAbove }

func (n *Names) method(class *il.Function, name string, seen visited) *il.Function {
	c := n.classes[class]
	if c == nil || len(n.methods[name]) == 0 {
		return nil
	}
	if f := n.members[homeOf(class.Module, c.Name)][name]; f != nil {
		return f
	}
	if class.Module.Language == "rust" { // an impl may stand in another file
		if list := n.methods[name]; len(list) == 1 && lastName(list[0].Class) == lastName(c.Name) {
			return list[0]
		}
	}
	var found *il.Function
	for _, base := range n.bases(class) {
		if !seen.first(base) {
			continue
		}
		f := n.method(base, name, seen)
		if f != nil && (found == nil || n.below(n.bodyOf(f), n.bodyOf(found), visited{})) {
			found = f
		}
	}
	return found
}

// inherited is what super() has in a method of a class that comes from one class
// alone. Where another class comes from that one and from a sibling of it, Python may
// ask the sibling first.
func (n *Names) inherited(f *il.Function, name string) *Symbol {
	outside := &Symbol{Outside: "builtins.super()." + name}
	body := n.bodyOf(f)
	if body == nil || n.classes[body] == nil || len(n.classes[body].Bases) != 1 {
		return outside
	}
	for _, base := range n.bases(body) {
		if m := n.Method(base, name); m != nil {
			return &Symbol{Function: m, Bound: !has(m, "staticmethod")}
		}
	}
	return outside
}

// Bases are what the classes right above a class, by its body, stand for; one that is not
// known is a symbol without content.
func (n *Names) Bases(class *il.Function) (out []*Symbol) {
	if n.classes[class] == nil {
		return nil
	}
	for _, written := range n.classes[class].Bases {
		s := n.Typed(class, written)
		if s == nil {
			s = &Symbol{}
		}
		out = append(out, s)
	}
	return out
}

// bases are the bodies of the classes of the program right above a class.
func (n *Names) bases(class *il.Function) (out []*il.Function) {
	if known, ok := n.based[class]; ok {
		return known
	}
	if n.based != nil && n.depth == 0 {
		defer func() { n.based[class] = out }()
	}
	for _, written := range n.classes[class].Bases {
		if b := n.Type(class, written); b != nil && b != class {
			out = append(out, b)
		}
	}
	return out
}

// Above are the full names of the classes outside of the program that a class, by its
// body, comes from on any number of steps.
func (n *Names) Above(class *il.Function) (out []string) { return n.above(class, visited{class: true}) }

func (n *Names) above(class *il.Function, seen visited) (out []string) {
	for _, s := range n.Bases(class) {
		switch {
		case s.Outside != "":
			out = append(out, s.Outside)
		case s.Function != nil && seen.first(s.Function):
			out = append(out, n.above(s.Function, seen)...)
		}
	}
	return out
}

// unframed are bases outside of the program that call nothing of a class by its name but
// what the language calls.
var unframed = []string{"pydantic.BaseModel", "typing.", "abc.", "enum.", "builtins.", "dataclasses."}

// framed tells a class with a base out of sight that may call its methods by name.
func (n *Names) framed(class *il.Function, seen visited) bool {
	if n.classes[class] == nil {
		return false
	}
	return slices.ContainsFunc(n.classes[class].Bases, func(written string) bool {
		switch s := n.Typed(class, written); {
		case s == nil || s.empty():
			return true
		case s.Outside != "":
			return !slices.ContainsFunc(unframed, func(p string) bool {
				return s.Outside == p || strings.HasSuffix(p, ".") && strings.HasPrefix(s.Outside, p)
			})
		default:
			return s.Function != nil && (seen.many() || seen.first(s.Function) && n.framed(s.Function, seen))
		}
	})
}

// bodyOf is the body of the class that a method belongs to, nil where it is not
// known.
func (n *Names) bodyOf(f *il.Function) *il.Function {
	if f.Outer != nil && f.Outer.Kind == il.ClassBody && n.classes[f.Outer].Kind != "impl" {
		return f.Outer
	}
	for _, m := range append([]*il.Module{f.Module}, n.packages[f.Module.Package]...) {
		for _, c := range m.Classes {
			if c.Name == f.Class && c.Kind != "impl" {
				return c.Body
			}
		}
	}
	return nil
}

// Below tells a class that is another, or comes from it.
func (n *Names) Below(class, from *il.Function) bool {
	return class != nil && class == from || n.below(class, from, visited{})
}

// below tells whether a class derives from another.
func (n *Names) below(class, from *il.Function, seen visited) bool {
	if class == nil || from == nil {
		return false
	}
	for _, b := range n.bases(class) {
		if b == from || seen.first(b) && n.below(b, from, seen) {
			return true
		}
	}
	return false
}

// mayBeBelow tells a class that comes from another, or is below too many to tell.
func (n *Names) mayBeBelow(class, from *il.Function) bool {
	seen := visited{}
	return n.below(class, from, seen) || seen.many()
}

// maxOverriding bounds the methods of classes below that are listed at every call.
const maxOverriding = 64

// overriding are the methods of a name that classes below another have of their own, the nearest
// first; of more than most, as many as show that.
func (n *Names) overriding(class *il.Function, name string, most int) (out []*il.Function) {
	if class == nil {
		return nil
	}
	all := n.methods[name]
	inBody := slices.Contains([]string{"python", "javascript", "typescript", "java"}, class.Module.Language) // all methods of a class stand there
	if inBody && len(all) <= maxBases && !slices.ContainsFunc(all, func(m *il.Function) bool { return n.mayBeBelow(n.bodyOf(m), class) }) {
		return nil
	}
	seen := map[*il.Function]bool{class: true}
	for work := n.below1(class); len(work) > 0 && len(out) <= most; work = work[1:] {
		d := work[0]
		if seen[d] {
			continue
		}
		seen[d] = true
		if m := n.members[homeOf(d.Module, n.classes[d].Name)][name]; m != nil {
			out = append(out, m)
		}
		work = append(slices.Clip(work), n.below1(d)...)
	}
	return out
}

// ownSetters are the instructions by which the methods of a class set a field of their object.
func (n *Names) ownSetters(class *il.Function) []Site {
	out, known := n.setting[class]
	if !known {
		for _, m := range n.siblings(class) {
			for _, in := range m.Instructions() {
				if in.Op == il.Set && in.Kind == "attr" && n.self(m, in.Args[0]) {
					out = append(out, Site{Function: m, At: in})
				}
			}
		}
		n.setting[class] = out
	}
	return out
}

// Unlisted are the overriding methods of a method that are too many for every call to list:
// whoever runs the method may run them.
func (n *Names) Unlisted(class *il.Function, name string) []*il.Function {
	if over := n.overriding(class, name, math.MaxInt); len(over) > maxOverriding {
		return over
	}
	return nil
}

// below1 are the classes right below a class.
func (n *Names) below1(class *il.Function) []*il.Function {
	if n.derived == nil {
		n.derived = map[*il.Function][]*il.Function{}
		for _, m := range n.program.Modules {
			for _, c := range m.Classes {
				for _, b := range n.bases(c.Body) {
					n.derived[b] = append(n.derived[b], c.Body)
				}
			}
		}
	}
	return n.derived[class]
}

// has tells whether a function is decorated by a name.
func has(f *il.Function, name string) bool { return slices.Contains(f.Decorators, name) }

// receives tells whether the first parameter of a method is the object that it
// belongs to.
func receives(f *il.Function) bool {
	if f.Class == "" || len(f.Params) == 0 {
		return false
	}
	switch f.Module.Language {
	case "python":
		return !has(f, "staticmethod") && !has(f, "classmethod")
	case "go":
		return true
	}
	return f.Params[0].Name == "this" || f.Params[0].Name == "self"
}

// siblings are the methods of a class and of those right below it.
func (n *Names) siblings(class *il.Function) (out []*il.Function) {
	for _, c := range append([]*il.Function{class}, n.below1(class)...) {
		out = append(out, n.written[home{c.Module.Path, n.classes[c].Name}]...)
	}
	return out
}

// fieldAt is the field of a class without a constructor that an argument by
// position is, in the order in which they are declared; anyKey where there is none.
func (n *Names) fieldAt(class *il.Function, i int) string {
	at := 0
	for _, v := range class.Versions {
		if v.Def == nil || v.Def.Op != il.Bind || !binds(v) || declaredAs(class, v) == "" && class.Module.Language == "python" {
			continue
		}
		if at == i {
			return v.Var
		}
		at++
	}
	return anyKey
}

// declaredAs is the type that a field of a class is declared with, "" for none.
func declaredAs(class *il.Function, v il.Version) string {
	def := v.Def
	for def != nil && def.Op == il.Bind && def.Kind == "" {
		if len(def.Names) > 0 {
			return def.Names[0]
		}
		def = class.Def(def.Args[0])
	}
	return ""
}
