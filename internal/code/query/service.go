package query

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	sitter "github.com/tree-sitter/go-tree-sitter"

	"github.com/automaton-auditor/automaton/internal/code"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Bounds on one file, beside the steps of code.Work.
const (
	maxSource  = 1 << 20 // bytes
	maxMatches = 200
	maxOpen    = 1 << 12 // matches begun at a time
	perMatch   = 100     // steps that a match is reckoned at
)

// Service is what a worker of kind "query" does: a request is the number of a
// grammar, a query and a text, the answer where it fits. An empty text only has
// the query compiled.
func Service() sandbox.Service {
	return sandbox.Service{
		Warm: func() error {
			for _, d := range dialects {
				d.grammar()
			}
			return nil
		},
		Handle: handle,
	}
}

func handle(request []byte) ([]byte, error) {
	if len(request) < 3 || int(request[0]) >= len(dialects) {
		return nil, errors.New("asking a query: no such language")
	}
	size := int(binary.BigEndian.Uint16(request[1:]))
	rest := request[3:]
	if size > len(rest) || size > MaxQuery || len(rest)-size > maxSource {
		return nil, errors.New("asking a query: too large")
	}
	a, err := find(dialects[request[0]].grammar(), string(rest[:size]), rest[size:])
	if err != nil {
		return nil, err
	}
	return json.Marshal(a)
}

func find(grammar *sitter.Language, query string, text []byte) (*answer, error) {
	if no := unspeakable(query); no != nil {
		return &answer{Refused: no}, nil
	}
	q, bad := sitter.NewQuery(grammar, query)
	if bad != nil {
		return &answer{Refused: refused(bad)}, nil
	}
	defer q.Close()
	if no := unanswerable(q); no != nil || len(text) == 0 {
		return &answer{Refused: no}, nil
	}
	work := &code.Work{}
	tree, err := work.NewTree(grammar, text)
	if err != nil {
		return nil, fmt.Errorf("asking a query: %w", err)
	}
	defer tree.Close()
	return matches(work, q, tree, text)
}

// matches runs a compiled query over a tree.
func matches(work *code.Work, q *sitter.Query, tree *sitter.Tree, text []byte) (*answer, error) {
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.SetMatchLimit(maxOpen)
	// Without a callback: the binding does not keep it alive while C holds it. A
	// search that does not end between two matches meets the worker's deadline.
	found := cursor.Matches(q, tree.RootNode(), text)
	a := &answer{}
	for m := found.Next(); m != nil; m = found.Next() {
		if err := work.Spend(perMatch); err != nil {
			return nil, fmt.Errorf("asking a query: %w", err)
		}
		if len(m.Captures) == 0 { // an alternative without a capture
			continue
		}
		n := m.Captures[0].Node
		at := [2]int{int(n.StartByte()), int(n.EndByte())}
		if slices.Contains(a.Spans, at) {
			continue
		}
		if len(a.Spans) == maxMatches {
			a.More = true
			break
		}
		a.Spans = append(a.Spans, at)
	}
	a.More = a.More || cursor.DidExceedMatchLimit()
	slices.SortFunc(a.Spans, func(x, y [2]int) int { return slices.Compare(x[:], y[:]) })
	return a, nil
}

// unspeakable refuses what the C library or its binding should not be given.
func unspeakable(query string) *Refused {
	switch {
	case strings.TrimSpace(query) == "":
		return &Refused{Line: 1, Col: 1, Why: "it is empty"}
	case !utf8.ValidString(query) || strings.ContainsRune(query, 0):
		return &Refused{Line: 1, Col: 1, Why: "it is not text"}
	}
	return nil
}

// refused is why the library does not take a query, in our words.
func refused(bad *sitter.QueryError) *Refused {
	r := &Refused{Line: int(bad.Row) + 1, Col: int(bad.Column) + 1, Why: strings.TrimSpace(bad.Message)}
	switch bad.Kind {
	case sitter.QueryErrorSyntax:
		r.Why = "it cannot be read from here on; look for brackets and quotes"
	case sitter.QueryErrorNodeType:
		r.Why = fmt.Sprintf("the grammar has no node %q", r.Why)
	case sitter.QueryErrorField:
		r.Why = fmt.Sprintf("the grammar has no field %q", r.Why)
	case sitter.QueryErrorCapture:
		r.Why = fmt.Sprintf("nothing is captured as %q", r.Why)
	case sitter.QueryErrorStructure:
		r.Why = "the grammar never builds this; no code could fit"
	case sitter.QueryErrorPredicate, sitter.QueryErrorLanguage: // said in words by the binding
	}
	return r
}

// unanswerable refuses a query without a capture, and predicates that would be
// passed over: what they ask would not be asked.
func unanswerable(q *sitter.Query) *Refused {
	if len(q.CaptureNames()) == 0 {
		return &Refused{Line: 1, Col: 1, Why: "it captures nothing; write @name behind the node that is to be quoted"}
	}
	for i := range q.PatternCount() {
		for _, p := range q.GeneralPredicates(i) {
			return &Refused{Line: 1, Col: 1, Why: fmt.Sprintf("the predicate #%s is unknown; there are #eq?, #match? and #any-of?, each also with not- or any- as tree-sitter has them", p.Operator)}
		}
		if len(q.PropertyPredicates(i)) > 0 || len(q.PropertySettings(i)) > 0 {
			return &Refused{Line: 1, Col: 1, Why: "properties (#is?, #is-not?, #set!) say nothing here"}
		}
	}
	return nil
}
