package probe

import (
	"sync"
)

// asking tells the one who wants to know of a question.
func (b Assignment) asking(q *question) (answered func(found int)) {
	if b.Asking == nil {
		return func(int) {}
	}
	var by []string
	for _, a := range q.by {
		by = append(by, a.criterion+"/"+a.check.ID)
	}
	return b.Asking(q.ask.Probe, by)
}

// tally counts the answers for the one who watches.
type tally struct {
	tell func(done, of int, now string) // nil: nobody

	mu       sync.Mutex
	done, of int
	now      string
}

func (t *tally) took(title string) { t.change(0, title) }

func (t *tally) answered() { t.change(1, "") }

func (t *tally) change(more int, title string) {
	if t.tell == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += more
	t.now = orElse(title, t.now)
	t.tell(t.done, t.of, t.now)
}
