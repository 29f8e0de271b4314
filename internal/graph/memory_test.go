package graph_test

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// memory is a Journal that a test can make fail.
type memory struct {
	mu   sync.Mutex
	recs []graph.Record
	die  int // Append fails once so many records are kept; 0: never
}

var errCrash = errors.New("the machine is gone")

func (m *memory) Load(context.Context) ([]graph.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := slices.Clone(m.recs)
	slices.Reverse(out) // any order will do
	return out, nil
}

func (m *memory) Append(_ context.Context, r graph.Record) (graph.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.recs, func(k graph.Record) bool { return k.Task == r.Task }); i >= 0 {
		return m.recs[i], nil
	}
	if m.die > 0 && len(m.recs) >= m.die {
		return graph.Record{}, errCrash
	}
	m.recs = append(m.recs, r)
	return r, nil
}

func (m *memory) tasks() (names []string) {
	for _, r := range m.recs {
		names = append(names, r.Task)
	}
	return names
}

// count is an observer that counts events by kind.
type count map[graph.Kind]int

func (c count) event(e graph.Event) { c[e.Kind]++ }
