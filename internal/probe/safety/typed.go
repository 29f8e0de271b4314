package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// typedParameter is what a parameter carries whose type the framework checks.
func (x *lowered) typedParameter(from analyse.Origin, p il.Param) facts.Origin {
	f := from.Function
	if class := x.Names.Type(f, p.Type); class != nil && len(from.Keys) > 0 {
		return x.declaredField(class, from.Keys[0])
	}
	if c, ok := x.defaultCall(f, p); ok {
		switch {
		case c.method() == "Depends" || c.method() == "Security":
			return x.dependency(c)
		case constrains(c):
			return min(x.typeCarries(f, p.Type), facts.Open)
		}
	} else if _, text := f.Str(p.Default); p.Type == "" && p.Filled && !text && !empty(f, p.Default) {
		return facts.Open
	}
	return x.typeCarries(f, p.Type)
}

// defaultCall is the call that makes the default of a parameter.
func (x *lowered) defaultCall(f *il.Function, p il.Param) (call, bool) {
	for _, in := range f.Outer.Instructions() {
		if in.Op != il.Define || in.Ref != f {
			continue
		}
		if i := slices.Index(in.Names, "="+p.Name); i >= 0 {
			if def := f.Outer.Def(f.Outer.Root(in.Args[i])); def != nil && def.Op == il.Call {
				name, _ := x.callee(f.Outer, def)
				return call{f.Outer, def, name}, true
			}
		}
	}
	return call{}, false
}

// dependency is what a function gives that a framework calls for a parameter.
func (x *lowered) dependency(c call) facts.Origin {
	o, _ := c.in.Argument("dependency", 0)
	s := x.Names.Operand(c.f, o)
	if s == nil || s.Function == nil || s.Function.Kind == il.ClassBody {
		return facts.Open
	}
	for _, in := range s.Function.Instructions() {
		if in.Op == il.Return && !x.constant(s.Function, in.Args[0], in) {
			return facts.Open
		}
	}
	return facts.Own
}

// constrains tells a default such as Query or Option that demands a pattern or has a
// function look at the value.
func constrains(c call) bool {
	for i, name := range c.in.Names {
		if slices.Contains([]string{"pattern", "regex", "callback", "click_type", "parser", "enum"}, name) && !empty(c.f, c.in.Args[i+1]) {
			return true
		}
	}
	return false
}

// declaredField is what a field of a model carries that a framework fills.
func (x *lowered) declaredField(class *il.Function, name string) facts.Origin {
	if slices.ContainsFunc(x.Names.Above(class), func(base string) bool { return strings.HasPrefix(base, "enum.") }) {
		return facts.Own
	}
	written, in, ok := declaration(class, name)
	if !ok {
		return facts.Open
	}
	carries := x.typeCarries(class, written)
	def := class.Def(class.Root(il.Operand{Kind: il.Local, ID: in.Dst}))
	if def != nil && def.Op == il.Call && constrains(call{f: class, in: def}) || x.validated(class, name) {
		return min(carries, facts.Open)
	}
	return carries
}

// declaration is the type of a field of a class, as it is written, and what declares it.
func declaration(class *il.Function, name string) (written string, in *il.Instr, ok bool) {
	for _, v := range class.Versions {
		if v.Var != name {
			continue
		}
		for def := v.Def; def != nil && def.Op == il.Bind && len(def.Args) == 1; def = class.Def(def.Args[0]) {
			if len(def.Names) > 0 {
				return def.Names[0], v.Def, true
			}
		}
	}
	return "", nil, false
}

// validated tells a field that a method of its model looks at: one that raises.
func (x *lowered) validated(class *il.Function, name string) bool {
	for _, m := range class.Module.Functions {
		if m.Outer != class {
			continue
		}
		looks := m.Name == class.Name+".__post_init__"
		for _, c := range x.decorations(m) {
			switch c.method() {
			case "field_validator", "validator":
				looks = looks || slices.ContainsFunc(c.in.Args[1:], func(o il.Operand) bool { text, ok := c.f.Str(o); return ok && (text == name || text == "*") })
			case "model_validator", "root_validator":
				looks = true
			}
		}
		if looks && raises(m) {
			return true
		}
	}
	return false
}

// raises tells a function with a statement that raises.
func raises(f *il.Function) bool {
	for _, in := range f.Instructions() {
		if in.Op == il.Raise {
			return true
		}
	}
	return false
}

var typeWord = regexp.MustCompile(`["']?[A-Za-z_][\w.]*|\(`)

// typeCarries says whether what a type allows can be any text. No type is text.
func (x *lowered) typeCarries(f *il.Function, written string) facts.Origin {
	if written == "" {
		return facts.Sender
	}
	answer := facts.Own
	annotated := false
	for _, word := range typeWord.FindAllString(strings.TrimLeft(written, ": "), -1) {
		name := x.typeName(f, strings.Trim(word, `"'`))
		switch row, ok := tables.Of(tables.Flow).Find(python, name, "clean type", "text type", "wrapper type"); {
		case word == "(", word == "None", word == "True", word == "False":
		case name == "typing.Annotated" || name == "typing_extensions.Annotated":
			annotated = true
		case annotated && slices.Contains([]string{"pattern", "regex", "callback", "click_type", "parser", "AfterValidator", "BeforeValidator"}, word):
			return min(max(answer, facts.Open), facts.Open)
		case name == "typing.Literal" || name == "typing_extensions.Literal":
			return answer
		case ok && row.Role == "text type":
			if answer == facts.Own {
				answer = facts.Sender
			}
		case ok, annotated && answer != facts.Own:
		case name == "enum" || x.isEnum(f, word):
		default:
			answer = facts.Open
		}
	}
	return answer
}

func (x *lowered) isEnum(f *il.Function, word string) bool {
	class := x.Names.Type(f, word)
	return class != nil && slices.ContainsFunc(x.Names.Above(class), func(base string) bool { return strings.HasPrefix(base, "enum.") })
}

// typeName is the full name of a type outside of the program, else as it is written.
func (x *lowered) typeName(f *il.Function, word string) string {
	head, rest, more := strings.Cut(word, ".")
	if s := x.Names.Lookup(f, head); s != nil && s.Outside != "" {
		if more {
			return s.Outside + "." + rest
		}
		return s.Outside
	}
	return word
}
