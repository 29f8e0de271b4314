package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// A reducer and the collection that a sentence gives it to, in either order.
var (
	reducerFor = regexp.MustCompile(`(?i)\boperator\.(ior|add)["'\x60)]*\s+(?:reducers?\s+)?(?:(?:is|are) (?:used|applied)\s+)?(?:for|on|to|applied to|to (?:merge|combine|append|concatenate|join))\s+(?:the |all |our )?["'\x60]?(?:\w+ )?(evidences?|opinions?)\b`)
	reducedBy  = regexp.MustCompile(`(?i)\b(evidences|opinions)["'\x60]?\s*(?::|as|is|are|uses?|with|via|by)\s*(?:the |an? )?["'\x60]?(?:Annotated\[[^.;]{0,60}?,\s*)?operator\.(ior|add)\b`)
)

// reducerOf asks the field that a sentence gives the reducer to. Of a function of the
// project's own nobody can tell what the sentence means.
func reducerOf(k agentgraph.ReducerKind) func(*against, result, string) (string, result, bool) {
	return func(a *against, _ result, sentence string) (string, result, bool) {
		for _, m := range reducerFor.FindAllStringSubmatch(sentence, 4) {
			if name, r, ok := a.reducedAs(k, m[2], m[1]); ok {
				return string(k) + " reducer of " + court.Clean(name, 60), r, true
			}
		}
		for _, m := range reducedBy.FindAllStringSubmatch(sentence, 4) {
			if name, r, ok := a.reducedAs(k, m[1], m[2]); ok {
				return string(k) + " reducer of " + court.Clean(name, 60), r, true
			}
		}
		return "", result{}, false
	}
}

// reducedAs holds the reducer that a sentence gives to a collection against the field's;
// false: the sentence speaks of another reducer, or the field is not known.
func (a *against) reducedAs(k agentgraph.ReducerKind, collection, operator string) (string, result, bool) {
	role := facts.Detective
	if strings.HasPrefix(strings.ToLower(collection), "opinion") {
		role = facts.Judge
	}
	f := a.graphs.Gathers(role).Value
	if string(k) != "operator."+strings.ToLower(operator) || f == nil {
		return "", result{}, false
	}
	at := facts.At(f.At)
	switch f.Reducer.Kind {
	case k:
		return f.Name, result{fate: holds, proof: at}, true
	case agentgraph.ReducerIor, agentgraph.ReducerAdd:
		return f.Name, result{untrue, at, "the reducer of " + court.Clean(f.Name, 60) + " is " + string(f.Reducer.Kind)}, true
	case agentgraph.ReducerNone:
		return f.Name, result{untrue, at, court.Clean(f.Name, 60) + " has no reducer"}, true
	default:
		return f.Name, result{undecided, at, "the reducer of " + court.Clean(f.Name, 60) + " is another function"}, true
	}
}

// keepsBoth asks whether what several detectives write under one key is kept: under
// operator.ior it is not where each value is a list.
func keepsBoth(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	f := a.graphs.Gathers(facts.Detective).Value
	if f == nil || f.Reducer.Kind != agentgraph.ReducerIor {
		return undecided, nil, "whether both are kept could not be seen"
	}
	if fit, at, _ := finding("state.fit", nil)(ctx, s, a); fit == inPart {
		return untrue, at, "of two lists under one key, operator.ior keeps one"
	}
	return undecided, facts.At(f.At), "whether two nodes write one key could not be seen"
}
