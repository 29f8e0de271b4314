package analyse

import (
	"maps"
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
}

// Class is the class of a body, nil for other functions.
func (n *Names) Class(body *il.Function) *il.Class { return n.classes[body] }

// Method is a method that a class has in its own body or from a class of the
// program above it; nil where none is known.
func (n *Names) Method(class *il.Function, name string) *il.Function { return n.method(class, name, 0) }

// maxBases bounds how far up classes are asked.
const maxBases = 8

func (n *Names) method(class *il.Function, name string, depth int) *il.Function {
	c := n.classes[class]
	if c == nil || depth > maxBases {
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
		f := n.method(base, name, depth+1)
		if f != nil && (found == nil || n.below(n.bodyOf(f), n.bodyOf(found), 0)) {
			found = f
		}
	}
	return found
}

// bases are the bodies of the classes of the program right above a class.
func (n *Names) bases(class *il.Function) (out []*il.Function) {
	for _, written := range n.classes[class].Bases {
		if b := n.Type(class, written); b != nil && b != class {
			out = append(out, b)
		}
	}
	return out
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

// below tells whether a class derives from another.
func (n *Names) below(class, from *il.Function, depth int) bool {
	if class == nil || from == nil || depth > maxBases {
		return false
	}
	for _, b := range n.bases(class) {
		if b == from || n.below(b, from, depth+1) {
			return true
		}
	}
	return false
}

// overridden tells whether a class below another has a method of its own.
func (n *Names) overridden(class *il.Function, name string, depth int) bool {
	if depth > maxBases {
		return true
	}
	for _, d := range n.below1(class) {
		if n.members[homeOf(d.Module, n.classes[d].Name)][name] != nil || n.overridden(d, name, depth+1) {
			return true
		}
	}
	return false
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

// Type is the body of the class of the program that a type names, as it is
// written where f is; nil for all others. Pointers, references and what may be
// missing are looked through.
func (n *Names) Type(f *il.Function, written string) *il.Function {
	name := strings.Trim(strings.TrimSpace(written), `"'`)
	for _, wrap := range []string{"Optional[", "typing.Optional[", "Option<", "Box<", "Rc<", "Arc<", "Promise<", "Annotated["} {
		if rest, ok := strings.CutPrefix(name, wrap); ok {
			name = rest
		}
	}
	for _, none := range []string{"| None", "| null", "| undefined"} {
		name = strings.Replace(name, none, "", 1)
	}
	name = strings.TrimLeft(name, "*& :")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "mut "), "dyn ")
	if i := strings.IndexAny(name, "<[({,]>?"); i >= 0 {
		name = name[:i]
	}
	name = strings.TrimSpace(strings.ReplaceAll(name, "::", "."))
	if name == "" || strings.ContainsAny(name, " |") || n.depth > maxDepth {
		return nil
	}
	if name == "Self" {
		return n.bodyOf(f)
	}
	n.depth++
	defer func() { n.depth-- }()
	head, rest, more := strings.Cut(name, ".")
	s := n.scoped(f, head)
	for more && s != nil {
		head, rest, more = strings.Cut(rest, ".")
		if s.Outside != "" || s.Function != nil {
			return nil
		}
		s = n.part(s, head)
	}
	if s == nil || s.Function == nil || s.Function.Kind != il.ClassBody {
		return nil
	}
	return s.Function
}

// scoped is what a name stands for in a function, its own names included.
func (n *Names) scoped(f *il.Function, name string) *Symbol {
	if i := n.once(f, name); i >= 0 {
		return n.Operand(f, il.Operand{Kind: il.Local, ID: i})
	}
	return n.Lookup(f, name)
}

// given is what a field of a class holds.
type given struct {
	class *il.Function
	exact bool
}

// Instance is the body of the class that an object is of, nil where it is not
// known; exact: of no class below it.
func (n *Names) Instance(f *il.Function, o il.Operand) (class *il.Function, exact bool) {
	if n.depth > maxDepth {
		return nil, false
	}
	n.depth++
	defer func() { n.depth-- }()
	for {
		if o.Kind == il.Free {
			g, v, ok := n.Binding(f, f.Word(o))
			if !ok {
				return nil, false
			}
			return n.Instance(g, v)
		}
		if o.Kind != il.Local {
			return nil, false
		}
		v := f.Versions[o.ID]
		if v.Param >= 0 {
			return n.parameter(f, v.Param), false
		}
		switch def := v.Def; {
		case def == nil:
			return nil, false
		case def.Op == il.Assume:
			o = def.Args[0]
		case def.Op == il.Set && def.Kind != "outer" && def.Kind != "export":
			o = def.Args[0] // the object as it is after the change
		case def.Op == il.Bind && (def.Kind == "" || def.Kind == "cast"):
			if len(def.Names) > 0 {
				if t := n.Type(f, def.Names[0]); t != nil {
					return t, false
				}
			}
			o = def.Args[0]
		default:
			return n.made(f, def)
		}
	}
}

