package code

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/tables"
)

// Symbol is what a name or an expression stands for. Names that a library
// only re-exports are reduced to one: typing_extensions.X is typing.X,
// pydantic.main.X and pydantic.v1.X are pydantic.X.
type Symbol struct {
	// Qualified is the dotted name, or "?expr@path:line" when unresolved.
	Qualified string
	// Def is the first-party definition it denotes; for an instance, the class.
	Def *Definition
	// Module is set when the symbol is a first-party module.
	Module *Module
	// Node is what binds it when it is neither a definition nor an import: the
	// right side of the assignment, the parameter, the call of a functional
	// class. For an instance, for what a call returns and for a function that a
	// factory function made, the call.
	Node Node
	// Instance: an object of the class Qualified, not the class.
	Instance bool
	// External: not first-party.
	External bool
	// Bound holds the arguments that functools.partial fixed beforehand.
	Bound []Argument

	place place // first-party modules and package folders
}

// maxAlternatives bounds the symbols that one expression may stand for.
const maxAlternatives = 16

// Known reports whether the symbol was resolved.
func (s Symbol) Known() bool { return s.Qualified != "" && s.Qualified[0] != '?' }

// Matches reports whether the symbol is resolved and its qualified name
// matches one of the globs ("*" is any run of characters, dots included).
func (s Symbol) Matches(globs ...string) bool { return s.Known() && matchAny(s.Qualified, globs) }

// In reports whether the symbol is resolved and has a row in a table, of one of
// the roles where some are given.
func (s Symbol) In(t tables.Table, roles ...string) bool {
	return s.Known() && t.Has("python", s.Qualified, roles...)
}

func (s Symbol) same(t Symbol) bool {
	return s.Qualified == t.Qualified && s.Instance == t.Instance && s.Def == t.Def
}

// unresolved is the symbol of an expression that nothing is known about.
func unresolved(n Node) Symbol { return Symbol{Qualified: n.Unknown()} }

// external is the symbol of something that is not first-party.
func external(qualified string) Symbol {
	for _, alias := range [...][2]string{
		{"typing_extensions.", "typing."},
		{"pydantic.v1.", "pydantic."},
		{"pydantic.main.", "pydantic."},
		{"langchain_core.pydantic_v1.", "pydantic."},
		{"langchain.pydantic_v1.", "pydantic."},
	} {
		if rest, ok := strings.CutPrefix(qualified, alias[0]); ok {
			qualified = alias[1] + rest
			break
		}
	}
	return Symbol{Qualified: qualified, External: true}
}

// addSymbols appends the symbols that are not in the list yet. One symbol alone
// is not copied.
func addSymbols(list []Symbol, more ...Symbol) []Symbol {
	if len(list) == 0 && len(more) == 1 {
		return slices.Clip(more)
	}
next:
	for _, s := range more {
		for _, t := range list {
			if s.same(t) {
				continue next
			}
		}
		if len(list) < maxAlternatives {
			list = append(list, s)
		}
	}
	return list
}

// matchAny reports whether a name matches one of the globs.
func matchAny(name string, globs []string) bool {
	for _, g := range globs {
		if tables.Match(name, g) {
			return true
		}
	}
	return false
}

func External(q string) Symbol      { return external(q) }
func BuiltinClass(q string) bool    { return builtinClass(q) }
func LiteralType(n Node) string     { return literalType(n) }
func ClassLike(q string) bool       { return classLike(q) }
func BuiltinMethod(q string) string { return builtinMethod(q) }
