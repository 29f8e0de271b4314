package analyse

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Typed is what a type stands for, as it is written where f is; nil where that is
// not known. Pointers, references and what may be missing are looked through.
func (n *Names) Typed(f *il.Function, written string) *Symbol {
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
		return &Symbol{Function: n.bodyOf(f)}
	}
	n.depth++
	defer n.leave()
	head, rest, more := strings.Cut(name, ".")
	s := n.Seen(f, head)
	for more && s != nil {
		head, rest, more = strings.Cut(rest, ".")
		switch {
		case s.Outside != "":
			s = &Symbol{Outside: s.Outside + "." + head}
		case s.Function != nil:
			return nil
		default:
			s = n.part(s, head)
		}
	}
	return s
}

// Type is the body of the class of the program that a type names, as it is
// written where f is; nil for all others.
func (n *Names) Type(f *il.Function, written string) *il.Function { return n.object(f, written).Class }

// object is an object of a type.
func (n *Names) object(f *il.Function, written string) Object {
	s := n.Typed(f, written)
	switch {
	case s == nil:
	case s.Function != nil && s.Function.Kind == il.ClassBody:
		return Object{Class: s.Function}
	case strings.Contains(s.Outside, "."):
		return Object{Outside: s.Outside}
	}
	return Object{}
}

// Seen is what a name stands for in a function, its own names included.
func (n *Names) Seen(f *il.Function, name string) *Symbol {
	if i := n.once(f, name); i >= 0 {
		return n.Operand(f, il.Operand{Kind: il.Local, ID: i})
	}
	return n.Lookup(f, name)
}

// Object is what is known of an object: the body of its class, or the full name of
// a class or call outside of the program, as Symbol.Outside has it, that it comes
// from: "requests.Session", "requests.session()". Neither where it is not known.
type Object struct {
	Class   *il.Function
	Exact   bool // it is of no class below Class
	Outside string
}

func (o Object) known() bool { return o.Class != nil || o.Outside != "" }

// Instance is what is known of an object.
func (n *Names) Instance(f *il.Function, o il.Operand) Object {
	if n.depth > maxDepth {
		return Object{}
	}
	n.depth++
	defer n.leave()
	for {
		o = f.Object(o)
		if o.Kind == il.Free {
			g, v, ok := n.Binding(f, f.Word(o))
			if !ok {
				return Object{}
			}
			return n.Instance(g, v)
		}
		if o.Kind != il.Local {
			return Object{}
		}
		v := f.Versions[o.ID]
		if v.Param >= 0 {
			return n.parameter(f, v.Param)
		}
		switch def := v.Def; {
		case def == nil:
			return Object{}
		case def.Op == il.Bind && def.Kind == "/":
			o = def.Args[0] // of numbers, or a path
		case def.Op == il.Bind && (def.Kind == "" || def.Kind == "cast"):
			if len(def.Names) > 0 {
				if t := n.object(f, def.Names[0]); t.known() {
					return t
				}
			}
			o = def.Args[0]
		case (def.Op == il.Get || def.Op == il.Phi) && n.gotten != nil:
			keep := n.objects
			if n.depth > 1 { // what a bound cuts short is not kept
				keep = n.known
			}
			object, known := keep[def]
			if !known {
				object = n.made(f, def)
				keep[def] = object
			}
			return object
		default:
			return n.made(f, def)
		}
	}
}

// parameter is what is known of a parameter: by its type, else by its default.
func (n *Names) parameter(f *il.Function, i int) Object {
	if i == 0 && receives(f) {
		return Object{Class: n.bodyOf(f)}
	}
	if f.Params[i].Spread != "" {
		return Object{}
	}
	if t := n.object(f, f.Params[i].Type); t.known() || f.Params[i].Type != "" {
		return t
	}
	if in, at := filling(f, f.Params[i].Name); in != nil {
		return n.Instance(f.Outer, in.Args[at])
	}
	return Object{}
}

// filling is the instruction that makes the default of a parameter known, and which of
// its operands that is; nil where the default is a constant, or there is none.
func filling(f *il.Function, name string) (*il.Instr, int) {
	if f.Outer != nil && slices.ContainsFunc(f.Params, func(p il.Param) bool { return p.Name == name && p.Filled && p.Default.Kind != il.Constant }) {
		for _, in := range f.Outer.Instructions() {
			if i := slices.Index(in.Names, "="+name); in.Op == il.Define && in.Ref == f && i >= 0 {
				return in, i
			}
		}
	}
	return nil, -1
}

// made is what is known of what an instruction makes.
func (n *Names) made(f *il.Function, def *il.Instr) Object {
	switch def.Op {
	case il.Call:
		return n.given(f, def, -1)
	case il.Phi:
		return n.joined(f, def)
	case il.Get:
		if i, at := f.Const(def.Args[1]); def.Kind == "item" && at && i.Type == il.IntConst {
			if call := f.Def(f.Root(def.Args[0])); call != nil && call.Op == il.Call {
				return n.given(f, call, int(i.Num))
			}
			return Object{}
		}
		if key, ok := f.Str(def.Args[1]); ok && def.Kind == "attr" {
			base := n.Instance(f, def.Args[0])
			if base.Class != nil {
				return n.field(base.Class, key, visited{})
			}
			if s := n.Operand(f, def.Args[0]); base.Outside == "" && s != nil && s.Outside != "" {
				base.Outside = s.Outside
			}
			if base.Outside != "" {
				return Object{Outside: base.Outside + "." + key}
			}
		}
	default:
	}
	return Object{}
}

