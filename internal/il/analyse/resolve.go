package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Names knows what the names of a program stand for. It answers one caller at a
// time.
//
// It is sound for "is unbound" and "does not resolve": these are said only where
// no binding exists in any scope that the name can see, the module was parsed
// whole, and no star import or unlowered construct could bring the name in. It
// trusts that the names of a module are bound by its own text, and that no class
// outside of the program replaces what a class calls on itself.
type Names struct {
	program  *il.Program
	packages map[string][]*il.Module // of modules that see each other's names
	parts    map[string]*il.Module   // of packages, by their full names
	folders  map[string]bool         // full names that lead to a part
	symbols  map[*il.Module]map[string]*Symbol
	exports  map[*il.Module]map[string]*Symbol
	looked   map[word]*Symbol
	stars    map[*il.Module][]*il.Module
	single   map[*il.Function]map[string]int32
	methods  map[string][]*il.Function         // by their bare names
	members  map[home]map[string]*il.Function  // of classes
	classes  map[*il.Function]*il.Class        // by their bodies
	derived  map[*il.Function][]*il.Function   // bodies of the classes right below
	inside   map[*il.Function][]*il.Function   // what a function defines
	fields   map[*il.Function]map[string]given // by the body of a class
	computed map[*il.Module]bool
	depth    int
}

// word is a name as a module sees it.
type word struct {
	m    *il.Module
	name string
}

// Symbol is what a name stands for: one of the fields is set, or none where it is
// bound, but not to one thing that is known.
type Symbol struct {
	Modules  []*il.Module // a module, or a package with its files
	Package  string       // the full name of such a package, whose parts are members
	Function *il.Function // of a class, its body
	Bound    bool         // Function takes the object as its first argument, which the call does not write
	Const    *il.Const
	Outside  string // dotted path in a package that is not the program's, or a name of the language
	At       il.Place
}

// maxDepth bounds how far what stands for what is followed.
const maxDepth = 24

// Resolve reads the bindings of a program's modules.
func Resolve(p *il.Program) *Names {
	n := &Names{program: p, packages: map[string][]*il.Module{}, parts: map[string]*il.Module{}, folders: map[string]bool{},
		symbols: map[*il.Module]map[string]*Symbol{}, exports: map[*il.Module]map[string]*Symbol{}, looked: map[word]*Symbol{},
		stars: map[*il.Module][]*il.Module{}, single: map[*il.Function]map[string]int32{}, methods: map[string][]*il.Function{},
		members: map[home]map[string]*il.Function{}, classes: map[*il.Function]*il.Class{}, inside: map[*il.Function][]*il.Function{},
		fields: map[*il.Function]map[string]given{}, computed: map[*il.Module]bool{}}
	for _, m := range p.Modules {
		if m.Package != "" {
			n.packages[m.Package] = append(n.packages[m.Package], m)
		}
		if n.parts[m.Name] == nil && m.Name != "" {
			n.parts[m.Name] = m
		}
		for name := m.Name; strings.Contains(name, "."); {
			name = name[:strings.LastIndexByte(name, '.')]
			n.folders[name] = true
		}
		for _, c := range m.Classes {
			n.classes[c.Body] = c
		}
		for _, f := range m.Functions {
			n.inside[f.Outer] = append(n.inside[f.Outer], f)
			n.member(f)
		}
	}
	return n
}

// lastName is the name behind the last dot.
func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// of is the symbols of a module's top level.
func (n *Names) of(m *il.Module) map[string]*Symbol {
	if s, ok := n.symbols[m]; ok {
		return s
	}
	table := map[string]*Symbol{}
	n.symbols[m] = table // before the imports: modules may import each other
	for _, f := range m.Functions {
		for _, in := range f.Instructions() {
			if name, ok := f.Str(outerName(in)); ok {
				table[name] = &Symbol{}
			}
		}
	}
	for i, v := range m.Top.Versions {
		if !binds(v) {
			continue
		}
		s := Symbol{}
		if n.once(m.Top, v.Var) == int32(i) {
			if found := n.Operand(m.Top, il.Operand{Kind: il.Local, ID: int32(i)}); found != nil {
				s = *found
			}
		}
		s.At = m.Top.Place(v.Def.Span)
		table[v.Var] = &s
	}
	return table
}

// outerName is the name that an instruction binds in a scope around.
func outerName(in *il.Instr) il.Operand {
	if in.Op == il.Set && in.Kind == "outer" {
		return in.Args[1]
	}
	return il.Operand{}
}

// binds tells a version that the text binds to a name.
func binds(v il.Version) bool {
	return v.Var[0] != '%' && (v.Def == nil || v.Def.Op != il.Phi && v.Def.Op != il.Assume)
}

