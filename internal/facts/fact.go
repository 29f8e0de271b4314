package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
)

// Answer is yes, no or unknown; the zero value is unknown.
type Answer = agentgraph.Truth

// The answers.
const (
	Unknown = agentgraph.Unknown
	No      = agentgraph.No
	Yes     = agentgraph.Yes
)

// Fact is one thing that is so, or is not, or that nobody could tell.
type Fact[T any] struct {
	Value  T
	Answer Answer
	Why    Reason
	At     []court.Place // where it shows, the best first; prose is made from it
	Source court.Source  // what it rests on
	Live   Answer        // whether a run of the program may come there
	Scope  code.Scope    // of the file that it is in
	// Ships tells that production code imports that file, whatever its scope says;
	// Borrowed, that it is read for no other reason.
	Ships, Borrowed bool
}

// In tells whether a check that looks at a scope sees the fact: production, which
// is meant by "", tests, or all.
func (f Fact[T]) In(scope string) bool {
	switch {
	case f.Borrowed:
		return false
	case scope == "all":
		return true
	case scope == "tests":
		return f.Scope == code.ScopeTest
	default:
		return f.Scope == code.ScopeProduction
	}
}

// Runs is In for what must not be there: what production code imports runs with
// it.
func (f Fact[T]) Runs(scope string) bool {
	return f.In(scope) || (f.Ships || f.Borrowed) && scope != "tests"
}

// Class is the scope class by which the fact is judged.
func (f Fact[T]) Class() string {
	if f.Runs("") {
		return string(code.ScopeProduction)
	}
	return string(f.Scope)
}

// Set is every fact of one kind, with how much was looked at.
type Set[T any] struct {
	Facts    []Fact[T]
	Coverage court.Fixed  // share of the production code that was examined
	Source   court.Source // what it rests on that there are no others
	Empty    bool         // there is no code to look at
	Unread   []string     // what was not looked at, counted by what it is
	Blind    Reason       // why nothing at all could be looked at
}

// Reason says why a fact is so, is not, or cannot be told.
type Reason struct {
	Code court.Reason // of an unknown
	Text string       // one phrase, lower case; "" where the value says it all
}

// maxSpan bounds the lines of a place.
const maxSpan = 10

// At makes places of the reading's, those that are somewhere, each once.
func At(in ...agentgraph.Place) []court.Place {
	var out []court.Place
	for _, p := range in {
		q := court.Place{Path: p.Path, Line: p.Line, EndLine: min(max(p.End, p.Line), p.Line+maxSpan-1)}
		if p.Path != "" && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// Shown are the places of items, each once.
func Shown(items []agentgraph.Item) []court.Place { return At(placesOf(items)...) }

func placesOf(items []agentgraph.Item) []agentgraph.Place {
	var out []agentgraph.Place
	for _, it := range items {
		out = append(out, it.At...)
	}
	return out
}

// Line names a place in a sentence, by its file and line.
func Line(p court.Place) string { return court.Clean(fmt.Sprintf("%s:%d", p.Path, p.Line), 160) }

// Sorted are places by file and line, each once.
func Sorted(places []court.Place) []court.Place {
	slices.SortFunc(places, func(a, b court.Place) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line)
	})
	return slices.CompactFunc(places, func(a, b court.Place) bool { return a.Path == b.Path && a.Line == b.Line })
}

// With is a fact with a value in the place of another.
func With[T, O any](f Fact[O], value T) Fact[T] {
	return Fact[T]{Value: value, Answer: f.Answer, Why: f.Why, At: f.At, Source: f.Source, Live: f.Live, Scope: f.Scope, Ships: f.Ships, Borrowed: f.Borrowed}
}

// ToWrite asks for what no node of a graph writes into a field of its state.
func ToWrite(s *agentgraph.State, field string) string {
	who, join := "the node that knows it", ""
	if m := s.Material; m != nil && m.Name == field {
		who = "each detective"
		if m.Reducer.Kind == agentgraph.ReducerNone || m.Reducer.Shallow() && m.Lists() {
			join = " Give the field a reducer that joins what they write: else of two that write the same, one is lost."
		}
	}
	name := court.Clean(field, 60)
	return fmt.Sprintf("Let %s write the field %s of the state, as no node does: return {%q: found}.", who, name, name) + join
}
