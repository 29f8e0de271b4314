package cli

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
)

// ofOneCause tells whether the system gave the same reason for two errors.
func ofOneCause(a, b error) bool {
	one, ok := errors.AsType[syscall.Errno](a)
	other, also := errors.AsType[syscall.Errno](b)
	return ok && also && one == other
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

	uncommitted int // files with changes that are not committed
}

// conclude writes the further outputs, prints the result and gives the exit
// code.
func (a *app) conclude(p prepared, rec *court.Record, folder *store.Folder, e ending) error {
	if err := writeOutputs(p.outputs, rec); err != nil {
		return coded(exitUnexamined, err, "the case folder has all reports: "+a.inOut(folder.Name()))
	}
	text := a.text()
	text.Report, text.Time = filepath.Join(a.inOut(folder.Name()), pageName), true
	e.folder = filepath.Dir(text.Report)
	text.NoPDF, text.Uncommitted = p.docs[0].From == "none", e.uncommitted
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

// outcome is what an audit's end means for the one who called. Without a verdict
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
		return coded(exitUnexamined, e.cut, "--timeout TIME allows more time")
	case e.cut != nil:
		return coded(exitUnexamined, e.cut, "run the same command again: it goes on where this run stopped")
	case e.cause != nil:
		return coded(exitUnexamined, e.cause, a.openHint(e.at, e.cause))
	case rec.Verdict == nil && rec.Status != court.Mistrial:
		return coded(exitUnexamined, errors.New("judging the case: no verdict could be reached"), "automaton report"+a.meaning(e)+" shows the faults")
	case rec.Verdict == nil:
		return coded(exitUnexamined, errors.New("judging the case: nothing of it could be examined"), "automaton report"+a.meaning(e)+" shows the faults")
	}
	return coded(exitUnexamined, errors.New("judging the case: only a part of it could be examined"),
		"automaton report"+a.meaning(e)+" shows the faults; --allow-partial accepts them")
}

// meaning names the case in a command.
func (a *app) meaning(e ending) string {
	if e.folder != "" {
		return " " + e.folder
	}
	return a.outFlag()
}

// inOut is a case folder as commands name it.
func (a *app) inOut(name string) string { return filepath.Join(a.config.Text("out"), name) }

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

// announceStop tells at once when the user stops an audit, as writing down what
// is known takes its time. The function it gives ends the watch.
func (a *app) announceStop(ctx context.Context) func() {
	told := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(told)
		a.tell(message{Kind: "note", Text: "stopping; what is known is kept"})
	})
	return func() {
		if !stop() {
			<-told
		}
	}
}
