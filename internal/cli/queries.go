package cli

import (
	"context"
	"errors"
	"sync"

	"github.com/automaton-auditor/automaton/internal/code/query"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// catalogue is what a stranger's rubric is held against. A query in it is
// compiled in a worker, which is only started for the first one: call done
// when the rubric is loaded.
func (a *app) catalogue(ctx context.Context) (known rubric.Catalogue, done func()) {
	c := &compiling{app: a}
	known = trial.Catalogue(trial.Probes(), func(language, text string) string { return c.refuse(ctx, language, text) })
	return known, c.close
}

// compiling is the worker that queries are compiled in.
type compiling struct {
	app   *app
	start sync.Once
	box   *sandbox.Box
	ask   query.Worker
}

// refuse says why a query cannot be asked; "" when it can, and when there is
// no worker to tell: then the audit says that it could not ask.
func (c *compiling) refuse(ctx context.Context, language, text string) string {
	c.start.Do(func() {
		box, err := c.app.openBox("")
		if err != nil {
			c.app.warn("queries of the rubric are not checked: %v", err)
			return
		}
		c.box, c.ask = box, box.Worker("query", sandbox.WorkerOptions{})
	})
	if c.ask == nil {
		return ""
	}
	err := query.Compile(ctx, c.ask, language, text)
	if refused, ok := errors.AsType[*query.Refused](err); ok {
		return refused.Error()
	}
	if err != nil && ctx.Err() == nil {
		c.app.warn("a query of the rubric is not checked: %v", err)
	}
	return ""
}

func (c *compiling) close() {
	if c.box != nil {
		_ = c.box.Close() // nothing is kept in it
	}
}