// parameter is the class of a parameter.
func (n *Names) parameter(f *il.Function, i int) *il.Function {
	if i == 0 && receives(f) {
		return n.bodyOf(f)
	}
	if f.Params[i].Spread != "" {
		return nil
	}
	return n.Type(f, f.Params[i].Type)
}

// made is the class of what an instruction makes.
func (n *Names) made(f *il.Function, def *il.Instr) (class *il.Function, exact bool) {
	switch def.Op {
	case il.Call:
		s := n.Operand(f, def.Args[0])
		switch {
		case s == nil || s.Function == nil:
		case s.Function.Kind == il.ClassBody:
			return s.Function, true
		case len(s.Function.Results) == 1 && (!s.Function.Async || def.Mode == il.Awaited):
			return n.Type(s.Function, s.Function.Results[0]), false
		}
	case il.Phi:
		for i, a := range def.Args {
			if i > maxBases {
				return nil, false
			}
			if c, ok := f.Const(f.Root(a)); ok && c.Type == il.NoneConst {
				continue
			}
			c, e := n.Instance(f, a)
			if c == nil || class != nil && c != class {
				return nil, false
			}
			class, exact = c, e && (exact || class == nil)
		}
		return class, exact
	case il.Get:
		key, ok := f.Str(def.Args[1])
		if i, at := f.Const(def.Args[1]); def.Kind == "item" && at && i.Type == il.IntConst {
			return n.result(f, def.Args[0], int(i.Num)), false
		}
		if !ok || def.Kind != "attr" {
			return nil, false
		}
		if base, _ := n.Instance(f, def.Args[0]); base != nil {
			g := n.field(base, key, 0)
			return g.class, g.exact
		}
	default:
	}
	return nil, false
}

// result is the class of one of several results of a call.
func (n *Names) result(f *il.Function, o il.Operand, i int) *il.Function {
	def := f.Def(f.Root(o))
	if def == nil || def.Op != il.Call {
		return nil
	}
	s := n.Operand(f, def.Args[0])
	if s == nil || s.Function == nil || i < 0 || i >= len(s.Function.Results) || len(s.Function.Results) < 2 {
		return nil
	}
	return n.Type(s.Function, s.Function.Results[i])
}

// field is what a field of a class holds: as it is declared, or what all methods
// of the class put into it.
func (n *Names) field(class *il.Function, name string, depth int) given {
	table, ok := n.fields[class]
	if !ok {
		table = n.fieldsOf(class)
		n.fields[class] = table
	}
	if g, ok := table[name]; ok || depth > maxBases {
		return g
	}
	for _, b := range n.bases(class) {
		if g := n.field(b, name, depth+1); g.class != nil {
			return g
		}
	}
	return given{}
}

func (n *Names) fieldsOf(class *il.Function) map[string]given {
	table := map[string]given{}
	n.fields[class] = table // what a field holds may hang on another
	for _, v := range class.Versions {
		if v.Def != nil && v.Def.Op == il.Bind && len(v.Def.Names) > 0 {
			table[v.Var] = given{n.Type(class, v.Def.Names[0]), false}
		}
	}
	declared := maps.Clone(table)
	c := n.classes[class]
	for _, f := range class.Module.Functions {
		if f.Class != c.Name || !receives(f) {
			continue
		}
		for _, in := range f.Instructions() {
			if in.Op != il.Set || in.Kind != "attr" || !n.self(f, in.Args[0]) {
				continue
			}
			key, ok := f.Str(in.Args[1])
			none, _ := f.Const(f.Root(in.Args[2]))
			if !ok || declared[key].class != nil || f.Root(in.Args[2]).Kind == il.Constant && none.Type == il.NoneConst {
				continue
			}
			now, exact := n.Instance(f, in.Args[2])
			if was, has := table[key]; has && was.class != now {
				now, exact = nil, false
			}
			table[key] = given{now, exact}
		}
	}
	return table
}

// self tells whether an operand is the object that a method belongs to, changed
// or not.
func (n *Names) self(f *il.Function, o il.Operand) bool {
	for o.Kind == il.Local {
		v := f.Versions[o.ID]
		if v.Param >= 0 {
			return v.Param == 0
		}
		switch {
		case v.Def == nil:
			return false
		case v.Def.Op == il.Assume, v.Def.Op == il.Bind && v.Def.Kind == "", v.Def.Op == il.Set && v.Def.Kind == "attr":
			o = v.Def.Args[0]
		default:
			return false
		}
	}
	return false
}
