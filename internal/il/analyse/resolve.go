package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Names knows what the names of a program stand for.
//
// It is sound for "is unbound" and "does not resolve": these are said only where
// no binding exists in any scope that the name can see, the module was parsed
// whole, and no star import or unlowered construct could bring the name in. It
// trusts that the names of a module are bound by its own text, and that no class
// outside of the program replaces what a class calls on itself.
type Names struct {
	program  *il.Program
	packages map[string][]*il.Module
	symbols  map[*il.Module]map[string]*Symbol
	methods  map[string][]*il.Function // by their bare names
	inside   map[*il.Function]map[string]*il.Function
	classes  map[*il.Function]*il.Class // by their bodies
}

// Symbol is what a name stands for: one of the fields is set, or none where it is
// bound to more than one thing.
type Symbol struct {
	Module   *il.Module
	Function *il.Function // of a class, its body
	Bound    bool         // Function is a method that is reached by an object
	Const    *il.Const
	Outside  string // dotted path in a package that is not the program's, or a name of the language
	At       il.Place
}

// Resolve reads the bindings of a program's modules.
func Resolve(p *il.Program) *Names {
	n := &Names{program: p, packages: map[string][]*il.Module{}, symbols: map[*il.Module]map[string]*Symbol{},
		methods: map[string][]*il.Function{}, inside: map[*il.Function]map[string]*il.Function{}, classes: map[*il.Function]*il.Class{}}
	for _, m := range p.Modules {
		if m.Package != "" {
			n.packages[m.Language+" "+m.Package] = append(n.packages[m.Language+" "+m.Package], m)
		}
		for _, c := range m.Classes {
			n.classes[c.Body] = c
		}
		for _, f := range m.Functions {
			if f.Class != "" && f.Kind != il.ClassBody {
				n.methods[lastName(f.Name)] = append(n.methods[lastName(f.Name)], f)
			}
			if n.inside[f.Outer] == nil {
				n.inside[f.Outer] = map[string]*il.Function{}
			}
			n.inside[f.Outer][lastName(f.Name)] = f
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
	counts := map[string]int{}
	for _, v := range m.Top.Versions {
		if binds(v) {
			counts[v.Var]++
		}
	}
	for i, v := range m.Top.Versions {
		if !binds(v) {
			continue
		}
		s := Symbol{}
		if counts[v.Var] == 1 && !slices.Contains(m.Top.Shared, v.Var) {
			if found := n.Operand(m.Top, il.Operand{Kind: il.Local, ID: int32(i)}); found != nil {
				s = *found
			}
		}
		s.At = m.Top.Place(v.Def.Span)
		table[v.Var] = &s
	}
	return table
}

// binds tells a version that the text binds to a name.
func binds(v il.Version) bool {
	return v.Def != nil && v.Var[0] != '%' && v.Def.Op != il.Phi && v.Def.Op != il.Assume
}

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
	if def == nil {
		return nil
	}
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

// attribute is a member of what an operand stands for.
func (n *Names) attribute(f *il.Function, base il.Operand, key string) *Symbol {
	s := n.Operand(f, base)
	switch {
	case s == nil:
		return n.ownMethod(f, base, key)
	case s.Outside != "":
		return &Symbol{Outside: s.Outside + "." + key}
	case s.Module != nil:
		return n.member([]*il.Module{s.Module}, key)
	case s.Function != nil && s.Function.Kind == il.ClassBody:
		return n.Method(s.Function, key)
	}
	return nil
}

// ownMethod is a method that a class calls on itself. Where another class has one
// of that name, it may be that one.
func (n *Names) ownMethod(f *il.Function, base il.Operand, key string) *Symbol {
	if f.Class == "" || f.Kind == il.ClassBody || len(f.Params) == 0 || !f.Root(base).Is(f.Params[0].Var) || len(n.methods[key]) != 1 {
		return nil
	}
	if m := n.methods[key][0]; m.Class == f.Class && m.Module == f.Module {
		return &Symbol{Function: m, Bound: true}
	}
	return nil
}

// Method is a method that a class has in its own body, nil where it has none.
func (n *Names) Method(class *il.Function, name string) *Symbol {
	if f := n.inside[class][name]; f != nil {
		return &Symbol{Function: f}
	}
	return nil
}

// Class is the class of a body, nil for other functions.
func (n *Names) Class(body *il.Function) *il.Class { return n.classes[body] }

// Lookup is what a name that f does not bind stands for; nil where no scope binds
// it. A symbol without content is bound, but not to one thing.
func (n *Names) Lookup(f *il.Function, name string) *Symbol {
	for o := f.Outer; o != nil && o.Kind != il.Top; o = o.Outer {
		if (o.Kind != il.ClassBody || f.Module.Language == "java") && slices.Contains(o.Vars, name) {
			if inner := n.inside[o][name]; inner != nil && !slices.Contains(o.Shared, name) {
				return &Symbol{Function: inner}
			}
			return &Symbol{}
		}
	}
	if s := n.of(f.Module)[name]; s != nil {
		return s
	}
	for _, m := range n.packages[f.Module.Language+" "+f.Module.Package] {
		if s := n.of(m)[name]; s != nil && f.Module.Package != "" {
			return s
		}
	}
	for _, in := range stars(f.Module) {
		link := f.Module.Links[in.Kind]
		if s := n.member(link.Modules, name); s != nil {
			return s
		}
	}
	if builtin(f.Module.Language, name) {
		return &Symbol{Outside: name}
	}
	return nil
}

// stars are the imports that bring in all names of a module.
func stars(m *il.Module) (out []*il.Instr) {
	for _, in := range m.Top.Instructions() {
		if in.Op == il.Import && len(in.Names) > 1 && in.Names[1] == "*" {
			out = append(out, in)
		}
	}
	return out
}

// member is a name in one of some modules; nil where none has it.
func (n *Names) member(modules []*il.Module, name string) *Symbol {
	for _, m := range modules {
		if s := n.of(m)[name]; s != nil {
			return s
		}
	}
	return nil
}

// Imported is what an Import binds, nil where the program should have it and has
// not.
func (n *Names) Imported(m *il.Module, in *il.Instr) *Symbol {
	link, known := m.Links[in.Kind]
	switch {
	case !known || !link.Own:
		path := link.Outside
		if path == "" {
			path = in.Kind
		}
		if len(in.Names) > 1 && in.Names[1] != "*" {
			path += "." + in.Names[1]
		}
		return &Symbol{Outside: path}
	case len(link.Modules) == 0:
		return nil
	case len(in.Names) < 2:
		if len(link.Modules) == 1 {
			return &Symbol{Module: link.Modules[0]}
		}
		return &Symbol{}
	case in.Names[1] == "*":
		return &Symbol{}
	}
	return n.member(link.Modules, in.Names[1])
}
