package trial

import (
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// meter is how far a detective is: files that were parsed and questions that
// were answered, out of all that there are. Nothing that is decided depends on
// it.
type meter struct {
	tell func(done, of int, now string) // nil: nobody watches
	own  string                         // what the detective reads: theCode, theDocument, or nothing now

	mu                  sync.Mutex
	parsed, files       int
	answered, questions int
}

// The sides of a submission, which are read at the same time.
const (
	theCode     = "code"
	theDocument = "document"
)

// meter reads a detective's progress off his brief and, in the first round, off
// the parser.
func (c *nodes) meter(d court.Detective, b *probe.Assignment) *meter {
	if c.step == nil {
		return &meter{}
	}
	m := &meter{tell: func(done, of int, now string) { c.step(string(d), done, of, now) }, questions: b.Questions(c.probes)}
	b.Step = func(done, _ int, now string) { m.change(now, func() { m.answered = done }) }
	switch {
	case b.Round > 1: // everything is read
	case d != court.RepoInvestigator && c.scene.HasPDF():
		m.own = theDocument
		m.change("reading", func() {})
	case d != court.RepoInvestigator:
		m.change("waiting for the others", func() {})
	case c.parser != nil:
		m.own = theCode
		c.parser.watched(func(done, of int, path string) { m.change(path, func() { m.parsed, m.files = done, of }) })
	}
	return m
}

// secured notes that a side of the submission is read. All detectives begin
// when both are.
func (m *meter) secured(side string) {
	if side == m.own {
		m.change("waiting for the others", func() { m.parsed = m.files })
	}
}

func (m *meter) change(now string, change func()) {
	if m.tell == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
	m.tell(m.parsed+m.answered, m.files+m.questions, now)
}
