package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// chatRequest are the fields of chat completions that a client of ours may
// send. A field that is not here is refused as a strict server refuses it.
type chatRequest struct {
	Model               string        `json:"model"`
	Messages            []chatMessage `json:"messages"`
	MaxCompletionTokens *int          `json:"max_completion_tokens"`
	MaxTokens           *int          `json:"max_tokens"`
	Temperature         *float64      `json:"temperature"`
	PromptCacheKey      *string       `json:"prompt_cache_key"`
	ResponseFormat      *struct {
		Type       string `json:"type"`
		JSONSchema *struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Strict      bool            `json:"strict"`
			Schema      json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice *struct {
		Type     string `json:"type"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tool_choice"`
}

type chatMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type chatPart struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	ImageURL *struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

func (s *Server) readChat(r *Request) *problem {
	var c chatRequest
	if err := exact(r.Body, &c); err != nil {
		return invalid("Unrecognized request argument: %v", err)
	}
	r.Model, r.Mode = c.Model, Text
	switch {
	case c.Model == "":
		return invalid("you must provide a model parameter")
	case len(c.Messages) == 0:
		return invalid("'messages' must not be empty")
	case c.MaxCompletionTokens != nil && s.script.MaxTokensOnly:
		return invalid("Unsupported parameter: 'max_completion_tokens' is not supported with this model. Use 'max_tokens' instead.")
	case c.MaxCompletionTokens != nil && c.MaxTokens != nil:
		return invalid("max_tokens and max_completion_tokens cannot both be set")
	case c.MaxCompletionTokens != nil:
		r.MaxTokens = *c.MaxCompletionTokens
	case c.MaxTokens != nil:
		r.MaxTokens = *c.MaxTokens
	}
	for i, m := range c.Messages {
		if bad := r.chatTurn(i, m); bad != nil {
			return bad
		}
	}
	return r.chatMode(c)
}

func (r *Request) chatMode(c chatRequest) *problem {
	switch f := c.ResponseFormat; {
	case f == nil:
	case f.Type == "json_object":
		r.Mode = Object
		if !strings.Contains(strings.ToLower(r.System), "json") {
			return invalid("'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.")
		}
	case f.Type == "json_schema" && f.JSONSchema != nil:
		r.Mode, r.Name = Schema, f.JSONSchema.Name
		if bad := strictSchema(f.JSONSchema.Schema); bad != nil {
			return bad
		}
	default:
		return invalid("unknown response_format %q", f.Type)
	}
	if len(c.Tools) == 0 {
		return nil
	}
	if c.ToolChoice == nil || c.ToolChoice.Type != "function" || c.ToolChoice.Function.Name != c.Tools[0].Function.Name {
		return invalid("this test server wants its one tool to be forced")
	}
	r.Mode, r.Name = Tool, c.Tools[0].Function.Name
	return nil
}

func (r *Request) chatTurn(i int, m chatMessage) *problem {
	turn := Message{Role: m.Role}
	var parts []chatPart
	switch {
	case json.Unmarshal(m.Content, &turn.Text) == nil:
	case exact(m.Content, &parts) == nil:
		for _, p := range parts {
			switch {
			case p.Type == "text":
				turn.Text += p.Text
			case p.Type == "image_url" && p.ImageURL != nil && strings.HasPrefix(p.ImageURL.URL, "data:image/"):
				turn.Images = append(turn.Images, strings.TrimPrefix(p.ImageURL.URL, "data:"))
			default:
				return invalid("unknown content part %q", p.Type)
			}
		}
	default:
		return invalid("messages[%d].content is neither text nor parts", i)
	}
	switch m.Role {
	case "system":
		r.System = turn.Text
	case "user", "assistant":
		r.Messages = append(r.Messages, turn)
	default:
		return invalid("messages[%d].role %q is unknown", i, m.Role)
	}
	return nil
}

// strictSchema is what strict mode asks of a schema: every property required,
// and no others.
func strictSchema(raw json.RawMessage) *problem {
	var s struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Additional *bool                      `json:"additionalProperties"`
	}
	if json.Unmarshal(raw, &s) != nil || s.Type != "object" {
		return invalid("Invalid schema for response_format: schema must be of type object")
	}
	if s.Additional == nil || *s.Additional {
		return invalid("Invalid schema for response_format: 'additionalProperties' is required to be supplied and to be false")
	}
	if len(s.Required) != len(s.Properties) {
		return invalid("Invalid schema for response_format: 'required' must include every key in properties")
	}
	return nil
}

func exact(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

func invalid(format string, a ...any) *problem {
	return &problem{400, "invalid_request_error", "", fmt.Sprintf(format, a...)}
}

func chatEnvelope(r Request, a Answer) map[string]any {
	message := map[string]any{"role": "assistant", "content": a.JSON, "refusal": nil, "annotations": []any{}}
	finish := "stop"
	switch {
	case a.Refusal != "":
		message["content"], message["refusal"] = nil, a.Refusal
	case a.Say != "":
		message["content"] = a.Say
	case r.Mode == Tool:
		message["content"] = nil
		message["tool_calls"] = []any{map[string]any{
			"id": "call_1", "type": "function",
			"function": map[string]any{"name": r.Name, "arguments": a.JSON},
		}}
	}
	if a.Stop != "" {
		finish = a.Stop
	}
	choices := []any{map[string]any{"index": 0, "message": message, "logprobs": nil, "finish_reason": finish}}
	if a.Empty {
		choices = []any{}
	}
	u := a.usage()
	return map[string]any{
		"id": fmt.Sprintf("chatcmpl-%d", r.N), "object": "chat.completion", "created": 1780000000, "model": a.model(r),
		"choices": choices, "service_tier": "default", "system_fingerprint": nil,
		"usage": map[string]any{
			"prompt_tokens": u.In, "completion_tokens": u.Out, "total_tokens": u.In + u.Out,
			"prompt_tokens_details":     map[string]any{"cached_tokens": u.Cached, "audio_tokens": 0},
			"completion_tokens_details": map[string]any{"reasoning_tokens": 0, "audio_tokens": 0},
		},
	}
}
