package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
)

// The bodies that go over the wire, byte for byte: each mode of each dialect,
// and what a provider is sent that others are not. docs/models.md compares them
// with the providers' documentation. UPDATE_WIRE=1 rewrites them.
func TestWire(t *testing.T) {
	warm := 0.2
	picture := []byte("\x89PNG\r\n\x1a\n")
	for name, tt := range map[string]struct {
		provider string
		mode     llm.Mode
		change   func(*llm.Prompt)
		script   llmtest.Script
	}{
		"openai-schema":        {provider: "openai", mode: llm.Schema},
		"openai-tool":          {provider: "openai", mode: llm.Tool},
		"openai-object":        {provider: "openai", mode: llm.Object},
		"openai-text":          {provider: "openai", mode: llm.Text},
		"openai-image":         {provider: "openai", mode: llm.Schema, change: func(p *llm.Prompt) { p.Messages[0].Images = []llm.Image{{MIME: "image/png", Data: picture}} }},
		"openai-settings":      {provider: "openai", mode: llm.Text, change: func(p *llm.Prompt) { p.Temperature, p.CacheKey = &warm, "" }},
		"openai-repair":        {provider: "openai", mode: llm.Text, change: repaired},
		"gemini-schema":        {provider: "gemini", mode: llm.Schema},
		"groq-schema":          {provider: "groq", mode: llm.Schema},
		"openrouter-schema":    {provider: "openrouter", mode: llm.Schema},
		"ollama-schema":        {provider: "ollama", mode: llm.Schema, script: llmtest.Script{Reach: "/v1"}},
		"compatible-maxtokens": {provider: "compatible", mode: llm.Text, script: llmtest.Script{MaxTokensOnly: true}},
		"anthropic-schema":     {provider: "anthropic", mode: llm.Schema},
		"anthropic-tool":       {provider: "anthropic", mode: llm.Tool},
		"anthropic-text":       {provider: "anthropic", mode: llm.Text},
		"anthropic-image":      {provider: "anthropic", mode: llm.Schema, change: func(p *llm.Prompt) { p.Messages[0].Images = []llm.Image{{MIME: "image/png", Data: picture}} }},
		"anthropic-settings":   {provider: "anthropic", mode: llm.Text, change: func(p *llm.Prompt) { p.Temperature, p.CacheKey = &warm, "" }},
		"anthropic-repair":     {provider: "anthropic", mode: llm.Text, change: repaired},
	} {
		t.Run(name, func(t *testing.T) {
			tt.script.Answer = func(llmtest.Request) llmtest.Answer { return llmtest.Answer{JSON: good} }
			s := llmtest.New(t, tt.script)
			m, _ := adapter(t, tt.provider, s)
			p := question()
			p.Model, p.Answer.Mode = "model-1", tt.mode
			if tt.change != nil {
				tt.change(&p)
			}
			if _, err := m.Complete(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			sent := s.Requests()
			var got bytes.Buffer
			if err := json.Indent(&got, sent[len(sent)-1].Body, "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			file := filepath.Join("testdata", "wire", name+".json")
			if os.Getenv("UPDATE_WIRE") != "" {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func repaired(p *llm.Prompt) {
	p.Messages = append(p.Messages, llm.Message{Role: llm.Assistant, Text: "five"}, llm.Message{Role: llm.User, Text: "Again."})
}

// Headers: the key where its dialect wants it, and nothing about the machine.
func TestHeaders(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-from-the-environment")
	t.Setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
	t.Setenv("OPENAI_ORG_ID", "org-from-the-environment")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Custom: from the environment")
	t.Setenv("ANTHROPIC_API_KEY", "sk-from-the-environment")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "from-the-environment")
	t.Setenv("ANTHROPIC_BASE_URL", "https://elsewhere.example")
	for name, want := range map[string]map[string]string{
		"openai":    {"Authorization": "Bearer " + key},
		"anthropic": {"X-Api-Key": key, "Anthropic-Version": "2023-06-01"},
	} {
		s := llmtest.New(t, llmtest.Script{Key: key})
		m, _ := adapter(t, name, s)
		p := question()
		p.Model = "model-1"
		if _, err := m.Complete(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		want["Accept"], want["Content-Type"], want["User-Agent"] = "application/json", "application/json", "automaton"
		got := map[string]string{}
		for name, values := range s.Requests()[0].Header {
			if name != "Content-Length" {
				got[name] = strings.Join(values, ", ")
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A server that knows only the older name is asked twice once, and then once.
func TestMaxTokens(t *testing.T) {
	s := llmtest.New(t, llmtest.Script{MaxTokensOnly: true})
	m, _ := adapter(t, "compatible", s)
	p := question()
	for range 3 {
		if _, err := m.Complete(t.Context(), p); err == nil {
			t.Fatal("a request without a model is refused")
		}
	}
	p.Model = "model-1"
	for range 3 {
		if _, err := m.Complete(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.Requests()); n != 7 {
		t.Errorf("%d requests, want 3 refused, 1 to find out, 3 answered", n)
	}
}

// Every mode of every dialect gives the same answer, down the whole ladder.
func TestModes(t *testing.T) {
	for _, name := range []string{"openai", "anthropic"} {
		for _, refused := range [][]string{nil, {llmtest.Schema}, {llmtest.Schema, llmtest.Tool}, {llmtest.Schema, llmtest.Tool, llmtest.Object}} {
			t.Run(fmt.Sprint(name, refused), func(t *testing.T) {
				s := llmtest.New(t, llmtest.Script{Refuse: refused, Answer: func(r llmtest.Request) llmtest.Answer {
					if r.Mode == llmtest.Text {
						return llmtest.Answer{Say: "Here it is:\n```json\n" + good + "\n```\nAnything else?"}
					}
					return llmtest.Answer{JSON: good}
				}})
				m, e := adapter(t, name, s)
				r, err := llm.Open(new(stopped).options())
				if err != nil {
					t.Fatal(err)
				}
				l, err := r.Ladder(e, m)
				if err != nil {
					t.Fatal(err)
				}
				got, err := l.Ask(t.Context(), question(), check)
				if err != nil || string(got.JSON) != good {
					t.Fatal(string(got.JSON), err)
				}
				var modes []string
				for _, q := range s.Requests() {
					modes = append(modes, q.Mode)
				}
				want := []string{llmtest.Schema, llmtest.Tool, llmtest.Object, llmtest.Text}
				if name == "anthropic" {
					want = slices.Delete(want, 2, 3)
				}
				if !slices.Equal(modes, want[:min(len(refused)+1, len(want))]) {
					t.Errorf("%v", modes)
				}
			})
		}
	}
}

// Usage and the ways an answer ends, in one vocabulary.
func TestReplies(t *testing.T) {
	type want struct {
		Stop  llm.Stop
		Text  string
		Usage llm.Usage
		Err   string
	}
	usage := llmtest.Usage{In: 100, Cached: 60, Written: 10, Out: 7}
	chat, messages := llm.Usage{In: 100, Cached: 60, Out: 7}, llm.Usage{In: 100, Cached: 60, Written: 10, Out: 7}
	for name, tt := range map[string]struct {
		provider string
		answer   llmtest.Answer
		want     want
	}{
		"chat":              {"openai", llmtest.Answer{Say: "hi", Usage: usage}, want{llm.Done, "hi", chat, ""}},
		"chat, cut":         {"openai", llmtest.Answer{Say: "h", Stop: "length", Usage: usage}, want{llm.Truncated, "h", chat, ""}},
		"chat, refused":     {"openai", llmtest.Answer{Refusal: "no", Usage: usage}, want{llm.Refused, "no", chat, ""}},
		"chat, filtered":    {"openai", llmtest.Answer{Say: "…", Stop: "content_filter", Usage: usage}, want{llm.Refused, "…", chat, ""}},
		"chat, empty":       {"openai", llmtest.Answer{Empty: true, Usage: usage}, want{Usage: chat, Stop: llm.Done, Err: "empty answer: the model said nothing"}},
		"chat, thoughts":    {"gemini", llmtest.Answer{Say: "hi", Usage: usage, Change: total(250)}, want{llm.Done, "hi", llm.Usage{In: 100, Cached: 60, Out: 150}, ""}},
		"chat, boasts":      {"gemini", llmtest.Answer{Say: "hi", Usage: usage, Change: total(1 << 60)}, want{llm.Done, "hi", llm.Usage{In: 100, Cached: 60, Out: 1 << 30}, ""}},
		"messages":          {"anthropic", llmtest.Answer{Say: "hi", Usage: usage}, want{llm.Done, "hi", messages, ""}},
		"messages, cut":     {"anthropic", llmtest.Answer{Say: "h", Stop: "max_tokens", Usage: usage}, want{llm.Truncated, "h", messages, ""}},
		"messages, full":    {"anthropic", llmtest.Answer{Say: "h", Stop: "model_context_window_exceeded", Usage: usage}, want{llm.Truncated, "h", messages, ""}},
		"messages, refused": {"anthropic", llmtest.Answer{Refusal: "no", Usage: usage}, want{llm.Refused, "no", messages, ""}},
		"messages, empty":   {"anthropic", llmtest.Answer{Empty: true, Usage: usage}, want{Usage: messages, Stop: llm.Done, Err: "empty answer: the model said nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			tt.answer.Model = "model-1-2026"
			s := llmtest.New(t, llmtest.Script{Answer: func(llmtest.Request) llmtest.Answer { return tt.answer }})
			m, _ := adapter(t, tt.provider, s)
			p := question()
			p.Model, p.Answer.Mode = "model-1", llm.Text
			got, err := m.Complete(t.Context(), p)
			if diff := cmp.Diff(tt.want, want{got.Stop, got.Text, got.Usage, llm.Why(err)}); diff != "" {
				t.Error(diff)
			}
			if got.Model != "model-1-2026" {
				t.Errorf("answered by %q", got.Model)
			}
		})
	}
}

func total(n int64) func(map[string]any) {
	return func(e map[string]any) { e["usage"].(map[string]any)["total_tokens"] = n }
}
