package llm

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
)

// question follows one Ask through the layers, so that those who keep answers
// learn what came of it: only an accepted answer is worth keeping, and only the
// ladder knows which was accepted.
type question struct {
	mu    sync.Mutex
	told  map[Model]bool
	hooks []func(outcome)
}

// outcome is what came of a question: an answer that was accepted, or why there
// is none.
type outcome struct {
	answered Answered
	err      error
}

type questionKey struct{}

func withQuestion(ctx context.Context) (context.Context, *question) {
	q := &question{told: map[Model]bool{}}
	return context.WithValue(ctx, questionKey{}, q), q
}

// first tells whether this is the layer's first request of a question, and has
// hook called with what comes of it. Whoever was asked for no structured answer
// has no question: then there is nothing to wait for.
func first(ctx context.Context, layer Model, hook func(outcome)) (first, asked bool) {
	q, ok := ctx.Value(questionKey{}).(*question)
	if !ok {
		return false, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.told[layer] {
		return false, true
	}
	q.told[layer] = true
	q.hooks = append(q.hooks, hook)
	return true, true
}

// settle tells the layers what came of the question.
func (q *question) settle(a Answered, err error) {
	q.mu.Lock()
	hooks := q.hooks
	q.mu.Unlock()
	for _, h := range hooks {
		h(outcome{a, err})
	}
}

// answer is the JSON that a reply holds. Where the server or a tool promised
// JSON, all of the text has to be it; a text answer may stand in prose.
func answer(r Reply, m Mode) (json.RawMessage, error) {
	switch {
	case len(r.Args) > 0:
		return r.Args, nil
	case m == Tool && !r.Kept:
		return nil, errors.New("the tool was not called")
	case m == Text && !r.Kept:
		return object(r.Text)
	}
	raw := trimmed(r.Text)
	if len(raw) == 0 || raw[0] != '{' {
		return nil, errors.New("the answer is not one JSON object and nothing else")
	}
	return raw, nil
}
