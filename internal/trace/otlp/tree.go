package otlp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	api "go.opentelemetry.io/otel/trace"

	"github.com/automaton-auditor/automaton/internal/trace"
)

// tree is the spans of a case: the audit, below it the nodes, and below each
// what was done there.
type tree struct {
	tracer          api.Tracer
	parent          context.Context
	content, redact bool
	hide            func(string) string

	root  *limb
	nodes map[string]*limb // the last span of each node, also when it ended
	ended int              // spans that are to be delivered
	last  time.Time
}

// limb is a span that others may hang below.
type limb struct {
	ctx  context.Context
	span api.Span
	over bool
}

func tracer(p api.TracerProvider, version string) api.Tracer {
	return p.Tracer("automaton", api.WithInstrumentationVersion(version), api.WithSchemaURL(schemaURL))
}

// grow adds an event that happened at a time.
func (t *tree) grow(e trace.Event, at time.Time) {
	t.last = at
	began := at.Add(-time.Duration(e.Ms) * time.Millisecond)
	switch e.Kind {
	case trace.Progress, trace.Replayed: // for watching alone
	case trace.CaseStart:
		t.fell()
		t.plant(e, at)
	case trace.CaseEnd:
		t.trunk(e, at).span.SetAttributes(text(ourStatus, e.Text), text(ourOverall, e.Total))
		t.fell()
	case trace.NodeStart:
		t.close(t.nodes[e.Node])
		trunk := t.trunk(e, at)
		t.nodes[e.Node] = t.start(trunk.ctx, invokeAgent+" "+e.Node, at, api.SpanKindInternal, isAgent,
			text(genOperation, invokeAgent), text(genAgent, e.Node))
	case trace.NodeEnd:
		t.close(t.nodes[e.Node])
	case trace.Probed:
		t.close(t.start(t.under(e, began).ctx, executeTool+" "+e.Text, began, api.SpanKindInternal, isTool,
			text(genOperation, executeTool), text(genTool, e.Text), text(genToolType, function),
			text(ourCriterion, criteria(e.Item)), text(ourCheck, e.Item), attribute.Int(ourEvidence, e.Found)))
	case trace.ModelCall:
		t.call(e, began)
	case trace.Holding:
		if e.Rule != nil {
			t.close(t.start(t.under(e, began).ctx, "rule "+e.Rule.ID, began, api.SpanKindInternal, isStep, text(ourCriterion, e.Item),
				text(ourOutcome, e.Rule.Outcome), text(ourBefore, e.Rule.Before), text(ourAfter, e.Rule.After)))
		}
	case trace.Evidence, trace.Opinion, trace.Route, trace.Fault:
		t.moment(e, at)
	}
}

// moment notes on a node's span what has no duration of its own. What such an
// event says in words may come from the submission.
func (t *tree) moment(e trace.Event, at time.Time) {
	l := t.under(e, at)
	about := []attribute.KeyValue{text(ourCriterion, e.Item)}
	switch {
	case e.Kind == trace.Evidence && !e.Grave: // how much there is
		l.span.SetAttributes(attribute.Int(ourEvidence, e.Found))
		return
	case e.Kind == trace.Evidence:
		about = []attribute.KeyValue{text(ourCheck, e.Item)}
	case e.Kind == trace.Opinion:
		about = append(about, attribute.Int(ourScore, e.Score), attribute.Int(ourRound, e.Round))
	case e.Kind == trace.Route:
		about = append(about, text(ourRoute, e.Text)) // a word of ours
	case e.Kind == trace.Fault:
		l.span.SetStatus(codes.Error, "")
	}
	if t.content && e.Kind != trace.Route && e.Text != "" {
		about = append(about, text(outputValue, e.Text))
	}
	l.span.AddEvent(ourMoment+string(e.Kind), api.WithTimestamp(at), api.WithAttributes(t.filled(about)...))
}

