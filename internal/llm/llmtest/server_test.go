package llmtest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
)

const schema = `{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"type":"string"}}}`

// What the documented servers refuse is refused here, too: otherwise tests
// would hold for a client that no provider answers.
func TestStrict(t *testing.T) {
	const chat, messages = "/chat/completions", "/v1/messages"
	turn := `"messages":[{"role":"user","content":"hi"}]`
	blocks := `"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]`
	format := func(s string) string {
		return `"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":` + s + `}}`
	}
	for name, tt := range map[string]struct {
		path, body string
		status     int
		says       string
	}{
		"chat":                    {chat, `{"model":"m",` + turn + `}`, 200, `"finish_reason":"stop"`},
		"chat, schema":            {chat, `{"model":"m",` + turn + `,` + format(schema) + `}`, 200, `"content":"{}"`},
		"chat, tool":              {chat, `{"model":"m",` + turn + `,"tools":[{"type":"function","function":{"name":"n","parameters":{}}}],"tool_choice":{"type":"function","function":{"name":"n"}}}`, 200, `"arguments":"{}"`},
		"chat, no model":          {chat, `{` + turn + `}`, 400, "must provide a model"},
		"chat, unknown field":     {chat, `{"model":"m",` + turn + `,"logprobs":true}`, 400, "Unrecognized request argument"},
		"chat, both bounds":       {chat, `{"model":"m",` + turn + `,"max_tokens":1,"max_completion_tokens":1}`, 400, "cannot both be set"},
		"chat, object, no word":   {chat, `{"model":"m",` + turn + `,"response_format":{"type":"json_object"}}`, 400, "must contain the word 'json'"},
		"chat, loose schema":      {chat, `{"model":"m",` + turn + `,` + format(`{"type":"object","properties":{}}`) + `}`, 400, "additionalProperties"},
		"chat, optional member":   {chat, `{"model":"m",` + turn + `,` + format(strings.Replace(schema, `["a"]`, `[]`, 1)) + `}`, 400, "must include every key"},
		"chat, unknown role":      {chat, `{"model":"m","messages":[{"role":"bard","content":"hi"}]}`, 400, "is unknown"},
		"messages":                {messages, `{"model":"m","max_tokens":9,` + blocks + `}`, 200, `"stop_reason":"end_turn"`},
		"messages, schema":        {messages, `{"model":"m","max_tokens":9,` + blocks + `,"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}}`, 200, `"text":"{}"`},
		"messages, tool":          {messages, `{"model":"m","max_tokens":9,` + blocks + `,"tools":[{"name":"n","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"n"}}`, 200, `"input":{}`},
		"messages, no bound":      {messages, `{"model":"m",` + blocks + `}`, 400, "max_tokens: Field required"},
		"messages, unknown field": {messages, `{"model":"m","max_tokens":9,` + blocks + `,"seed":1}`, 400, "Extra inputs are not permitted"},
		"messages, empty text":    {messages, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":""}]}]}`, 400, "must be non-empty"},
		"messages, assistant":     {messages, `{"model":"m","max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"text","text":"x"}]}]}`, 400, "first message must use"},
		"messages, old format":    {messages, `{"model":"m","max_tokens":9,` + blocks + `,"output_format":{}}`, 400, "Extra inputs"},
		"elsewhere":               {"/v1/responses", `{}`, 404, "there is nothing at /v1/responses"},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, llmtest.Script{})
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+tt.path, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Anthropic-Version", "2023-06-01")
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != tt.status || !strings.Contains(string(body), tt.says) {
				t.Errorf("%d %s, %v", res.StatusCode, body, err)
			}
			if n := len(s.Requests()); n != 1 {
				t.Errorf("%d requests were noted", n)
			}
		})
	}
}

// Three scripted judges: the script tells them apart by what they are told.
func TestScript(t *testing.T) {
	s := llmtest.New(t, llmtest.Script{Key: "key-of-the-test", Answer: func(r llmtest.Request) llmtest.Answer {
		switch {
		case strings.Contains(r.System, "for the standard"):
			return llmtest.Answer{JSON: `{"score":1}`}
		case strings.Contains(r.System, "for the author"):
			return llmtest.Answer{JSON: `{"score":5}`}
		}
		return llmtest.Answer{Refusal: "no"}
	}})
	for system, want := range map[string]string{"You speak for the standard.": `{\"score\":1}`, "You speak for the author.": `{\"score\":5}`, "": `"refusal":"no"`} {
		body := `{"model":"m","messages":[{"role":"system","content":"` + system + `"},{"role":"user","content":"brief"}]}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/chat/completions", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer key-of-the-test")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %s, %v", system, got, err)
		}
	}
	if r := s.Requests()[0]; r.Last() != "brief" || r.Mode != llmtest.Text || r.Header.Get("Authorization") != "Bearer key-of-the-test" {
		t.Errorf("%+v", r)
	}
}
