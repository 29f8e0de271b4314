package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// audit does everything that can be refused first, and only then fetches.
func (a *app) audit(c *cobra.Command, arg string, o auditFlags) error {
	at, err := a.aimNamed(c, arg, o)
	if err != nil {
		return err
	}
	if err := a.settle(c, at.local, o.trust); err != nil {
		return err
	}
	defer a.announceStop(c.Context())()
	r, err := a.loadRubric(c.Context(), a.chosenRubric())
	if err != nil {
		return err
	}
	a.say("rubric %s %s, digest %s, checks %s, %s", r.Source.Name, r.Version, r.Digest, r.Checks, count(len(r.Notes), "note"))
	if o.dry {
		return a.plan(r, o)
	}
	p, err := a.prepare(c, at, r, o)
	if err != nil {
		return err
	}
	defer func() { a.closed(p.models) }()
	defer func() { _ = p.shelf.Close() }() // nothing is buffered in it
	a.about = at.called(a.Dir)
	steps := a.progress(c.Context(), p.clock)
	defer steps.stop()
	rec, folder, e, err := a.hearCase(c.Context(), at, p, r, steps, o)
	if rec == nil {
		return err
	}
	return a.conclude(p, rec, folder, e)
}

// hearCase opens what was aimed at, hears it and keeps the record in its folder. Without
// a record the error says why; with one, the ending says how far the hearing came.
func (a *app) hearCase(c context.Context, at aim, p prepared, r *court.Rubric, steps *steps, o auditFlags) (*court.Record, *store.Folder, ending, error) {
	e := ending{at: at, partial: o.partial, open: o.open}
	ctx, cancel := context.WithTimeoutCause(c, a.config.Duration("timeout"), errTimeout)
	defer cancel()
	steps.fetching(at.raw)
	opened, done, err := a.secure(ctx, at, p.sought(r), p.models)
	if err != nil {
		return nil, nil, e, err
	}
	defer done()
	if err := a.unopenable(ctx, at, opened); err != nil {
		return nil, nil, e, err
	}
	steps.fetched(opened.Case)
	p.models.announce(a, r, p.only)
	steps.know(ctx, opened.Scene, asksOf(r.Heard(p.only), trial.Probes()))
	rec, folder, err := a.runCase(ctx, p, opened, r, steps, o)
	steps.stop()
	if rec == nil {
		return nil, nil, e, err
	}
	a.advise(ctx, at, p.models, opened, rec)
	e.cause, e.cut, e.stopped = opened.Failure, err, c.Err() != nil
	switch {
	case err != nil && opened.Failure != nil && ctx.Err() != nil:
		e.cut = opened.Failure // it was not open yet
	case err != nil && errors.Is(context.Cause(ctx), errTimeout):
		e.cut = fmt.Errorf("judging %s: %w", rec.Case.Slug, errTimeout)
	}
	if opened.Uncommitted != nil {
		e.uncommitted = opened.Uncommitted()
	}
	return rec, folder, e, nil
}

// unopenable ends an audit that has nothing to hear: what was named is no
// repository, and there is no document beside it. Every other failure is heard
// as far as that goes: the record says why, and the last line.
func (a *app) unopenable(ctx context.Context, at aim, o *trial.Opened) error {
	switch {
	case o.Failure == nil, ctx.Err() != nil: // told at the end
		return nil
	case refusalCode(o.Failure) != "" && at.local != "" && o.Case.PDF == nil:
		return a.unreachable(ctx, at, o.Failure)
	}
	return nil
}

var errTimeout = errors.New("the time limit of this audit is reached")
