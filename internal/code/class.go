package code

import (
	"slices"
	"strings"
	"sync"
)

// Field is one field of a class: an annotated or assigned name of its body, a
// key of a functional TypedDict, NamedTuple or create_model, or a name bound
// on self in a method.
type Field struct {
	Name       string
	Annotation Node        // zero when there is none
	Default    Node        // zero when there is none
	Line       int         // line in the owner's file
	Owner      *Definition // class that declares it; nil for a functional class
	Node       Node        // the declaring statement, pair or argument
	Self       bool        // bound on self, not declared
}

// subclassIndex maps each class to the classes that inherit from it.
type subclassIndex struct {
	once sync.Once
	of   map[*Definition][]*Definition
}

// Bases returns the base classes of a class, transitive, depth first from the
// left, each once, external ones by qualified name and unresolved ones as
// such. The class itself is not among them.
func (p *Program) oldBases(class *Definition) []Symbol {
	if class == nil || class.Kind != DefClass {
		return nil
	}
	return p.query().bases(class)
}

// Inherits reports whether a class has, directly or not, a base whose
// qualified name matches one of the globs.
func (p *Program) oldInherits(class *Definition, globs ...string) bool {
	return slices.ContainsFunc(p.oldBases(class), func(s Symbol) bool { return s.Matches(globs...) })
}

// Subclasses returns the first-party classes that inherit from a class,
// transitive, in source order.
func (p *Program) oldSubclasses(class *Definition) []*Definition {
	return p.subclassIndexed()[class]
}

// subclassIndexed maps each class to its subclasses.
func (p *Program) subclassIndexed() map[*Definition][]*Definition {
	p.subclasses.once.Do(func() {
		p.subclasses.of = map[*Definition][]*Definition{}
		for _, m := range p.Modules {
			for _, d := range m.Definitions() {
				if d.Kind != DefClass {
					continue
				}
				q := p.rawQuery()
				q.closed = true
				for _, base := range q.bases(d) {
					if base.Def != nil && base.Def != d {
						p.subclasses.of[base.Def] = append(p.subclasses.of[base.Def], d)
					}
				}
			}
		}
	})
	return p.subclasses.of
}

// Method returns the method of a class or of the nearest base that has it,
// or nil.
func (p *Program) oldMethod(class *Definition, name string) *Definition {
	if class == nil || class.Kind != DefClass {
		return nil
	}
	return p.query().method(class, name)
}

// Dataclass reports whether a class is made by a dataclass decorator
// (dataclasses, attrs, pydantic.dataclasses).
func (p *Program) oldDataclass(class *Definition) bool {
	for _, d := range class.Decorators() {
		if d.Is("call") {
			d = d.Field("function")
		}
		if p.oldResolve(d).Matches("dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attr.s", "attr.attrs",
			"attr.define", "attrs.define", "attrs.frozen", "attrs.mutable") {
			return true
		}
	}
	return false
}

// Fields returns the fields of what a symbol stands for: a class, inherited
// fields first and overridden ones in place, or a functional TypedDict,
// NamedTuple, dataclass or create_model. Names bound on self come last.
func (p *Program) oldFields(class Symbol) []Field {
	if class.Def == nil {
		return p.functionalFields(class.Node)
	}
	if class.Def.Kind != DefClass {
		return nil
	}
	var out []Field
	line := append([]Symbol{{Def: class.Def}}, p.oldBases(class.Def)...)
	for _, s := range slices.Backward(line) {
		fields := p.functionalFields(s.Node)
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
func ownFields(class *Definition) []Field {
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
		out = append(out, Field{Name: left.Text(), Annotation: typeOf(a.Field("type")), Default: a.Field("right"),
			Line: a.Line(), Owner: class, Node: a})
	}
	names := make([]string, 0, len(class.attrs))
	for name := range class.attrs {
		if !slices.ContainsFunc(out, func(f Field) bool { return f.Name == name }) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return class.attrs[a][0].node.before(class.attrs[b][0].node) })
	for _, name := range names {
		b := class.attrs[name][0]
		out = append(out, Field{Name: name, Annotation: b.annotation, Default: b.value, Line: b.node.Line(),
			Owner: class, Node: b.node, Self: true})
	}
	return out
}

// functionalFields reads the fields of TypedDict("X", {...}), NamedTuple("X",
// [...]), namedtuple("X", "a b"), create_model("X", a=(int, 1)) and
// make_dataclass("X", [...]).
func (p *Program) functionalFields(call Node) []Field {
	if !call.Is("call") {
		return nil
	}
	var out []Field
	args := plainArguments(call)
	if p.oldResolve(call.Field("function")).Matches("pydantic.create_model") {
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
