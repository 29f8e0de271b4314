package intree

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// Field is one field of a class: an annotated or assigned name of its body, a
// key of a functional TypedDict, NamedTuple or create_model, or a name bound
// on self in a method.
type Field struct {
	Name       string
	Annotation code.Node        // zero when there is none
	Default    code.Node        // zero when there is none
	Line       int              // line in the owner's file
	Owner      *code.Definition // class that declares it; nil for a functional class
	Node       code.Node        // the declaring statement, pair or argument
	Self       bool             // bound on self, not declared
}

// Bases returns the base classes of a class, transitive, depth first from the
// left, each once, external ones by qualified name and unresolved ones as
// such. The class itself is not among them.
func (x *Program) Bases(class *code.Definition) []Symbol {
	if class == nil || class.Kind != code.DefClass {
		return nil
	}
	known, ok := x.bases[class]
	if !ok {
		cuts := x.cuts
		if known = x.addBases(symbols{{Qualified: class.Qualified, Def: class}}, class)[1:]; x.cuts == cuts || x.settled {
			x.bases[class] = known
		}
	}
	return known
}

// addBases appends the bases of a class that are not in the list yet. What is
// in it already has been followed.
func (x *Program) addBases(out symbols, class *code.Definition) symbols {
	for n := range class.Node.Field("superclasses").Children() {
		if n.Is("keyword_argument", "list_splat", "dictionary_splat") {
			continue
		}
		if n.Is("subscript") { // Generic[T], Base[int]
			n = n.Field("value")
		}
		found := x.ResolveAll(n)
		if len(found) == 0 {
			found = []Symbol{unresolved(n)}
		}
		for _, base := range found {
			base.Instance = false
			before := len(out)
			out.add(base)
			if len(out) > before && base.Def != nil && base.Def.Kind == code.DefClass {
				out = x.addBases(out, base.Def)
			}
		}
	}
	return out
}

// Inherits reports whether a class has, directly or not, a base whose
// qualified name matches one of the globs.
func (x *Program) Inherits(class *code.Definition, globs ...string) bool {
	return slices.ContainsFunc(x.Bases(class), func(s Symbol) bool { return s.Matches(globs...) })
}

// Subclasses returns the first-party classes that inherit from a class,
// transitive, in source order.
func (x *Program) Subclasses(class *code.Definition) []*code.Definition { return x.below[class] }

// derive notes which classes come from which.
func (x *Program) derive() {
	for _, m := range x.Modules {
		for _, d := range m.Definitions() {
			x.Bases(d)
		}
	}
	x.settled = true // what circles cut short now is cut for good: nobody needs the lock for bases
	for _, m := range x.Modules {
		for _, d := range m.Definitions() {
			for _, base := range x.Bases(d) {
				if base.Def != nil && base.Def != d {
					x.below[base.Def] = append(x.below[base.Def], d)
				}
			}
		}
	}
}

// Method returns the method of a class or of the nearest base that has it,
// or nil.
func (x *Program) Method(class *code.Definition, name string) *code.Definition {
	if class == nil || class.Kind != code.DefClass {
		return nil
	}
	for _, c := range append([]Symbol{{Def: class}}, x.Bases(class)...) {
		if c.Def == nil {
			continue
		}
		for _, m := range slices.Backward(c.Def.Inner()) {
			if m.Name == name && m.Kind == code.DefMethod {
				return m
			}
		}
	}
	return nil
}

// Dataclass reports under the lock of the analyses whether a class is made by a dataclass decorator
// (dataclasses, attrs, pydantic.dataclasses).
func (x *Program) Dataclass(class *code.Definition) bool {
	return slices.ContainsFunc(class.Decorators(), func(d code.Node) bool {
		if d.Is("call") {
			d = d.Field("function")
		}
		return x.Resolve(d).Matches("dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attr.s", "attr.attrs",
			"attr.define", "attrs.define", "attrs.frozen", "attrs.mutable")
	})
}

// Fields returns the fields of what a symbol stands for: a class, inherited
// fields first and overridden ones in place, or a functional TypedDict,
// NamedTuple, dataclass or create_model. Names bound on self come last.
func (x *Program) Fields(class Symbol) []Field {
	if class.Def == nil {
		return x.functionalFields(class.Node)
	}
	if class.Def.Kind != code.DefClass {
		return nil
	}
	var out []Field
	line := append([]Symbol{{Def: class.Def}}, x.Bases(class.Def)...)
	for _, s := range slices.Backward(line) {
		fields := x.functionalFields(s.Node)
		if s.Def != nil {
			fields = ownFields(s.Def)
		}
		for _, f := range fields {
			if i := slices.IndexFunc(out, func(o Field) bool { return o.Name == f.Name }); i < 0 {
				out = append(out, f)
			} else if !f.Self {
				out[i] = f
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Field) int {
		switch {
		case a.Self == b.Self:
			return 0
		case a.Self:
			return 1
		}
		return -1
	})
	return out
}

// ownFields lists what the body of a class declares and its methods bind.
func ownFields(class *code.Definition) []Field {
	var out []Field
	for c := range class.Body().Children() {
		a := c.Child(0)
		if !c.Is("expression_statement") || !a.Is("assignment") {
			continue
		}
		left := a.Field("left")
		if !left.Is("identifier") {
			continue
		}
		out = append(out, Field{Name: left.Text(), Annotation: code.TypeOf(a.Field("type")), Default: a.Field("right"),
			Line: a.Line(), Owner: class, Node: a})
	}
	for name, b := range class.Attributes() {
		if !slices.ContainsFunc(out, func(f Field) bool { return f.Name == name }) {
			out = append(out, Field{Name: name, Annotation: b.Annotation, Default: b.Value, Line: b.Node.Line(), Owner: class, Node: b.Node, Self: true})
		}
	}
	return out
}

// functionalFields reads the fields of TypedDict("X", {...}), NamedTuple("X",
// [...]), namedtuple("X", "a b"), create_model("X", a=(int, 1)) and
// make_dataclass("X", [...]).
func (x *Program) functionalFields(call code.Node) []Field {
	if !call.Is("call") {
		return nil
	}
	var out []Field
	args := written(call)
	if code.LastName(call.Field("function").Unparen()) == "create_model" {
		for _, a := range args {
			if a.Name != "" && !strings.HasPrefix(a.Name, "__") {
				value := a.Value.Unparen()
				out = append(out, Field{Name: a.Name, Annotation: value.Child(0), Default: value.Child(1), Line: value.Line(), Node: value})
			}
		}
		return out
	}
	described := pick(args, "fields", 1).Unparen()
	switch described.Kind() {
	case "dictionary":
		for pair := range described.Children() {
			if name, ok := pair.Field("key").Literal(); ok {
				out = append(out, Field{Name: name, Annotation: pair.Field("value"), Line: pair.Line(), Node: pair})
			}
		}
	case "list", "tuple":
		for item := range described.Children() {
			name, ok := item.Literal()
			if !ok {
				name, ok = item.Child(0).Literal()
			}
			if ok {
				f := Field{Name: name, Line: item.Line(), Node: item}
				if item.Is("tuple", "list") {
					f.Annotation, f.Default = item.Child(1), item.Child(2)
				}
				out = append(out, f)
			}
		}
	case "string":
		text, _ := described.Literal()
		for name := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
			out = append(out, Field{Name: name, Line: described.Line(), Node: described})
		}
	}
	return out
}
