package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// subscripted says that an object of a class of pydantic is asked for an element, or given one,
// by a text: its class has no method for that. Types that are declared are not believed.
func (a *Analyses) subscripted(f *il.Function, in *il.Instr) string {
	if _, ok := f.Str(in.Args[1]); in.Kind != "item" || !ok {
		return ""
	}
	method := "__getitem__"
	if in.Op == il.Set {
		method = "__setitem__"
	}
	class := a.modelOf(f, in.Args[0])
	if class == nil || a.Values.written[method] || !a.Names.plainModel(class, visited{}) || a.Names.Method(class, method) != nil || a.Names.Method(class, "__new__") != nil ||
		slices.ContainsFunc(a.Names.methods[method], func(m *il.Function) bool { return a.Names.mayBeBelow(a.Names.bodyOf(m), class) }) {
		return ""
	}
	return "an object of " + lastName(class.Class) + " has no elements to read or set"
}

// plainModel tells a class that is pydantic's and the program's alone.
func (n *Names) plainModel(class *il.Function, seen visited) bool {
	bases := n.Bases(class)
	return len(bases) > 0 && len(class.Decorators) == 0 && seen.first(class) && !slices.ContainsFunc(bases, func(s *Symbol) bool {
		return s.Outside != "pydantic.BaseModel" && (s.Function == nil || !n.plainModel(s.Function, seen))
	})
}

// validating are methods of pydantic's classes that make an object of them.
var validating = []string{"model_validate", "model_validate_json", "model_construct", "parse_obj", "parse_raw"}

// modelOf is the class that an object is of on every way on which it is not none; nil where
// that is not certain, or something asks what it is.
func (a *Analyses) modelOf(f *il.Function, o il.Operand) (class *il.Function) {
	for _, one := range f.Alternatives(o) {
		if c, ok := f.Const(one); ok && c.Type == il.NoneConst {
			continue
		}
		def := f.Def(one)
		for def != nil && def.Op == il.Set && (def.Kind == "attr" || def.Kind == "item") { // the object as it is after a change
			one = f.Root(def.Args[0])
			def = f.Def(one)
		}
		if def == nil || def.Op != il.Call || slices.ContainsFunc(f.Versions, func(v il.Version) bool { return v.Def != nil && questions(v.Def) && f.Root(v.Def.Args[1]) == one }) {
			return nil
		}
		made := a.makes(f, def)
		if made == nil || class != nil && made != class {
			return nil
		}
		class = made
	}
	return class
}

// questions tells a call that asks what an object is.
func questions(in *il.Instr) bool {
	return in.Op == il.Call && len(in.Args) > 1 && slices.Contains([]string{"isinstance", "hasattr", "type", "getattr", "callable"}, in.Kind)
}

// makes is the class of the program that a call surely makes an object of: by its name, a
// method of pydantic's, or a model that is bound to it.
func (a *Analyses) makes(f *il.Function, call *il.Instr) *il.Function {
	if s := a.Names.Operand(f, call.Args[0]); s != nil && s.Function != nil && s.Function.Kind == il.ClassBody {
		return s.Function
	}
	get, key := attribute(f, call)
	switch {
	case get == nil:
	case slices.Contains(validating, key):
		if s := a.Names.Operand(f, get.Args[0]); s != nil && s.Function != nil && s.Function.Kind == il.ClassBody && a.Names.Method(s.Function, key) == nil {
			return s.Function
		}
	case key == "invoke", key == "ainvoke" && call.Mode == il.Awaited:
		return a.boundTo(f, get.Args[0], 0)
	}
	return nil
}

// attribute is the read of the method that a call calls, and its name.
func attribute(f *il.Function, call *il.Instr) (*il.Instr, string) {
	get := f.Def(f.Root(call.Args[0]))
	if get == nil || get.Op != il.Get || get.Kind != "attr" {
		return nil, ""
	}
	key, _ := f.Str(get.Args[1])
	return get, key
}

// boundTo is the class that the answers of a model of LangChain are objects of.
func (a *Analyses) boundTo(f *il.Function, o il.Operand, depth int) *il.Function {
	if top, _, value := a.Names.home(f, o); top != nil {
		f, o = top, value
	}
	def := f.Def(f.Root(o))
	if def == nil || depth > maxDepth {
		return nil
	}
	if def.Op == il.Bind && def.Kind == "|" {
		return a.boundTo(f, def.Args[1], depth+1)
	}
	if def.Op != il.Call {
		return nil
	}
	if s := a.Names.Operand(f, def.Args[0]); s != nil && s.Function != nil {
		if s.Function.Kind != il.Plainly || s.Function.Async || len(s.Function.Decorators) > 0 {
			return nil
		}
		var class *il.Function
		for _, in := range s.Function.Instructions() {
			if in.Op != il.Return {
				continue
			}
			if c := a.boundTo(s.Function, in.Args[0], depth+1); c == nil || class != nil && c != class {
				return nil
			} else {
				class = c
			}
		}
		return class
	}
	switch get, key := attribute(f, def); {
	case get == nil || len(a.Names.methods[key]) > 0:
	case key == "with_retry":
		return a.boundTo(f, get.Args[0], depth+1)
	case key == "with_structured_output" && len(def.Args) > 1 && !slices.ContainsFunc(def.Names, func(name string) bool { return !slices.Contains([]string{"", "schema", "method", "strict"}, name) }):
		schema, _ := def.Argument("schema", 0)
		if s := a.Names.Operand(f, schema); s != nil && s.Function != nil && s.Function.Kind == il.ClassBody {
			return s.Function
		}
	}
	return nil
}
