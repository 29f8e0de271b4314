package fleet

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
)

// counts is what a worker did, for who watches over it.
type counts struct {
	mu     sync.Mutex
	atWork int
	ended  map[string]int // by state
}

// begin counts a case at work, until the function that it gives is called.
func (c *counts) begin() (end func()) {
	add := func(n int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.atWork += n
	}
	add(1)
	return func() { add(-1) }
}

func (c *counts) end(state string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		c.ended = map[string]int{}
	}
	c.ended[state]++
}

func (c *counts) write(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprintf(w, "# TYPE automaton_cases_at_work gauge\nautomaton_cases_at_work %d\n# TYPE automaton_cases_total counter\n", c.atWork)
	for _, s := range slices.Sorted(maps.Keys(c.ended)) {
		_, _ = fmt.Fprintf(w, "automaton_cases_total{state=%q} %d\n", s, c.ended[s])
	}
}

// handler answers whether the worker works, and what it did.
func (c *counts) handler(healthy func() bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if !healthy() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		c.write(w)
	})
	return mux
}
