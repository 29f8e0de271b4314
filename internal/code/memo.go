package code

import "sync"

// memo keeps what is known of the nodes of one file. What is computed twice by
// two readers at once is the same.
type memo[V any] struct {
	mu    sync.RWMutex
	known map[int32]V
}

func (m *memo[V]) get(n Node) (V, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.known[n.i]
	return v, ok
}

func (m *memo[V]) put(n Node, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[int32]V{}
	}
	m.known[n.i] = v
}
