package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"sync"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
	"github.com/automaton-auditor/automaton/internal/llm/provider"
)

const key = "sk-test-0123456789abcdef" // of no provider

// adapter opens an adapter to a server of ours.
func adapter(t *testing.T, name string, s *llmtest.Server) (llm.Model, llm.Endpoint) {
	t.Helper()
	m, e, err := provider.Open(provider.Config{Provider: name, Model: "model-1", BaseURL: s.URL, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	return m, e
}

// opinion is a schema as judges use it, with its members in an order that is
// not the alphabet's.
var opinion = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["judge","criterion_id","score","claims"],` +
	`"properties":{"judge":{"type":"string","enum":["Defense"]},"criterion_id":{"type":"string","enum":["c1"]},"score":{"type":"integer","enum":[1,2,3,4,5]},` +
	`"claims":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["evidence_id","text"],"properties":{"evidence_id":{"type":"string"},"text":{"type":"string"}}}}}}`)

const good = `{"judge":"Defense","criterion_id":"c1","score":4,"claims":[{"evidence_id":"ev-1","text":"three start at once"}]}`

func question() llm.Prompt {
	return llm.Prompt{
		System: "You speak for the author.", Messages: []llm.Message{{Role: llm.User, Text: "The brief."}},
		Answer:    llm.Answer{Name: "opinion", Doc: "What a judge holds.", Schema: opinion},
		MaxTokens: 1000, CacheKey: "rubric-defense", For: "Defense c1 1",
	}
}

// check is a judge's, in small.
func check(raw json.RawMessage) error {
	var o struct {
		Judge     string `json:"judge"`
		Criterion string `json:"criterion_id"`
		Score     int    `json:"score"`
		Claims    []struct {
			Evidence string `json:"evidence_id"`
			Text     string `json:"text"`
		} `json:"claims"`
	}
	if err := llm.Decode(raw, &o); err != nil {
		return err
	}
	switch {
	case o.Judge != "Defense" || o.Criterion != "c1":
		return errors.New("judge must be Defense and criterion_id c1")
	case o.Score < 1 || o.Score > 5:
		return errors.New("score must be 1 to 5")
	case len(o.Claims) == 0 || o.Claims[0].Evidence != "ev-1":
		return errors.New("evidence_id must be one of the brief's")
	}
	return nil
}

// stopped is a clock that only waits move, and that ends a try when it is told.
type stopped struct {
	mu     sync.Mutex
	now    time.Time
	slept  []time.Duration
	expire chan struct{} // ends the try that is under way
}

func (s *stopped) options() llm.Options {
	return llm.Options{Random: func(int64) int64 { return 0 }, Clock: llm.Clock{
		Now: func() time.Time {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.now
		},
		Sleep: func(_ context.Context, d time.Duration) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.now, s.slept = s.now.Add(d), append(s.slept, d)
			return nil
		},
		Bound: func(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
			inner, cancel := context.WithCancel(ctx)
			if s.expire == nil {
				return inner, cancel
			}
			go func() {
				select {
				case <-s.expire:
					cancel()
				case <-inner.Done():
				}
			}()
			return inner, cancel
		},
	}}
}

// quiet is a log for what a test provokes.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
