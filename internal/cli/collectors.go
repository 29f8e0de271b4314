package cli

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/trace/otlp"
)

// collectors are whom the environment wants to be told of a run. What is wrong
// with them is a warning: it changes nothing that is decided.
func (a *app) collectors() *collectors {
	targets, err := otlp.Targets(a.getenv)
	if err != nil {
		a.warn("tracing: %v", err)
	}
	if len(targets) == 0 {
		return nil
	}
	for _, t := range targets {
		a.hideAlso(t.Secrets()...)
		a.say("tracing to %s at %s", t.Name, t.URL)
	}
	x, err := otlp.New(otlp.Options{Targets: targets, Getenv: a.getenv, Version: a.Version, Content: a.tracesContent(),
		Redact: slices.Contains(a.config.List("redact"), "names")})
	if err != nil {
		a.warn("tracing: %v", err)
		return nil
	}
	return &collectors{a, x}
}

// tracesContent tells whether traces may hold what models are asked and answer.
func (a *app) tracesContent() bool {
	return a.config.Switch("trace_content") || a.getenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT") == "true"
}

// collectors hear of a run's events; nil: nobody asked.
type collectors struct {
	a *app
	x *otlp.Exporter
}

// event is a sink of the run's log.
func (c *collectors) event(e trace.Event) error {
	if c == nil {
		return nil
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return err
	}
	var hidden trace.Event
	if err := json.Unmarshal(c.a.hide(raw), &hidden); err != nil {
		return err
	}
	return c.x.Event(hidden)
}

// close sends what waits.
func (c *collectors) close(ctx context.Context) {
	if c == nil {
		return
	}
	if err := c.x.Close(context.WithoutCancel(ctx)); err != nil {
		c.a.warn("tracing: %v", err)
	}
}
