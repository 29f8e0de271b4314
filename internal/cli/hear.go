package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// hear runs the trial in the case's folder and writes its files.
func (a *app) hear(ctx context.Context, p prepared, opened *trial.Opened, r *court.Rubric, steps *steps, o auditFlags) (rec *court.Record, kept *store.Folder, err error) {
	folder, err := p.shelf.Claim(ctx, opened.Case.ID, inputs(opened.Case, r, p.only, p.models.bench(a)), o.wait)
	switch {
	case errors.Is(err, store.ErrBusy):
		return nil, nil, coded(exitUsage, err, "--wait waits for it")
	case err != nil && ctx.Err() != nil:
		return nil, nil, coded(exitUnexamined, fmt.Errorf("waiting for another run of %s: %w", opened.Case.ID, context.Cause(ctx)), "--timeout gives it longer")
	case err != nil:
		return nil, nil, coded(exitUnexamined, err)
	}
	defer func() { _ = folder.Close() }() // what it held was published, or stays as it was
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
	h := trial.Hearing{Opened: opened, Rubric: r, Only: p.only, Answers: p.answers, Probes: trial.Probes(), Bar: p.bar, Baseline: p.before, Tool: a.tool(),
		TrustTree: o.trust, Jobs: a.jobs(), Clock: p.clock, Log: log,
		Bench: p.models.bench(a), Partial: o.partial}
	defer func() {
		if lost := log.Err(); lost != nil && !ofOneCause(lost, err) { // else the reason is told at the end
			a.warn("%v", lost)
		}
	}()
	rec, err = a.goOn(ctx, folder, h)
	if missed := p.models.missed(); missed != nil {
		return nil, nil, errors.Join(missed, folder.Forget())
	}
	if rec == nil {
		return nil, nil, err
	}
	if werr := errors.Join(p.models.saw.hang(folder), a.publish(folder, rec, err != nil)); werr != nil {
		failed := coded(exitUnexamined, werr, "the report of an earlier run stands as it was")
		if ofOneCause(werr, err) { // the journal met the same full disk
			return nil, nil, failed
		}
		return nil, nil, errors.Join(failed, err)
	}
	return rec, folder, err
}

// ofOneCause tells whether the system gave the same reason for two errors.
func ofOneCause(a, b error) bool {
	one, ok := errors.AsType[syscall.Errno](a)
	other, also := errors.AsType[syscall.Errno](b)
	return ok && also && one == other
}

// inputs is what tells this case from others.
func inputs(c court.Case, r *court.Rubric, only []string, b trial.Bench) store.Inputs {
	c.Only = only
	terms := trial.Terms(r, b)
	rec := court.Record{Case: c, Rubric: *r, Origin: court.Origin{Bench: terms.Bench, Prompts: terms.Prompts, Detectives: b.Detectives, BenchSum: bench.Digest()}}
	return store.InputsOf(&rec)
}

// goOn hears a case from where the folder's journal ends. A journal that cannot
// be gone on from, because it is damaged or of another run, is set aside, and
// the case is heard anew. Without a record, the error has its code.
func (a *app) goOn(ctx context.Context, folder *store.Folder, h trial.Hearing) (*court.Record, error) {
	rec, err := a.hearFrom(ctx, folder, h)
	if mismatch := (*graph.MismatchError)(nil); !errors.As(err, &mismatch) && !errors.Is(err, graph.ErrNotJournal) {
		return rec, err
	}
	a.warn("the journal of an interrupted run does not fit (%v); starting anew", err)
	if err := folder.SetAside(); err != nil {
		return nil, coded(exitUnexamined, err)
	}
	return a.hearFrom(ctx, folder, h)
}

func (a *app) hearFrom(ctx context.Context, folder *store.Folder, h trial.Hearing) (*court.Record, error) {
	journal, err := a.journal(folder)
	if err != nil {
		return nil, coded(exitUnexamined, fmt.Errorf("opening the journal of %s: %w", folder.Name(), err))
	}
	defer func() { _ = journal.Close() }() // every record was synced
	h.Journal = journal
	rec, err := trial.Hear(ctx, h)
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
	a.note("going on with the interrupted run of %s%s", folder.Name(), torn)
	return j, nil
}

// caseFiles are the renderings that a case folder holds, by format.
var caseFiles = map[string]string{"json": "record.json", "md": "report.md", "html": pageName}

