package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/automaton-auditor/automaton/internal/llm"
)

// messages speaks Anthropic's messages.
type messages struct {
	service anthropic.MessageService
	wire    *wire
}

func newMessages(base, key string, w *wire) *messages {
	opts := []option.RequestOption{option.WithBaseURL(base + "/"), option.WithHTTPClient(w), option.WithMaxRetries(0), option.WithAPIKey(key)}
	return &messages{service: anthropic.NewMessageService(opts...), wire: w}
}

// Complete sends one request.
func (m *messages) Complete(ctx context.Context, p llm.Prompt) (llm.Reply, error) {
	res, err := m.service.New(ctx, messageParams(p))
	if err != nil {
		return llm.Reply{}, known(ctx, err)
	}
	reply, err := messageReply(res, p.Answer.Name)
	return m.wire.veiled(reply), err
}

func messageParams(p llm.Prompt) anthropic.MessageNewParams {
	out := anthropic.MessageNewParams{Model: p.Model, MaxTokens: int64(p.MaxTokens)}
	if s := p.Instruction(); s != "" {
		block := anthropic.TextBlockParam{Text: s}
		if p.CacheKey != "" {
			block.CacheControl = anthropic.NewCacheControlEphemeralParam()
		}
		out.System = []anthropic.TextBlockParam{block}
	}
	for _, m := range p.Messages {
		var blocks []anthropic.ContentBlockParamUnion
		for _, i := range m.Images { // before the text, as the documentation advises
			blocks = append(blocks, anthropic.NewImageBlockBase64(i.MIME, base64.StdEncoding.EncodeToString(i.Data)))
		}
		if m.Text != "" || len(blocks) == 0 {
			blocks = append(blocks, anthropic.NewTextBlock(m.Text))
		}
		if m.Role == llm.Assistant {
			out.Messages = append(out.Messages, anthropic.NewAssistantMessage(blocks...))
		} else {
			out.Messages = append(out.Messages, anthropic.NewUserMessage(blocks...))
		}
	}
	if p.Temperature != nil {
		out.Temperature = anthropic.Float(*p.Temperature)
	}
	switch p.Answer.Mode {
	case llm.Schema:
		out.OutputConfig = anthropic.OutputConfigParam{Format: anthropic.JSONOutputFormatParam{Schema: members(p.Answer.Schema)}}
	case llm.Tool:
		tool := anthropic.ToolUnionParamOfTool(toolSchema(members(p.Answer.Schema)), p.Answer.Name)
		if p.Answer.Doc != "" {
			tool.OfTool.Description = anthropic.String(p.Answer.Doc)
		}
		out.Tools = []anthropic.ToolUnionParam{tool}
		out.ToolChoice = anthropic.ToolChoiceUnionParam{OfTool: &anthropic.ToolChoiceToolParam{Name: p.Answer.Name, DisableParallelToolUse: anthropic.Bool(true)}}
	case llm.Object, llm.Text: // the schema stands in the system's text
	}
	return out
}

// toolSchema is a schema in the SDK's parts; what it has no field for stays as
// it is.
func toolSchema(all map[string]any) anthropic.ToolInputSchemaParam {
	out := anthropic.ToolInputSchemaParam{Properties: all["properties"], ExtraFields: map[string]any{}}
	for name, value := range all {
		switch name {
		case "type", "properties":
		case "required":
			if raw, ok := value.(json.RawMessage); ok && json.Unmarshal(raw, &out.Required) == nil {
				continue
			}
			fallthrough
		default:
			out.ExtraFields[name] = value
		}
	}
	return out
}

func messageReply(res *anthropic.Message, tool string) (llm.Reply, error) {
	u := res.Usage
	read, written := count(u.CacheReadInputTokens), count(u.CacheCreationInputTokens)
	out := llm.Reply{Model: res.Model, Stop: llm.Done, Usage: llm.Usage{
		In: count(u.InputTokens) + read + written, Cached: read, Written: written, Out: count(u.OutputTokens),
	}}
	for _, b := range res.Content {
		switch {
		case b.Type == "text":
			out.Text += b.Text
		case b.Type == "tool_use" && b.Name == tool && out.Args == nil:
			out.Args = b.Input
		}
	}
	switch {
	case res.StopReason == anthropic.StopReasonRefusal:
		out.Stop = llm.Refused
	case res.StopReason == anthropic.StopReasonMaxTokens, res.StopReason == "model_context_window_exceeded":
		out.Stop = llm.Truncated
	case out.Text == "" && len(out.Args) == 0:
		return out, empty()
	}
	return out, nil
}
