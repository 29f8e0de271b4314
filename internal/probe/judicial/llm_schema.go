package judicial

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Shares of what falls short of a bound schema (a design choice).
const (
	shareParsed = 6000 // the answer is parsed into the model
	shareJSON   = 2500 // JSON only
)

var llmSchema = probe.Probe{
	ID: "llm.schema", Version: "4", Target: court.GithubRepo,
	Title:  "Judge calls are bound to a schema",
	Doc:    "Looks in the judges' code for with_structured_output, bind_tools with an opinion, response formats and schemas; then for answers that are parsed into the opinion model; then for JSON that is read without it.",
	Remedy: "Bind the judges' model with with_structured_output and the opinion model.", Effort: 30, Recall: 9500,
	Args: []probe.Arg{roleArg},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		return ofJudges(schemaFinding)(ctx, s, a)
	},
}

// toBind asks for a schema at a call.
const toBind = "Bind the model that is asked at %s to the opinion model: llm.with_structured_output(%s)."

func schemaFinding(b *bench) probe.Finding {
	bs := b.structured()
	if len(bs) == 0 {
		calls := b.models.in(b.judges)
		return probe.Against(court.AST, spots(calls[0].Node), "The judges' answers are used as free text: no schema is bound and nothing parses them.").Do(toBind, facts.Line(spot(calls[0].Node)), b.opinionName())
	}
	x := bs[0]
	at, asks := spots(x.at), spots(b.models.in(b.judges)[0].Node)[0]
	var f probe.Finding
	switch x.kind {
	case kindNative, kindTools, kindFormat:
		f = probe.Present(court.AST, at, "The judges' model is bound by %s.", x.kind)
	case kindPydantic:
		if b.inJSONMode() {
			f = probe.Partly(shareParsed, court.AST, at, "The model answers in JSON mode without a schema, and the answer is parsed into the opinion model.").Do(toBind, facts.Line(asks), b.opinionName())
			break
		}
		f = probe.Partly(shareParsed, court.AST, at, "The model answers in free text, which is parsed into the opinion model. Nothing binds the model to it.").Do(toBind, facts.Line(asks), b.opinionName())
	default:
		f = probe.Partly(shareJSON, court.AST, at, "The answer is read as JSON, and a malformed one gets past the opinion model.").Do(toBind, facts.Line(asks), b.opinionName())
	}
	f.Data = map[string]any{"judges.structured_output": map[string]string{"kind": x.kind, "at": where(x.at).String()}}
	return f
}

// inJSONMode reports whether a model is told in the judges' code, or where their
// files make a client, to answer with JSON of any form.
func (b *bench) inJSONMode() bool {
	calls := b.judges.calls(b.p, b.il)
	for _, c := range b.clients() {
		if c.call.Func.Kind == code.DefModule && slices.ContainsFunc(b.judges.defs, func(d *code.Definition) bool { return d.Module == c.call.Func.Module }) {
			calls = append(calls, c.call)
		}
	}
	return slices.ContainsFunc(calls, func(c *intree.Call) bool {
		for n := range c.Node.Field("arguments").Walk() {
			if asksJSON(n) {
				return true
			}
		}
		return false
	})
}

// asksJSON recognises the settings by which services are told so.
func asksJSON(n code.Node) bool {
	key := ""
	switch n.Kind() {
	case "keyword_argument":
		key = n.Field("name").Text()
	case "pair":
		key, _ = n.Field("key").Literal()
	}
	want := map[string]string{"type": "json_object", "response_mime_type": "application/json", "format": "json"}[key]
	got, ok := n.Field("value").Literal()
	return ok && want != "" && got == want
}