// publish puts record and reports into the case folder.
func (a *app) publish(folder *store.Folder, rec *court.Record, interrupted bool) error {
	for _, f := range report.Formats {
		name := caseFiles[f.Name]
		if name == "" {
			continue
		}
		raw, err := render(f, rec)
		if err != nil {
			return err
		}
		if err := folder.Add(name, raw); err != nil {
			return err
		}
	}
	if rec.Status == court.Mistrial {
		folder.KeepLatest()
	}
	return folder.Publish(interrupted)
}

// ending is how an audit came to its end.
type ending struct {
	at      aim
	cause   error  // why there is no repository
	cut     error  // why the hearing ended before its time
	stopped bool   // the user stopped it
	partial bool   // --allow-partial
	folder  string // of the case, as commands name it
	open    bool   // --open
}

// conclude writes the further outputs, prints the result and gives the exit
// code.
func (a *app) conclude(p prepared, rec *court.Record, folder *store.Folder, e ending) error {
	if err := writeOutputs(p.outputs, rec); err != nil {
		return coded(exitUnexamined, err, "the case folder has all reports: "+folder.Name())
	}
	text := a.text()
	text.Report, text.Time = filepath.Join(a.config.Text("out"), folder.Name(), pageName), true
	e.folder = filepath.Dir(text.Report)
	text.NoPDF, text.Local = p.docs[0].From == "none", e.at.local != ""
	if a.outFlag() != "" {
		text.Record = filepath.Dir(text.Report)
	}
	if err := a.printFormat(p.format, rec, text); err != nil {
		return err
	}
	if e.open && !e.stopped {
		a.show(filepath.Join(folder.Path(), pageName))
	}
	return a.outcome(rec, e)
}

// outcome is what an audit's end means for whoever called. Without a verdict
// nothing was decided, whatever is allowed.
func (a *app) outcome(rec *court.Record, e ending) error {
	if e.stopped && e.cut != nil {
		return &failure{code: exitInterrupted, said: true}
	}
	if rec.Verdict == nil || rec.Status != court.Complete || e.cut != nil {
		err := a.unexamined(rec, e)
		if rec.Verdict == nil || !e.partial {
			return err
		}
		a.warn("%v", err)
	}
	if rec.Gate == nil {
		return nil
	}
	switch {
	case rec.Gate.Outcome == "fail", rec.Gate.Outcome == "insufficient" && e.partial:
		return &failure{code: exitFailed, said: true}
	case rec.Gate.Outcome == "insufficient":
		return &failure{code: exitUnexamined, said: true}
	}
	return nil
}

// unexamined says why a case could not be examined, or only in part.
func (a *app) unexamined(rec *court.Record, e ending) error {
	switch {
	case e.cut != nil && e.cause != nil:
		return coded(exitUnexamined, e.cut, "--timeout gives it longer")
	case e.cut != nil:
		return coded(exitUnexamined, e.cut, "the same command goes on from the journal")
	case e.cause != nil:
		return coded(exitUnexamined, e.cause, a.openHint(e.at, e.cause))
	case rec.Verdict == nil && rec.Status != court.Mistrial:
		return coded(exitUnexamined, errors.New("hearing the case: no verdict could be reached"), "automaton report"+a.meaning(rec, e)+" shows the faults")
	case rec.Verdict == nil:
		return coded(exitUnexamined, errors.New("hearing the case: nothing of it could be examined"), "automaton report"+a.meaning(rec, e)+" shows the faults")
	}
	return coded(exitUnexamined, errors.New("hearing the case: it could be examined only in part"),
		"automaton report"+a.meaning(rec, e)+" shows the faults; --allow-partial accepts them")
}

// meaning names the case in a command where it would mean another one.
func (a *app) meaning(rec *court.Record, e ending) string {
	if rec.Status == court.Mistrial && e.folder != "" {
		return " " + e.folder
	}
	return a.outFlag()
}

// outFlag repeats --out in a command that a hint names.
func (a *app) outFlag() string {
	if s := a.config.Get("out"); s.Origin == "--out" {
		return " --out " + a.config.Text("out")
	}
	return ""
}

// textOf is text about a record, with its name in the commands that it shows
// where they would not find it by themselves.
func (a *app) textOf(args []string) report.TextOptions {
	o := a.text()
	switch {
	case len(args) == 1 && args[0] != "-":
		o.Record = args[0]
	case len(args) == 0 && a.outFlag() != "":
		if path, err := a.latest(); err == nil {
			o.Record = filepath.Join(a.config.Text("out"), filepath.Base(path))
		}
	}
	return o
}

// text is how text is laid out for the terminal.
func (a *app) text() report.TextOptions {
	color := a.colored(a.Stdout)
	return report.TextOptions{Width: a.width(), Color: color, Links: color && isTerminal(a.Stdout)}
}
