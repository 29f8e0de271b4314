package code

// Symbol is what a name or an expression stands for.
type Symbol struct {
	// Qualified is the dotted name, or "?expr@path:line" when unresolved.
	Qualified string
	// Def is the first-party definition it denotes; for an instance, the class.
	Def *Definition
	// Module is set when the symbol is a first-party module.
	Module *Module
	// Node is what binds it when it is neither a definition nor an import: the
	// right side of the assignment, the parameter, the call of a functional
	// class. For an instance, the constructor call.
	Node Node
	// Instance: an object of the class Qualified, not the class.
	Instance bool
	// External: not first-party.
	External bool
	// Bound holds the arguments that functools.partial fixed beforehand.
	Bound []Argument
}

// Known reports whether the symbol was resolved.
func (s Symbol) Known() bool { return s.Qualified != "" && s.Qualified[0] != '?' }

// Matches reports whether the symbol is resolved and its qualified name
// matches one of the globs ("*" is any run of characters, dots included).
func (s Symbol) Matches(globs ...string) bool { return false }

// Resolve says what an expression stands for, seen from where it is written:
// names, attributes, calls (what they return), subscripts of literal tables,
// getattr with a literal. Aliases, imports of every form, local assignments,
// attributes of self, annotated parameters and functools.partial are followed.
// Where several bindings are possible it is the first; see ResolveAll.
func (p *Program) Resolve(n Node) Symbol { return Symbol{Qualified: n.Unknown()} }

// ResolveAll returns every symbol that an expression may stand for, at most
// 16, in source order of their bindings; unresolved ones included.
func (p *Program) ResolveAll(n Node) []Symbol { return nil }

// ResolveName says what a dotted name stands for in the scope of a node.
func (p *Program) ResolveName(name string, at Node) Symbol { return Symbol{Qualified: "?" + name} }

// Lookup returns the symbol with a qualified name, following re-exports.
func (p *Program) Lookup(qualified string) Symbol { return Symbol{Qualified: "?" + qualified} }

// Uses returns the nodes outside import statements that stand for a
// definition, in source order. Strings in annotations count.
func (p *Program) Uses(d *Definition) []Node { return nil }
