package facts

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
)

// Answer is yes, no or unknown; the zero value is unknown.
type Answer = agentgraph.Truth

// Fact is one thing that is so, or is not, or that nobody could tell.
type Fact[T any] struct {
	Value  T
	Answer Answer
	Why    Reason
	At     []court.Place // where it shows, the best first; prose is made from it

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
func Shown(items []agentgraph.Item) []court.Place {
	var in []agentgraph.Place
	for _, it := range items {
		in = append(in, it.At...)
	}
	return At(in...)
}