// once is the only version of a variable that a function binds; -1 where there is
// none or another, or a function inside binds it, too.
func (n *Names) once(f *il.Function, name string) int32 {
	table, ok := n.single[f]
	if !ok {
		table = map[string]int32{}
		for i, v := range f.Versions {
			if !binds(v) {
				continue
			}
			if _, again := table[v.Var]; again {
				table[v.Var] = -1
				continue
			}
			table[v.Var] = int32(i)
		}
		for _, name := range f.Shared {
			table[name] = -1
		}
		n.single[f] = table
	}
	if i, ok := table[name]; ok {
		return i
	}
	return -1
}

// Binding is where a name that f does not bind gets its only value: a function
// around f, or the top level of its module, with the version there.
func (n *Names) Binding(f *il.Function, name string) (*il.Function, il.Operand, bool) {
	for o := f.Outer; o != nil; o = o.Outer {
		if !n.sees(f, o) || !slices.Contains(o.Vars, name) {
			continue
		}
		i := n.once(o, name)
		return o, il.Operand{Kind: il.Local, ID: i}, i >= 0
	}
	return nil, il.Operand{}, false
}

// sees tells whether the names of a scope around f are names in f.
func (n *Names) sees(f, around *il.Function) bool {
	return around.Kind != il.ClassBody || classScope[f.Module.Language]
}

// classScope are the languages in which a method sees the members of its class
// by their bare names.
var classScope = map[string]bool{"java": true, "csharp": true}

// Operand is what an operand stands for, nil where that is not known.
func (n *Names) Operand(f *il.Function, o il.Operand) *Symbol {
	o = f.Root(o)
	switch o.Kind {
	case il.Constant:
		c, _ := f.Const(o)
		return &Symbol{Const: &c}
	case il.Free:
		return n.Lookup(f, f.Word(o))
	default:
	}
	def := f.Def(o)
	if def == nil || n.depth > maxDepth {
		return nil
	}
	n.depth++
	defer func() { n.depth-- }()
	switch def.Op {
	case il.Define:
		return &Symbol{Function: def.Ref}
	case il.Import:
		return n.Imported(f.Module, def)
	case il.Get:
		if key, ok := f.Str(def.Args[1]); ok && def.Kind == "attr" {
			return n.attribute(f, def.Args[0], key)
		}
	default:
	}
	return nil
}

// attribute is a member of what an operand stands for, or of the object that it
// is.
func (n *Names) attribute(f *il.Function, base il.Operand, key string) *Symbol {
	s := n.Operand(f, base)
	switch {
	case s == nil || s.empty():
		class, exact := n.Instance(f, base)
		if class == nil {
			return nil
		}
		m := n.Method(class, key)
		if m == nil || !exact && n.overridden(class, key, 0) {
			return nil
		}
		return &Symbol{Function: m, Bound: receives(m) || has(m, "classmethod")}
	case s.Outside != "":
		return &Symbol{Outside: s.Outside + "." + key}
	case s.Function != nil && s.Function.Kind == il.ClassBody:
		if m := n.Method(s.Function, key); m != nil {
			return &Symbol{Function: m, Bound: has(m, "classmethod")}
		}
		return nil
	case s.Function == nil && s.Const == nil:
		return n.part(s, key)
	}
	return nil
}

func (s *Symbol) empty() bool {
	return s.Modules == nil && s.Package == "" && s.Function == nil && s.Const == nil && s.Outside == ""
}

// Lookup is what a name that f does not bind stands for; nil where no scope binds
// it. A symbol without content is bound, but not to one thing that is known.
func (n *Names) Lookup(f *il.Function, name string) *Symbol {
	for o := f.Outer; o != nil && o.Kind != il.Top; o = o.Outer {
		if !n.sees(f, o) {
			continue
		}
		if o.Kind == il.ClassBody {
			if m := n.Method(o, name); m != nil {
				return &Symbol{Function: m, Bound: receives(m)}
			}
		}
		if !slices.Contains(o.Vars, name) {
			continue
		}
		if i := n.once(o, name); i >= 0 {
			if s := n.Operand(o, il.Operand{Kind: il.Local, ID: i}); s != nil {
				return s
			}
		}
		return &Symbol{}
	}
	w := word{f.Module, name}
	s, ok := n.looked[w]
	if !ok {
		s = n.global(f.Module, name)
		n.looked[w] = s
	}
	return s
}

// global is what a name stands for at the top level of a module.
func (n *Names) global(m *il.Module, name string) *Symbol {
	if s := n.of(m)[name]; s != nil {
		return s
	}
	if m.Package != "" {
		for _, other := range n.packages[m.Package] {
			if s := n.of(other)[name]; s != nil {
				return s
			}
		}
	}
	if s := n.starred(m, name, false); s != nil {
		return s
	}
	if builtin(m.Language, name) {
		return &Symbol{Outside: name}
	}
	if sub := n.parts[m.Name+"."+name]; sub != nil && m.Name != "" { // importing a part of a package binds it there
		return &Symbol{Modules: []*il.Module{sub}, Package: sub.Name}
	}
	return nil
}
