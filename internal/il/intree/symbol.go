package intree

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// Symbol is what a name or an expression stands for. Names that a library
// only re-exports are reduced to one: typing_extensions.X is typing.X,
// pydantic.main.X and pydantic.v1.X are pydantic.X.
type Symbol struct {
	// Qualified is the dotted name, or "?expr@path:line" when unresolved.
	Qualified string
	// Def is the first-party definition it denotes; for an instance, the class.
	Def *code.Definition
	// Module is set when the symbol is a first-party module.
	Module *code.Module
	// Node is what binds it when it is neither a definition nor an import: the
	// right side of the assignment, the call of a functional class. For an
	// instance and for what a call returns, the call.
	Node code.Node
	// Instance: an object of the class Qualified, not the class.
	Instance bool
	// External: not first-party.
	External bool
	// Bound holds the arguments that functools.partial fixed beforehand.
	Bound []Argument
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

// unresolved is the symbol of an expression that nothing is known about.
func unresolved(n code.Node) Symbol { return Symbol{Qualified: n.Unknown()} }

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

// symbols is a list without repetitions.
type symbols []Symbol

func (l *symbols) add(more ...Symbol) {
	for _, s := range more {
		if len(*l) < maxAlternatives && !slices.ContainsFunc(*l, func(t Symbol) bool {
			return s.Qualified == t.Qualified && s.Instance == t.Instance && s.Def == t.Def
		}) {
			*l = append(*l, s)
		}
	}
}

func (l symbols) known() bool { return slices.ContainsFunc(l, Symbol.Known) }

// matchAny reports whether a name matches one of the globs.
func matchAny(name string, globs []string) bool {
	for _, g := range globs {
		if tables.Match(name, g) {
			return true
		}
	}
	return false
}
