package llm

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"
)

// fakeTime is a clock that only waits move.
type fakeTime struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func newTime() *fakeTime {
	return &fakeTime{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
}

func (f *fakeTime) clock() Clock {
	return Clock{
		Now: func() time.Time {
			f.mu.Lock()
			defer f.mu.Unlock()
			return f.now
		},
		Sleep: func(_ context.Context, d time.Duration) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.now, f.slept = f.now.Add(d), append(f.slept, d)
			return nil
		},
	}
}

func options(f *fakeTime) Options {
	return Options{Clock: f.clock(), Random: func(int64) int64 { return 0 }}
}

// model is a server that does what a function says, and counts.
type model struct {
	mu    sync.Mutex
	do    func(n int, p Prompt) (Reply, error) // n: 1, 2, …
	seen  []Prompt
	under int
	most  int
}

func (m *model) Complete(_ context.Context, p Prompt) (Reply, error) {
	m.mu.Lock()
	m.seen = append(m.seen, p)
	n := len(m.seen)
	m.under++
	m.most = max(m.most, m.under)
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		m.under--
		m.mu.Unlock()
	}()
	return m.do(n, p)
}

func (m *model) modes() (out []Mode) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.seen {
		out = append(out, p.Answer.Mode)
	}
	return out
}

func (m *model) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.seen)
}

const (
	goodJSON = `{"score":4}`
	badJSON  = `{"score":9}`
)

func says(text string) (Reply, error) {
	return Reply{Text: text, Stop: Done, Model: "m-1", Usage: Usage{In: 300, Out: 30}}, nil
}

func always(text string) *model {
	return &model{do: func(int, Prompt) (Reply, error) { return says(text) }}
}

func status(code int) error {
	e := &Error{Kind: KindPermanent, What: "http", Status: code}
	if code == 429 || code >= 500 {
		e.Kind = KindTransient
	}
	return e
}

// score is a check as judges use them.
func score(raw json.RawMessage) error {
	var v struct{ Score int }
	var o struct {
		Score *int `json:"score"`
	}
	if err := Decode(raw, &o); err != nil {
		return err
	}
	if o.Score == nil {
		return errors.New("score is missing")
	}
	if v.Score = *o.Score; v.Score < 1 || v.Score > 5 {
		return errors.New("score must be 1 to 5")
	}
	return nil
}

func ask(text string) Prompt {
	return Prompt{
		System: "You judge.", Messages: []Message{{Role: User, Text: text}}, MaxTokens: 1000, For: text,
		Answer: Answer{Name: "opinion", Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["score"],"properties":{"score":{"type":"integer","enum":[1,2,3,4,5]}}}`)},
	}
}

// endpoint is one whose price the table has.
func endpoint() Endpoint {
	return Endpoint{Provider: "compatible", Model: "m", BaseURL: "https://models.example/v1", Local: true}
}

func open(t *testing.T, o Options) *Run {
	t.Helper()
	r, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ladder(t *testing.T, r *Run, e Endpoint, m Model) *Ladder {
	t.Helper()
	l, err := r.Ladder(e, m)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
