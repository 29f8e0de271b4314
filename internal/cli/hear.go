package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// hear runs the trial in the case's folder and writes its files.
func (a *app) hear(ctx context.Context, p prepared, opened *trial.Opened, r *court.Rubric, o auditFlags) (*court.Record, *store.Folder, error) {
	clock, err := a.clock()
	if err != nil {
		return nil, nil, err
	}
	folder, err := p.shelf.Claim(ctx, opened.Case.ID, a.inputs(opened.Case, r), o.wait)
	if err != nil {
		hint := ""
		if errors.Is(err, store.ErrBusy) {
			hint = "--wait waits for it"
		}
		return nil, nil, coded(exitUsage, err, hint)
	}
	defer folder.Close() //nolint:errcheck // what it held was published, or stays as it was
	journal, err := a.journal(folder)
	if err != nil {
		return nil, nil, err
	}
	defer journal.Close() //nolint:errcheck // every record was synced
	events, err := os.OpenFile(filepath.Join(folder.Build(), store.EventsName), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, coded(exitUnexamined, fmt.Errorf("opening the events of %s: %w", opened.Case.ID, err))
	}
	defer events.Close() //nolint:errcheck // a log; its failures are told by log.Err
	log := trace.NewLog(opened.Case.ID, clock, trace.Lines(events), a.progress())
	h := trial.Hearing{Opened: opened, Rubric: r, Only: o.only, Probes: trial.Probes(), Bar: p.bar, Tool: "automaton " + a.Version,
		TrustTree: o.trust, Jobs: a.jobs(), Journal: journal, Clock: clock, Log: log}
	rec, err := trial.Hear(ctx, h)
	var mismatch *graph.MismatchError
	if errors.As(err, &mismatch) {
		a.warn("the journal of an interrupted run does not fit (%v); starting anew", mismatch)
		if err := journal.SetAside(); err != nil {
			return nil, nil, coded(exitUnexamined, err)
		}
		if journal, err = a.journal(folder); err != nil {
			return nil, nil, err
		}
		defer journal.Close() //nolint:errcheck // every record was synced
		h.Journal = journal
		rec, err = trial.Hear(ctx, h)
	}
	if log.Err() != nil {
		a.warn("%v", log.Err())
	}
	if rec == nil {
		return nil, nil, coded(exitBug, err)
	}
	if werr := a.publish(folder, rec, err != nil); werr != nil {
		return nil, nil, errors.Join(coded(exitUnexamined, werr, "the report of an earlier run stands as it was"), err)
	}
	return rec, folder, err
}

func (a *app) inputs(c court.Case, r *court.Rubric) store.Inputs {
	rec := court.Record{Case: c, Rubric: *r, Origin: court.Origin{Bench: map[court.Persona]string{}, BenchSum: bench.Digest()}}
	for _, j := range court.Personas() {
		rec.Origin.Bench[j] = bench.Speaker
	}
	return store.InputsOf(&rec)
}

// journal opens the journal of the folder's run. What failed there is tried
// again.
func (a *app) journal(folder *store.Folder) (*graph.FileJournal, error) {
	path := filepath.Join(folder.Build(), store.JournalName)
	j, err := graph.OpenFile(path)
	if err != nil {
		return nil, coded(exitUnexamined, fmt.Errorf("opening the journal of %s: %w", folder.Name(), err))
	}
	if folder.Resumed() {
		a.note("going on with the interrupted run of %s", folder.Name())
		if _, err := graph.Rewind(context.Background(), j); err != nil {
			return nil, coded(exitUnexamined, errors.Join(fmt.Errorf("reading the journal of %s: %w", folder.Name(), err), j.Close()))
		}
	}
	return j, nil
}

// publish puts record and reports into the case folder.
func (a *app) publish(folder *store.Folder, rec *court.Record, interrupted bool) error {
	for _, f := range report.Formats {
		name := "report" + f.Ext
		switch f.Name {
		case "text":
			continue
		case "json":
			name = "record.json"
		}
		raw, err := render(f, rec)
		if err != nil {
			return err
		}
		if err := folder.Add(name, raw); err != nil {
			return err
		}
	}
	return folder.Publish(interrupted)
}

// conclude writes the further outputs, prints the result and gives the exit
// code.
func (a *app) conclude(at aim, p prepared, rec *court.Record, folder *store.Folder, cause, interrupted error, o auditFlags) error {
	for _, out := range p.outputs {
		raw, err := render(out.format, rec)
		if err == nil {
			if err = os.MkdirAll(filepath.Dir(out.path), 0o755); err == nil {
				err = store.WriteFile(out.path, raw)
			}
		}
		if err != nil {
			return coded(exitUnexamined, err, "the case folder has all reports: "+folder.Name())
		}
	}
	text := a.text()
	text.Report, text.Time = filepath.Join(a.config.Text("out"), folder.Name(), "report.html"), true
	if err := a.printFormat(p.format, rec, text); err != nil {
		return err
	}
	return a.outcome(at, rec, cause, interrupted, o)
}

// outcome is what an audit's end means for whoever called.
func (a *app) outcome(at aim, rec *court.Record, cause, interrupted error, o auditFlags) error {
	switch {
	case errors.Is(interrupted, context.Canceled):
		fmt.Fprintf(a.Stderr, "automaton: stopping; what is known is kept\n")
		return &failure{code: exitInterrupted, said: true}
	case interrupted != nil && !o.partial:
		return coded(exitUnexamined, interrupted, "the same command goes on from the journal")
	case rec.Status == court.Mistrial:
		return a.unexamined(at, cause)
	case rec.Gate != nil && rec.Gate.Outcome == "fail":
		return &failure{code: exitFailed, said: true}
	case rec.Gate != nil && rec.Gate.Outcome == "insufficient":
		if o.partial {
			return &failure{code: exitFailed, said: true}
		}
		return &failure{code: exitUnexamined, said: true}
	case rec.Status == court.Partway && !o.partial:
		return a.unexamined(at, cause)
	}
	return nil
}

func (a *app) unexamined(at aim, cause error) error {
	if cause != nil {
		return a.unreachable(at, cause)
	}
	return coded(exitUnexamined, errors.New("hearing the case: it could be examined only in part"),
		"automaton report shows the faults; --allow-partial accepts them")
}

// text is how text is laid out for the terminal.
func (a *app) text() report.TextOptions {
	o := report.TextOptions{Width: a.width()}
	switch a.config.Text("color") {
	case "always":
		o.Color = true
	case "auto":
		o.Color = a.getenv("FORCE_COLOR") != "" || a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && isTerminal(a.Stdout)
	}
	return o
}

// isTerminal tells whether a stream is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
