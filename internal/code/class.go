package code

// Field is one field of a class: an annotated or assigned name of its body, a
// key of a functional TypedDict, NamedTuple or create_model, or a name bound
// on self in __init__.
type Field struct {
	Name       string
	Annotation Node        // zero when there is none
	Default    Node        // zero when there is none
	Line       int         // line in the owner's file
	Owner      *Definition // class that declares it; nil for a functional class
	Node       Node        // the declaring statement, pair or argument
	Self       bool        // bound on self, not declared
}

// Bases returns the base classes of a class, transitive, in method resolution
// order as far as it is known, external ones by qualified name. The class
// itself is not among them.
func (p *Program) Bases(class *Definition) []Symbol { return nil }

// Inherits reports whether a class has, directly or not, a base whose
// qualified name matches one of the globs. "pydantic.BaseModel" also covers
// what re-exports it.
func (p *Program) Inherits(class *Definition, globs ...string) bool { return false }

// Subclasses returns the first-party classes that inherit from a class,
// transitive, in source order.
func (p *Program) Subclasses(class *Definition) []*Definition { return nil }

// Fields returns the fields of what a symbol stands for: a class, inherited
// fields first and overridden ones in place, or a functional TypedDict,
// NamedTuple, dataclass or create_model.
func (p *Program) Fields(class Symbol) []Field { return nil }

// Method returns the method of a class or of the nearest base that has it,
// or nil.
func (p *Program) Method(class *Definition, name string) *Definition { return nil }

// Dataclass reports whether a class is made by a dataclass decorator
// (dataclasses, attrs, pydantic.dataclasses).
func (p *Program) Dataclass(class *Definition) bool { return false }
