package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// runCase runs the trial in the case's folder and writes its files.
func (a *app) runCase(ctx context.Context, p prepared, opened *trial.Opened, r *court.Rubric, steps *steps, o auditFlags) (rec *court.Record, kept *store.Folder, err error) {
	folder, err := p.shelf.Claim(ctx, opened.Case.ID, inputs(opened.Case, r, p.only, p.models.bench(a)), o.wait)
	switch {
	case errors.Is(err, store.ErrBusy):
		return nil, nil, coded(exitUsage, err, "--wait waits for it")
	case err != nil && ctx.Err() != nil:
		return nil, nil, coded(exitUnexamined, fmt.Errorf("waiting for another run of %s: %w", opened.Case.ID, context.Cause(ctx)), "--timeout TIME allows more time")
	case err != nil:
		return nil, nil, coded(exitUnexamined, err)
	}
	defer func() { _ = folder.Close() }() // what it held was published, or stays as it was
	a.tellReplaced(folder, opened.Case)
	if opened.Failure == nil {
		if err := p.shelf.ClearUnopened(ctx, opened.Unopened); err != nil {
			a.warn("%v", err)
		}
	}
	events, err := folder.Log(store.EventsName)
	if err != nil {
		return nil, nil, coded(exitUnexamined, err)
	}
	defer func() { _ = events.Close() }() // a log; its failures are told by log.Err
	spans, told := a.tracing()
	defer told()
	log := trace.NewLog(opened.Case.ID, p.clock, trace.Lines(&shared{w: events, hide: a.hide}), steps.event, a.recent, spans)
	p.models.bill.to(log)
	h := trial.Setup{Opened: opened, Rubric: r, Only: p.only, Answers: p.answers, Marks: p.marks, Probes: trial.Probes(), Bar: p.bar, Baseline: p.before, Tool: a.tool(),
		TrustTree: o.trust, Jobs: a.jobs(), Clock: p.clock, Log: log,
		Panel: p.models.bench(a), Partial: o.partial}
	defer func() {
		if lost := log.Err(); lost != nil && !ofOneCause(lost, err) { // else the reason is told at the end
			a.warn("%v", lost)
		}
	}()
	rec, err = a.runOrResume(ctx, folder, h)
	if missed := p.models.missed("case"); missed != nil {
		return nil, nil, errors.Join(missed, folder.Forget())
	}
	if rec == nil {
		return nil, nil, err
	}
	if werr := errors.Join(p.models.saw.hang(folder), a.publish(folder, rec, err != nil)); werr != nil {
		failed := coded(exitUnexamined, werr, "the report of the earlier run is unchanged")
		if ofOneCause(werr, err) { // the journal met the same full disk
			return nil, nil, failed
		}
		return nil, nil, errors.Join(failed, err)
	}
	return rec, folder, err
}

// inputs is what tells this case from others.
func inputs(c court.Case, r *court.Rubric, only []string, b trial.Panel) store.Inputs {
	c.Only = only
	terms := trial.Terms(r, b)
	rec := court.Record{Case: c, Rubric: *r, Origin: court.Origin{Bench: terms.Bench, Prompts: terms.Prompts, Detectives: b.Detectives, BenchSum: bench.Digest()}}
	return store.InputsOf(&rec)
}

// runOrResume runs a case from where the folder's journal ends. A journal that cannot
// be gone on from, because it is damaged or of another run, is set aside, and
// the case is heard anew. Without a record, the error has its code.
func (a *app) runOrResume(ctx context.Context, folder *store.Folder, h trial.Setup) (*court.Record, error) {
	rec, err := a.runFromJournal(ctx, folder, h)
	if mismatch := (*graph.MismatchError)(nil); !errors.As(err, &mismatch) && !errors.Is(err, graph.ErrNotJournal) {
		return rec, err
	}
	a.warn("the interrupted run cannot be continued (%v), so the audit starts again", err)
	if err := folder.SetAside(); err != nil {
		return nil, coded(exitUnexamined, err)
	}
	return a.runFromJournal(ctx, folder, h)
}

func (a *app) runFromJournal(ctx context.Context, folder *store.Folder, h trial.Setup) (*court.Record, error) {
	journal, err := a.journal(folder)
	if err != nil {
		return nil, coded(exitUnexamined, fmt.Errorf("opening the journal of %s: %w", folder.Name(), err))
	}
	defer func() { _ = journal.Close() }() // every record was synced
	h.Journal = journal
	rec, err := trial.Conduct(ctx, h)
	if rec == nil {
		return nil, coded(exitBug, err)
	}
	if kept, _ := journal.Load(ctx); len(kept) <= 1 { // the head alone: there is nothing to go on from
		return rec, errors.Join(err, folder.Forget())
	}
	return rec, err
}

// journal opens the journal of the folder's run. What failed there is tried
// again.
func (a *app) journal(folder *store.Folder) (*graph.FileJournal, error) {
	if err := folder.Stands(); err != nil {
		return nil, err
	}
	j, err := graph.OpenFile(filepath.Join(folder.Build(), store.JournalName))
	if err != nil || !folder.Resumed() {
		return j, err
	}
	if _, err := graph.Rewind(context.Background(), j); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	torn := ""
	if n := j.Cut(); n > 0 {
		torn = fmt.Sprintf("; %s at the end of its journal were torn", count(int(n), "byte"))
	}
	a.note("continuing the interrupted run of %s%s", folder.Name(), torn)
	return j, nil
}