// call is a request to a model.
func (t *tree) call(e trace.Event, began time.Time) {
	c := e.Call
	if c == nil {
		return
	}
	host, port := c.Host, 0
	if h, p, err := net.SplitHostPort(c.Host); err == nil {
		host = h
		port, _ = strconv.Atoi(p) // 0 is left out
	}
	about := []attribute.KeyValue{text(genOperation, chat), text(genProvider, cmp.Or(providers[c.Provider], c.Provider)), text(genSystem, c.Provider),
		text(genRequested, c.Model), text(genAnswered, c.Answered), text(genOutput, jsonOutput), text(serverAddress, host), text(errorType, c.Error),
		text(inferenceModel, cmp.Or(c.Answered, c.Model)), text(ourMode, c.Mode), text(ourCriterion, e.Item),
		attribute.Int(ourTries, c.Tries), attribute.Bool(ourKept, c.Kept)}
	if port > 0 {
		about = append(about, attribute.Int(serverPort, port))
	}
	if c.Stop != "" {
		about = append(about, attribute.StringSlice(genFinish, []string{cmp.Or(finishes[c.Stop], c.Stop)}))
	}
	if c.In > 0 || c.Out > 0 {
		about = append(about, attribute.Int(genIn, c.In), attribute.Int(genCached, c.Cached), attribute.Int(genOut, c.Out),
			attribute.Int(inferenceIn, c.In), attribute.Int(inferenceOut, c.Out))
	}
	if usd, err := strconv.ParseFloat(c.USD, 64); err == nil {
		about = append(about, attribute.Float64(genCost, usd))
	}
	if t.content {
		about = append(about, text(inputValue, c.Question), text(outputValue, c.Answer))
	}
	l := t.start(t.under(e, began).ctx, chat+" "+c.Model, began, api.SpanKindClient, isModel, about...)
	if c.Error != "" {
		l.span.SetStatus(codes.Error, "")
	}
	t.close(l)
}

// plant begins the case.
func (t *tree) plant(e trace.Event, at time.Time) {
	id := e.Case
	if t.redact {
		sum := sha256.Sum256([]byte(id))
		id = "sha256:" + hex.EncodeToString(sum[:8])
	}
	t.nodes = map[string]*limb{}
	t.root = t.start(t.parent, "audit", at, api.SpanKindInternal, isStep, text(ourCase, id), text(ourRubric, e.Digest))
}

// trunk is the case's span, also when its start was not told.
func (t *tree) trunk(e trace.Event, at time.Time) *limb {
	if t.root == nil {
		t.plant(trace.Event{Case: e.Case}, at)
	}
	return t.root
}

// under is what an event's span hangs below: its node, or the case.
func (t *tree) under(e trace.Event, at time.Time) *limb {
	trunk := t.trunk(e, at)
	if l := t.nodes[e.Node]; l != nil {
		return l
	}
	return trunk
}

func (t *tree) start(ctx context.Context, name string, at time.Time, how api.SpanKind, is kind, about ...attribute.KeyValue) *limb {
	about = append(t.filled(about), text(langsmithKind, is.langsmith), text(inferenceKind, is.inference))
	ctx, span := t.tracer.Start(ctx, t.hide(name), api.WithTimestamp(at), api.WithSpanKind(how), api.WithAttributes(about...))
	return &limb{ctx: ctx, span: span}
}

// close ends a span now, once.
func (t *tree) close(l *limb) {
	if l == nil || l.over {
		return
	}
	l.over = true
	l.span.End(api.WithTimestamp(t.last))
	if l.span.SpanContext().IsSampled() {
		t.ended++
	}
}

// fell ends everything that is open.
func (t *tree) fell() {
	for _, l := range t.nodes {
		t.close(l)
	}
	t.close(t.root)
	t.root, t.nodes = nil, nil
}

func text(key, value string) attribute.KeyValue { return attribute.String(key, value) }

// filled leaves out what has no value, and our own secrets.
func (t *tree) filled(all []attribute.KeyValue) []attribute.KeyValue {
	var out []attribute.KeyValue
	for _, a := range all {
		if a.Value.Type() == attribute.STRING {
			a.Value = attribute.StringValue(t.hide(a.Value.AsString()))
		}
		if a.Value.Type() != attribute.STRING || a.Value.AsString() != "" {
			out = append(out, a)
		}
	}
	return out
}

// criteria are those of CRITERION/CHECK,CRITERION/CHECK, each once.
func criteria(items string) string {
	var out []string
	for item := range strings.SplitSeq(items, ",") {
		id, _, _ := strings.Cut(item, "/")
		if len(out) == 0 || out[len(out)-1] != id {
			out = append(out, id)
		}
	}
	return strings.Join(out, ",")
}