// maxJoined bounds the joins that are followed to what all ways agree on: behind each of
// a thousand conditions on one object all ways before meet again.
const maxJoined = 256

// joined is what ways that meet agree on; none is not an object. Ways that meet more
// than once are followed once.
func (n *Names) joined(f *il.Function, phi *il.Instr) (out Object) {
	seen, asked := map[il.Operand]bool{local(phi.Dst): true}, 0
	for work := slices.Clone(phi.Args); len(work) > 0; work = work[1:] {
		a := work[0]
		def := f.Def(a)
		if c, ok := f.Const(f.Root(a)); ok && c.Type == il.NoneConst || seen[a] {
			continue
		}
		if seen[a] = true; len(seen) > maxJoined {
			return Object{}
		}
		switch {
		case def != nil && def.Op == il.Phi:
			work = append(work, def.Args...)
			continue
		case def != nil && (def.Op == il.Assume || def.Op == il.Set && def.Kind != "outer" && def.Kind != "export" || def.Op == il.Bind && def.Kind == "" && len(def.Names) == 0):
			work = append(work, def.Args[0])
			continue
		}
		o := n.Instance(f, a)
		if asked++; asked > maxBases || !o.known() || out.known() && (o.Class != out.Class || o.Outside != out.Outside) {
			return Object{}
		}
		o.Exact = o.Exact && (out.Exact || !out.known())
		out = o
	}
	return out
}

// given is what is known of a result of a call: of one of several, by its position.
func (n *Names) given(f *il.Function, call *il.Instr, at int) Object {
	s := n.Operand(f, call.Args[0])
	switch {
	case s == nil:
	case s.Outside != "":
		return Object{Outside: result(f.Module.Language, s.Outside, call.Mode, at)}
	case s.Function == nil:
	case s.Function.Kind == il.ClassBody && at < 0:
		return Object{Class: s.Function, Exact: true}
	case s.Function.Async && call.Mode != il.Awaited:
	case at < 0 && len(s.Function.Results) == 1:
		return n.object(s.Function, s.Function.Results[0])
	case at >= 0 && at < len(s.Function.Results) && len(s.Function.Results) > 1:
		return n.object(s.Function, s.Function.Results[at])
	}
	return Object{}
}

// result names what a call outside of the program gives: an object of a class by
// the class, the result of a function by the function. That classes are written
// with a capital, and Rust's makers are called new, from and default, are customs.
func result(language, path string, mode il.Mode, at int) string {
	name := lastName(path)
	switch {
	case mode == il.New:
		return path
	case at > 0:
		return path + "()[" + strconv.Itoa(at) + "]"
	case language == "rust" && (name == "new" || name == "from" || name == "default"):
		return strings.TrimSuffix(path, "."+name)
	case language != "go" && name != "" && unicode.IsUpper(rune(name[0])):
		return path
	}
	return path + "()"
}

// field is what a field of a class holds: as it is declared, or what all methods
// of the class put into it.
func (n *Names) field(class *il.Function, name string, seen visited) Object {
	table, ok := n.fields[class]
	if !ok {
		table = n.fieldsOf(class)
		n.fields[class] = table
	}
	if o, ok := table[name]; ok {
		return o
	}
	for _, b := range n.bases(class) {
		if seen.first(b) {
			if o := n.field(b, name, seen); o.known() {
				return o
			}
		}
	}
	return Object{}
}

func (n *Names) fieldsOf(class *il.Function) map[string]Object {
	table := map[string]Object{}
	n.fields[class] = table // what a field holds may hang on another
	for _, v := range class.Versions {
		if t := declaredAs(class, v); t != "" && binds(v) {
			table[v.Var] = n.object(class, t)
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
			if !ok || declared[key].known() || f.Root(in.Args[2]).Kind == il.Constant && none.Type == il.NoneConst {
				continue
			}
			now := n.Instance(f, in.Args[2])
			if was, has := table[key]; has && (was.Class != now.Class || was.Outside != now.Outside) {
				now = Object{}
			}
			table[key] = now
		}
	}
	return table
}

// self tells whether an operand is the object that a method belongs to, changed
// or not, on whatever way.
func (n *Names) self(f *il.Function, o il.Operand) bool {
	seen := map[int32]bool{}
	for work := []il.Operand{o}; len(work) > 0; {
		o := f.Object(work[len(work)-1])
		work = work[:len(work)-1]
		if o.Kind != il.Local {
			return false
		}
		if seen[o.ID] {
			continue
		}
		seen[o.ID] = true
		v := f.Versions[o.ID]
		switch {
		case v.Param == 0:
		case v.Def == nil || v.Param > 0:
			return false
		case v.Def.Op == il.Phi:
			work = append(work, v.Def.Args...)
		case v.Def.Op == il.Bind && v.Def.Kind == "":
			work = append(work, v.Def.Args[0])
		default:
			return false
		}
	}
	return true
}
