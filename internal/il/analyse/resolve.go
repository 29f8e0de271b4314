package analyse

import (
	"maps"
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
	packages map[string][]*il.Module           // of modules that see each other's names
	parts    map[string]*il.Module             // of packages, by their full names
	folders  map[string]bool                   // full names that lead to a part
	tops     map[*il.Module]map[string]binding // what the top level of a module binds
	exports  map[*il.Module]map[string]binding // what a module hands out by other names
	symbols  map[word]*Symbol                  // of the names in tops
	handed   map[word]*Symbol                  // of those in exports
	looked   map[word]*Symbol                  // of names as they are seen
	stars    map[*il.Module][]*il.Module
	gotten   map[*il.Instr]*Symbol        // what a part, a join or a changed thing stands for, once all names are resolved
	stood    map[*il.Instr]*Symbol        // the same, as the question of now has found it out on its way
	objects  map[*il.Instr]Object         // what attributes and joins are, once all names are resolved
	known    map[*il.Instr]Object         // the same, as the question of now has found it out on its way
	chosen   map[*il.Instr][]*il.Function // choices of what an instruction gives
	ways     map[*il.Instr][]il.Operand   // alternatives of what a phi gives
	single   map[*il.Function]map[string]int32
	methods  map[string][]*il.Function          // by their bare names
	members  map[home]map[string]*il.Function   // of classes
	written  map[home][]*il.Function            // methods of a class in one file
	classes  map[*il.Function]*il.Class         // by their bodies
	derived  map[*il.Function][]*il.Function    // bodies of the classes right below
	based    map[*il.Function][]*il.Function    // and right above, once all names are resolved
	inside   map[*il.Function][]*il.Function    // what a function defines
	fields   map[*il.Function]map[string]Object // by the body of a class
	computed map[*il.Module]bool
	sites    map[*il.Function][]Site
	setters  map[string][]Site
	setting  map[*il.Function][]Site // see ownSetters
	consts   map[*il.Const]*Symbol
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

// binding is a name that a module binds: to a value where it does so once.
type binding struct {
	at    il.Span
	value il.Operand
	once  bool
	all   []il.Operand // what the top level binds it to, where no function does
}

// maxDepth bounds how far what stands for what is followed.
const maxDepth = 24

// Resolve reads the bindings of a program's modules. All that hangs on other names
// is resolved here, in the order of paths, so that no answer depends on what was
// asked before it.
func Resolve(p *il.Program) *Names {
	n := &Names{program: p, consts: map[*il.Const]*Symbol{}, packages: map[string][]*il.Module{}, parts: map[string]*il.Module{}, folders: map[string]bool{},
		tops: map[*il.Module]map[string]binding{}, exports: map[*il.Module]map[string]binding{}, symbols: map[word]*Symbol{}, handed: map[word]*Symbol{}, looked: map[word]*Symbol{},
		stars: map[*il.Module][]*il.Module{}, single: map[*il.Function]map[string]int32{}, methods: map[string][]*il.Function{},
		members: map[home]map[string]*il.Function{}, written: map[home][]*il.Function{}, classes: map[*il.Function]*il.Class{}, inside: map[*il.Function][]*il.Function{},
		fields: map[*il.Function]map[string]Object{}, computed: map[*il.Module]bool{}}
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
		n.tops[m], n.exports[m] = n.bound(m), handedOut(m)
	}
	for _, m := range p.Modules {
		for _, name := range slices.Sorted(maps.Keys(n.tops[m])) {
			n.symbol(m, name)
		}
		for _, name := range slices.Sorted(maps.Keys(n.exports[m])) {
			n.export(m, name)
		}
	}
	for _, m := range p.Modules {
		for _, c := range m.Classes {
			n.field(c.Body, "", visited{})
		}
	}
	n.gotten, n.stood, n.known = map[*il.Instr]*Symbol{}, map[*il.Instr]*Symbol{}, map[*il.Instr]Object{}
	n.objects = map[*il.Instr]Object{}
	n.based, n.chosen, n.ways, n.setting = map[*il.Function][]*il.Function{}, map[*il.Instr][]*il.Function{}, map[*il.Instr][]il.Operand{}, map[*il.Function][]Site{}
	return n
}

// lastName is the name behind the last dot.
func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// Top is the top level of the module at a path, nil where there is none.
func (n *Names) Top(path string) *il.Function {
	i, found := slices.BinarySearchFunc(n.program.Modules, path, func(m *il.Module, path string) int { return strings.Compare(m.Path, path) })
	if !found {
		return nil
	}
	return n.program.Modules[i].Top
}

