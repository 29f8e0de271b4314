package cli

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/trace/otlp"
)

// tracing tells a run to the receiver that the environment names; nil when it names
// nobody. Trouble with that is worth one warning, here or at the end, which done
// is called for.
func (a *app) tracing() (sink func(trace.Event) error, done func()) {
	targets, err := otlp.Targets(a.getenv)
	if err != nil {
		a.warn("%v", err)
	}
	if len(targets) == 0 {
		return nil, func() {}
	}
	for _, t := range targets {
		a.say("the trace goes to %s", t.Name)
	}
	x, err := otlp.New(otlp.Options{Targets: targets, Getenv: a.getenv, Version: a.Version, Content: a.traceContent(),
		Redact: a.hidesNames(), Hide: a.veil.Hide})
	if err != nil {
		a.warn("%v", err)
		return nil, func() {}
	}
	return x.Event, func() {
		// A run that was stopped is told, too: the exporter has its own limit.
		if err := x.Close(context.Background()); err != nil {
			a.warn("%v", err)
		}
	}
}

// traceContent tells whether traces hold what models were asked and answered.
func (a *app) traceContent() bool { return a.config.Switch("trace_content") || otlp.Content(a.getenv) }
