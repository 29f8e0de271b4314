package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// messagesRequest are the fields of Anthropic's messages that a client of ours
// may send.
type messagesRequest struct {
	Model        string         `json:"model"`
	MaxTokens    *int           `json:"max_tokens"`
	Temperature  *float64       `json:"temperature"`
	System       []messageBlock `json:"system"`
	Messages     []messageTurn  `json:"messages"`
	OutputConfig *struct {
		Format *struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	ToolChoice *struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		OnlyOne bool   `json:"disable_parallel_tool_use"`
	} `json:"tool_choice"`
}

type messageTurn struct {
	Role    string         `json:"role"`
	Content []messageBlock `json:"content"`
}

type messageBlock struct {
	Type         string `json:"type"`
	Text         string `json:"text"`
	CacheControl *struct {
		Type string `json:"type"`
	} `json:"cache_control"`
	Source *struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
	} `json:"source"`
}

func readMessages(r *Request) *problem {
	if v := r.Header.Get("Anthropic-Version"); v != "2023-06-01" {
		return invalid("anthropic-version: header is required")
	}
	var c messagesRequest
	if err := exact(r.Body, &c); err != nil {
		return invalid("%v: Extra inputs are not permitted", err)
	}
	r.Model, r.Mode = c.Model, Text
	switch {
	case c.Model == "":
		return invalid("model: Field required")
	case c.MaxTokens == nil || *c.MaxTokens < 1:
		return invalid("max_tokens: Field required")
	case len(c.Messages) == 0 || c.Messages[0].Role != "user":
		return invalid("messages: first message must use the \"user\" role")
	}
	r.MaxTokens = *c.MaxTokens
	for _, b := range c.System {
		if b.Type != "text" || b.Text == "" {
			return invalid("system: text content blocks must be non-empty")
		}
		r.System += b.Text
	}
	for i, m := range c.Messages {
		if bad := r.messageTurn(i, m); bad != nil {
			return bad
		}
	}
	return r.messagesMode(c)
}

func (r *Request) messagesMode(c messagesRequest) *problem {
	if c.OutputConfig != nil && c.OutputConfig.Format != nil {
		if c.OutputConfig.Format.Type != "json_schema" {
			return invalid("output_config.format.type: Input should be 'json_schema'")
		}
		r.Mode = Schema
		return strictSchema(c.OutputConfig.Format.Schema)
	}
	if len(c.Tools) == 0 {
		return nil
	}
	if c.ToolChoice == nil || c.ToolChoice.Type != "tool" || c.ToolChoice.Name != c.Tools[0].Name {
		return invalid("this test server wants its one tool to be forced")
	}
	var s struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(c.Tools[0].InputSchema, &s) != nil || s.Type != "object" {
		return invalid("tools.0.input_schema.type: Input should be 'object'")
	}
	r.Mode, r.Name = Tool, c.Tools[0].Name
	return nil
}

func (r *Request) messageTurn(i int, m messageTurn) *problem {
	turn := Message{Role: m.Role}
	for _, b := range m.Content {
		switch {
		case b.Type == "text" && b.Text != "":
			turn.Text += b.Text
		case b.Type == "image" && b.Source != nil && b.Source.Type == "base64":
			turn.Images = append(turn.Images, b.Source.MediaType+";base64,"+b.Source.Data)
		default:
			return invalid("messages.%d.content: text content blocks must be non-empty", i)
		}
	}
	if m.Role != "user" && m.Role != "assistant" || len(m.Content) == 0 {
		return invalid("messages.%d: Unexpected role %q, or no content", i, m.Role)
	}
	r.Messages = append(r.Messages, turn)
	return nil
}

func messagesEnvelope(r Request, a Answer) map[string]any {
	content := []any{map[string]any{"type": "text", "text": a.JSON}}
	stop := "end_turn"
	switch {
	case a.Refusal != "":
		content, stop = []any{map[string]any{"type": "text", "text": a.Refusal}}, "refusal"
	case a.Say != "":
		content = []any{map[string]any{"type": "text", "text": a.Say}}
	case r.Mode == Tool:
		var input any = a.JSON // what is no JSON cannot stand there: the server sends it as a string
		if json.Valid([]byte(a.JSON)) {
			input = json.RawMessage(a.JSON)
		}
		content = []any{map[string]any{"type": "tool_use", "id": "toolu_1", "name": r.Name, "input": input}}
		stop = "tool_use"
	}
	if a.Stop != "" {
		stop = a.Stop
	}
	if a.Empty {
		content = []any{}
	}
	u := a.usage()
	return map[string]any{
		"id": fmt.Sprintf("msg_%d", r.N), "type": "message", "role": "assistant", "model": a.model(r),
		"content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": u.In - u.Cached - u.Written, "cache_creation_input_tokens": u.Written,
			"cache_read_input_tokens": u.Cached, "output_tokens": u.Out, "service_tier": "standard",
		},
	}
}

func (a Answer) usage() Usage {
	if a.Usage == (Usage{}) {
		return Usage{In: 100, Out: 20}
	}
	return a.Usage
}

func (a Answer) model(r Request) string {
	if a.Model == "" {
		return r.Model
	}
	return a.Model
}

// reply writes a valid envelope of the request's dialect.
func reply(w http.ResponseWriter, r Request, a Answer) {
	if a.JSON == "" {
		a.JSON = "{}"
	}
	envelope := chatEnvelope
	if r.Anthropic {
		envelope = messagesEnvelope
	}
	body := envelope(r, a)
	if a.Change != nil {
		a.Change(body)
	}
	send(w, http.StatusOK, body)
}
