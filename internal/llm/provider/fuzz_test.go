package provider

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// says is a transport that answers every request with one body.
type says struct {
	status int
	body   []byte
}

func (s says) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: s.status, ProtoMajor: 1, ProtoMinor: 1, Request: req, ContentLength: int64(len(s.body)),
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(s.body)),
	}, nil
}

// FuzzReply: whatever a server sends, both adapters give a reply whose counts
// and names are in bounds, or an error of ours in printable words, and never
// the key.
func FuzzReply(f *testing.F) {
	const key = "sk-fuzz-0123456789"
	for _, seed := range []string{
		`{"choices":[{"message":{"content":"{}","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3},"model":"m"}`,
		`{"choices":[{"message":{"content":null,"tool_calls":[{"type":"function","function":{"name":"n","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
		`{"content":[{"type":"text","text":"{}"}],"stop_reason":"end_turn","usage":{"input_tokens":-5,"output_tokens":1e30},"model":"` + key + `\u001b"}`,
		`{"content":[{"type":"tool_use","name":"n","input":{"a":[1]}}],"stop_reason":"tool_use"}`,
		`{"choices":[],"content":[]}`, `{"choices":[null],"content":[7]}`, `{"choices":[{"message":7}],"content":[{"type":{}}]}`, `{"error":{"code":429,"message":"\u202e"}}`, `[]`, `null`, ``,
	} {
		f.Add(200, []byte(seed))
		f.Add(429, []byte(seed))
	}
	p := llm.Prompt{Model: "m", MaxTokens: 9, Messages: []llm.Message{{Role: llm.User, Text: "x"}}, Answer: llm.Answer{Name: "n", Mode: llm.Text}}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 599 {
			return
		}
		for _, speak := range []func(*wire) llm.Model{
			func(w *wire) llm.Model { return newChat(Provider{}, "https://models.example", key, w) },
			func(w *wire) llm.Model { return newMessages("https://models.example", key, w) },
		} {
			w := &wire{client: &http.Client{Transport: says{status, body}}, veil: safetext.NewVeil(key)}
			r, err := speak(w).Complete(t.Context(), p)
			e, ours := errors.AsType[*llm.Error](err)
			switch {
			case err != nil && !ours:
				t.Errorf("%q: %v", body, err)
			case ours && (e.What == "" || strings.Contains(e.Error(), key) || strings.ContainsFunc(e.Error(), hidden)):
				t.Errorf("%q: %q", body, e.Error())
			case strings.Contains(r.Text+string(r.Args)+r.Model, key) || strings.ContainsFunc(r.Model, hidden):
				t.Errorf("%q: %+v", body, r)
			case min(r.Usage.In, r.Usage.Cached, r.Usage.Written, r.Usage.Out) < 0 || max(r.Usage.In, r.Usage.Out) > 1<<33:
				t.Errorf("%q: %+v", body, r.Usage)
			}
		}
	})
}

func hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
