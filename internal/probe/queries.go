package probe

import (
	"github.com/automaton-auditor/automaton/internal/code/query"
	"github.com/automaton-auditor/automaton/internal/court"
)

// Queries is who asks queries of code.
func (s *Scene) Queries() (query.Worker, error) {
	if s.o.Queries == nil {
		return nil, &Unable{Reason: court.NoDetector, Why: "nobody here can ask queries of code"}
	}
	return s.o.Queries, nil
}
