package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// survey notes the names and fields that anything in the program writes past the
// place where they are bound, by their bare names: whose, is not asked.
func (v *Values) survey() {
	v.written, v.models = map[string]bool{}, map[*il.Function]bool{}
	v.twins()
	for f := range v.Names.program.All() {
		for _, in := range f.Instructions() {
			switch in.Op {
			case il.Set:
				if key, ok := f.Str(in.Args[1]); ok && (in.Kind == "attr" || in.Kind == "outer" || in.Kind == "item" && v.space(f, in.Args[0])) {
					v.written[key] = true
				}
			case il.Call:
				v.surveyCall(f, in)
			default:
			}
		}
	}
}

// twins notes what is defined more than once under a name: in several files of a
// package, of which a machine says which are built, or with other parameters.
// Python's last definition counts, and is resolved.
func (v *Values) twins() {
	v.twice = map[home]bool{}
	seen := map[home]*il.Module{}
	for _, m := range v.Names.program.Modules {
		if m.Language == "python" {
			continue
		}
		for _, f := range m.Functions {
			if h := homeOf(m, f.Name); f.Kind == il.Plainly {
				v.twice[h] = v.twice[h] || seen[h] != nil
				seen[h] = m
			}
		}
		for name := range v.Names.tops[m] {
			if h := homeOf(m, name); seen[h] != nil && seen[h] != m {
				v.twice[h] = true
			} else {
				seen[h] = m
			}
		}
	}
}

// space tells "globals()" and the like.
func (v *Values) space(f *il.Function, o il.Operand) bool {
	def := f.Def(f.Root(o))
	return def != nil && def.Op == il.Call && computing[lastName(def.Kind)]
}

// surveyCall notes what a call writes by name: setattr, a patch of a test, and
// what makes an object of a model without its checks.
func (v *Values) surveyCall(f *il.Function, in *il.Instr) {
	name := lastName(in.Kind)
	switch name {
	case "setattr", "__setattr__", "patch", "object", "setitem", "setenv", "defineProperty":
		for _, a := range in.Args[1:] {
			if key, ok := f.Str(f.Root(a)); ok {
				v.written[lastName(key)] = true
			}
		}
	case "model_construct", "construct":
		for _, n := range in.Names {
			v.written[n] = true
		}
	case "model_copy", "copy", "_replace", "assign":
		for i, n := range in.Names {
			if def := f.Def(f.Root(in.Args[i+1])); n == "update" && def != nil && def.Op == il.Make {
				for _, key := range def.Names {
					v.written[key] = true
				}
			}
		}
	}
}

// sharedIn is the variables of a function of which a version says nothing: another
// function binds them, or a macro is given them and may.
func (v *Values) sharedIn(f *il.Function) map[string]bool {
	out := map[string]bool{}
	for _, name := range f.Shared {
		out[name] = true
	}
	if f.Module.Language != "rust" {
		return out
	}
	for _, in := range f.Instructions() {
		tokens := in.Op == il.Unknown && in.Kind == "token_tree"
		if !tokens && (in.Op != il.Call || !strings.HasSuffix(in.Kind, "!") || quiet[lastName(in.Kind)]) {
			continue
		}
		for _, a := range in.Args {
			if a.Kind == il.Local {
				out[f.Versions[a.ID].Var] = true
			}
		}
	}
	return out
}

// quiet are macros that bind nothing they are given.
var quiet = map[string]bool{"println!": true, "print!": true, "eprintln!": true, "eprint!": true, "format!": true, "assert!": true, "assert_eq!": true,
	"assert_ne!": true, "debug_assert!": true, "debug_assert_eq!": true, "debug_assert_ne!": true, "panic!": true, "matches!": true, "info!": true,
	"warn!": true, "error!": true, "debug!": true, "trace!": true, "format_args!": true, "unreachable!": true, "todo!": true, "vec!": true,
	"bail!": true, "anyhow!": true, "ensure!": true, "unimplemented!": true, "concat!": true, "stringify!": true, "env!": true, "json!": true}

// collection is the Make of a list or map that an operand stands for and nothing
// changes, with the function that has it: every use of it reads.
func (v *Values) collection(f *il.Function, o il.Operand) (*il.Function, *il.Instr) {
	o = f.Root(o)
	if o.Kind == il.Free {
		name := f.Word(o)
		g, w, ok := v.Names.Binding(f, name)
		if !ok || !capital(name) || v.written[name] || v.Names.Lookup(f, name) == nil {
			return nil, nil
		}
		if v.escaped()[name] {
			return nil, nil
		}
		f, o = g, g.Root(w)
	}
	def := f.Def(o)
	if def == nil || def.Op != il.Make || !v.readOnly(f, o, 0) {
		return nil, nil
	}
	return f, def
}