// bound is what the top level of a module binds.
func (n *Names) bound(m *il.Module) map[string]binding {
	table := map[string]binding{}
	for _, f := range m.Functions {
		for _, in := range f.Instructions() {
			if name, ok := f.Str(outerName(in)); ok {
				table[name] = binding{at: in.Span}
			}
		}
	}
	for i, v := range m.Top.Versions {
		if binds(v) && v.Def != nil {
			o := local(int32(i))
			table[v.Var] = binding{v.Def.Span, o, n.once(m.Top, v.Var) == int32(i), append(table[v.Var].all, o)}
		}
	}
	for _, name := range m.Top.Shared {
		if b, ok := table[name]; ok {
			b.all = nil
			table[name] = b
		}
	}
	return table
}

// symbol is what a name of a module's top level stands for, nil where it has none.
func (n *Names) symbol(m *il.Module, name string) *Symbol {
	return n.stand(n.tops, n.symbols, m, name)
}

// export is what a module hands out by a name, nil where it has none.
func (n *Names) export(m *il.Module, name string) *Symbol {
	return n.stand(n.exports, n.handed, m, name)
}

// stand resolves a binding once. While it does, the name is bound to something
// that is not known, so that names which stand for each other end there.
func (n *Names) stand(tables map[*il.Module]map[string]binding, known map[word]*Symbol, m *il.Module, name string) *Symbol {
	b, ok := tables[m][name]
	if !ok {
		return nil
	}
	w := word{m, name}
	if s := known[w]; s != nil {
		return s
	}
	at := m.Top.Place(b.at)
	known[w] = &Symbol{At: at}
	depth := n.depth
	n.depth = 0
	if found := n.standing(m.Top, b); found != nil {
		s := *found
		s.At = at
		known[w] = &s
	}
	n.depth = depth
	return known[w]
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
			if first, again := table[v.Var]; again && !brings(f, first, int32(i)) {
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
		if !n.sees(f, o, name) || !slices.Contains(o.Vars, name) {
			continue
		}
		i := n.once(o, name)
		return o, il.Operand{Kind: il.Local, ID: i}, i >= 0
	}
	return nil, il.Operand{}, false
}

// sees tells whether a name of a scope around f is a name in f. The name of a class
// is the class, also where its body binds what makes its objects to it.
func (n *Names) sees(f, around *il.Function, name string) bool {
	return around.Kind != il.ClassBody || classScope[f.Module.Language] && n.classes[around].Name != name
}

// classScope are the languages in which a method sees the members of its class
// by their bare names.
var classScope = map[string]bool{"java": true, "c#": true}

// result is what an instruction's result stands for, nil where that is not known.
func (n *Names) result(f *il.Function, def *il.Instr) *Symbol {
	switch def.Op {
	case il.Define:
		return &Symbol{Function: def.Ref}
	case il.Import:
		return n.Imported(f.Module, def)
	case il.Phi, il.Set:
		return n.alone(f, local(def.Dst))
	case il.Get:
		if key, ok := f.Str(def.Args[1]); ok && def.Kind == "attr" {
			return n.attribute(f, def.Args[0], key)
		}
		return n.item(f, def)
	case il.Call:
		return n.reflected(f, def)
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
		o := n.Instance(f, base)
		switch o.Outside {
		case "builtins.super()":
			return n.inherited(f, key)
		case "":
		default:
			return &Symbol{Outside: o.Outside + "." + key}
		}
		if o.Class == nil {
			return nil
		}
		m := n.Method(o.Class, key)
		if m == nil || !o.Exact && len(n.overriding(o.Class, key, 0)) > 0 {
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
		if !n.sees(f, o, name) {
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
	if s := n.symbol(m, name); s != nil {
		return s
	}
	if m.Package != "" {
		for _, other := range n.packages[m.Package] {
			if s := n.symbol(other, name); s != nil {
				return s
			}
		}
	}
	if s := n.starred(m, name, false); s != nil {
		return s
	}
	if builtin(m.Language, name) {
		if m.Language == "python" {
			name = "builtins." + name // as its tables name them
		}
		return &Symbol{Outside: name}
	}
	if sub := n.parts[m.Name+"."+name]; sub != nil && m.Name != "" { // importing a part of a package binds it there
		return &Symbol{Modules: []*il.Module{sub}, Package: sub.Name}
	}
	if m.Partial {
		return &Symbol{}
	}
	return nil
}
