package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/automaton-auditor/automaton/internal/llm"
)

// chat speaks chat completions.
type chat struct {
	provider  Provider
	service   openai.ChatCompletionService
	wire      *wire
	maxTokens atomic.Bool // the server does not know max_completion_tokens
}

func newChat(p Provider, base, key string, w *wire) *chat {
	opts := []option.RequestOption{option.WithBaseURL(base + "/"), option.WithHTTPClient(w), option.WithMaxRetries(0)}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	c := &chat{provider: p, wire: w, service: openai.NewChatCompletionService(opts...)}
	c.maxTokens.Store(p.maxTokens)
	return c
}

// Complete sends one request. A server that does not know the newer name of
// the bound is asked by the older one from then on.
func (c *chat) Complete(ctx context.Context, p llm.Prompt) (llm.Reply, error) {
	old := c.maxTokens.Load()
	res, err := c.service.New(ctx, c.params(p, old))
	if e, ok := errors.AsType[*llm.Error](err); ok && !old && e.Status == 400 && strings.Contains(e.Detail, "max_completion_tokens") {
		c.maxTokens.Store(true)
		res, err = c.service.New(ctx, c.params(p, true))
	}
	if err != nil {
		return llm.Reply{}, known(ctx, err)
	}
	reply, err := chatReply(res, p.Answer.Name)
	return c.wire.veiled(reply), err
}

func (c *chat) params(p llm.Prompt, old bool) openai.ChatCompletionNewParams {
	out := openai.ChatCompletionNewParams{Model: p.Model, Messages: chatMessages(p)}
	if old {
		out.MaxTokens = openai.Int(int64(p.MaxTokens))
	} else {
		out.MaxCompletionTokens = openai.Int(int64(p.MaxTokens))
	}
	if p.Temperature != nil {
		out.Temperature = openai.Float(*p.Temperature)
	}
	if c.provider.cacheKey && p.CacheKey != "" {
		out.PromptCacheKey = openai.String(p.CacheKey)
	}
	switch p.Answer.Mode {
	case llm.Schema:
		format := shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: p.Answer.Name, Strict: openai.Bool(true), Schema: p.Answer.Schema,
		}}
		if p.Answer.Doc != "" {
			format.JSONSchema.Description = openai.String(p.Answer.Doc)
		}
		out.ResponseFormat.OfJSONSchema = &format
	case llm.Tool:
		tool := shared.FunctionDefinitionParam{Name: p.Answer.Name, Parameters: members(p.Answer.Schema)}
		if p.Answer.Doc != "" {
			tool.Description = openai.String(p.Answer.Doc)
		}
		out.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(tool)}
		out.ToolChoice = openai.ToolChoiceOptionFunctionToolChoice(openai.ChatCompletionNamedToolChoiceFunctionParam{Name: p.Answer.Name})
	case llm.Object:
		out.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	case llm.Text:
	}
	return out
}

func chatMessages(p llm.Prompt) []openai.ChatCompletionMessageParamUnion {
	var out []openai.ChatCompletionMessageParamUnion
	if s := p.Instruction(); s != "" {
		out = append(out, openai.SystemMessage(s))
	}
	for _, m := range p.Messages {
		switch {
		case m.Role == llm.Assistant:
			out = append(out, openai.AssistantMessage(m.Text))
		case len(m.Images) == 0:
			out = append(out, openai.UserMessage(m.Text))
		default:
			parts := []openai.ChatCompletionContentPartUnionParam{openai.TextContentPart(m.Text)}
			for _, i := range m.Images {
				url := "data:" + i.MIME + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
				parts = append(parts, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: url}))
			}
			out = append(out, openai.UserMessage(parts))
		}
	}
	return out
}

func chatReply(res *openai.ChatCompletion, tool string) (llm.Reply, error) {
	out := llm.Reply{Model: res.Model, Stop: llm.Done, Usage: llm.Usage{
		In: count(res.Usage.PromptTokens), Cached: count(res.Usage.PromptTokensDetails.CachedTokens),
		// some servers leave what the model thought out of the completion, and bill it
		Out: count(max(res.Usage.CompletionTokens, res.Usage.TotalTokens-res.Usage.PromptTokens)),
	}}
	if len(res.Choices) == 0 {
		return out, empty()
	}
	choice := res.Choices[0]
	out.Text = choice.Message.Content
	for _, call := range choice.Message.ToolCalls {
		if call.Function.Name == tool && out.Args == nil {
			out.Args = json.RawMessage(call.Function.Arguments)
		}
	}
	switch {
	case choice.Message.Refusal != "":
		out.Stop, out.Text = llm.Refused, choice.Message.Refusal
	case choice.FinishReason == "content_filter":
		out.Stop = llm.Refused
	case choice.FinishReason == "length":
		out.Stop = llm.Truncated
	case out.Text == "" && len(out.Args) == 0:
		return out, empty()
	}
	return out, nil
}

// members is a schema as the SDK wants it: a map whose values stay as they are
// written, so that the order of an answer's members stays, too.
func members(schema json.RawMessage) map[string]any {
	var raw map[string]json.RawMessage
	if json.Unmarshal(schema, &raw) != nil {
		return nil
	}
	out := make(map[string]any, len(raw))
	for k, v := range raw {
		out[k] = v
	}
	return out
}

// count holds what a server counts to what can be: it is only a server's word.
func count(n int64) int { return int(min(max(n, 0), 1<<30)) }

// empty is an answer with nothing in it: the model was stopped, or said
// nothing. Asking again is of no use.
func empty() error {
	return &llm.Error{Kind: llm.KindRefused, What: "empty answer", Detail: "the model said nothing", Billed: true}
}

// known makes an SDK's error one of ours.
func known(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e
	}
	// all that is left is JSON of another shape than the documentation says
	return &llm.Error{Kind: llm.KindPermanent, What: "not the wire format", Detail: "the answer has another shape than is documented", Billed: true}
}