// readOnly tells whether all that is done with a version is reading.
func (v *Values) readOnly(f *il.Function, o il.Operand, depth int) bool {
	for _, in := range f.Versions[o.ID].Uses {
		switch {
		case reads(f, in, o):
		case (in.Op == il.Bind && in.Kind == "" || in.Op == il.Assume) && depth < maxBases:
			if !v.readOnly(f, il.Operand{Kind: il.Local, ID: in.Dst}, depth+1) {
				return false
			}
		case in.Op == il.Phi && f.Kind == il.Top, in.Op == il.Define:
		default:
			return false
		}
	}
	return true
}

// readers are methods that change nothing and hand out no part that is one.
var readers = map[string]bool{"get": true, "keys": true, "values": true, "items": true, "index": true, "count": true, "includes": true,
	"indexOf": true, "has": true, "contains": true, "len": true, "length": true, "size": true, "containsKey": true, "join": true, "copy": true}

// reads tells an instruction that only reads a collection.
func reads(f *il.Function, in *il.Instr, o il.Operand) bool {
	switch in.Op {
	case il.Branch, il.Loop:
		return true
	case il.Bind:
		return in.Kind != "" && negated[in.Kind] != "" || in.Kind == "+" && !augmented(f, in)
	case il.Make:
		for i, a := range in.Args {
			if a == o && (i >= len(in.Names) || in.Names[i] != "*" && in.Names[i] != "**") {
				return false
			}
		}
		return true
	case il.Get:
		if !in.Args[0].Is(o.ID) && o.Kind == il.Local || in.Kind != "attr" {
			return in.Args[0] == o
		}
		key, _ := f.Str(in.Args[1])
		return readers[key]
	case il.Call:
		return (in.Kind == "len" || in.Kind == "sorted" || in.Kind == "isinstance" || in.Kind == "frozenset" || in.Kind == "tuple" || in.Kind == "list" || in.Kind == "set") && in.Args[0] != o
	default:
		return false
	}
}

// escaped are the names of other scopes that some function does more with than to
// read what they hold, in any module.
func (v *Values) escaped() map[string]bool {
	if v.handed != nil {
		return v.handed
	}
	v.handed = map[string]bool{}
	for f := range v.Names.program.All() {
		for _, in := range f.Instructions() {
			switch {
			case in.Op == il.Import && len(in.Names) > 1 && in.Names[0] != in.Names[1]:
				v.handed[in.Names[1]] = true
			case in.Op == il.Get && in.Kind == "attr":
				if key, ok := f.Str(in.Args[1]); ok && capital(key) {
					v.handed[key] = true
				}
			}
			for _, a := range in.Args {
				if a.Kind == il.Free && !reads(f, in, a) {
					v.handed[f.Word(a)] = true
				}
			}
		}
		for i, ver := range f.Versions {
			if f.Kind != il.Top && ver.Def != nil && ver.Def.Op == il.Import && !v.readOnly(f, il.Operand{Kind: il.Local, ID: int32(i)}, 0) {
				v.handed[ver.Var] = true
			}
			if f.Kind == il.Top && capital(ver.Var) && !v.readOnly(f, il.Operand{Kind: il.Local, ID: int32(i)}, 0) {
				v.handed[ver.Var] = true
			}
		}
	}
	return v.handed
}

// entry is what a map of constants has at a key.
func entry(def *il.Instr, key string) (o il.Operand, found, whole bool) {
	whole = !slices.Contains(def.Names, "**") && !slices.Contains(def.Names, "")
	for i, name := range def.Names {
		if name == key {
			o, found = def.Args[i], true
		}
	}
	return o, found, whole
}

// elements are the members of a collection of constants, of a map its keys, that
// nothing changes.
func (v *Values) elements(f *il.Function, o il.Operand) (list []il.Const, ok bool) {
	f, def := v.collection(f, o)
	if def == nil || def.Kind != "list" || slices.Contains(def.Names, "*") || len(def.Args) == 0 || len(def.Args) > maxStrings {
		return nil, false
	}
	for _, a := range def.Args {
		a = f.Root(a)
		c, is := f.Const(a)
		if named, sure, bound := v.bound(f, a); !is && bound && sure {
			c, is = *named, true
		}
		if !is {
			return nil, false
		}
		list = append(list, c)
	}
	return list, true
}
