package batch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// Court is what all cases of a cohort are judged with.
type Court struct {
	Rubric    *court.Rubric
	Only      []string
	Bar       *verdict.Bar
	Panel     trial.Panel
	Marks     *court.Calibration // nil: none
	Tool      string
	TrustTree bool
	OCR       bool
	Sources   bool          // keep the texts that are shown where submissions have something in common
	Jobs      int           // inside one case
	Limit     time.Duration // for one case
	// Submission is how an entry is opened, and Box the sandbox for it.
	Submission func(e Entry) (trial.Submission, error)
	// Answers are the marks that people gave for an entry.
	Answers func(e Entry) ([]court.Answer, error)
	Box     func(host string) (*sandbox.Box, error)
	// Models gives the context in which models are asked for one case, and what is known of them after that; nil: no model sits.
	Models func(ctx context.Context) (context.Context, Asked)
	Clock  func() time.Time
}

// Asked is what models were asked for one case.
type Asked struct {
	Log    func(*trace.Log)     // is told of each call from now on
	Use    func() *court.Models // what it took so far
	Missed func() error         // which answers are not to be had, where models are replayed; nil: none
}

// Request is the digest of all that an entry's result follows from besides the commit.
func (c *Court) Request(e Entry, s trial.Submission, answers []court.Answer) string {
	terms := trial.Terms(c.Rubric, c.Panel)
	var pdfs []string
	for _, d := range append([]trial.Document{s.Document}, s.Further...) {
		pdfs = append(pdfs, d.From+" "+d.Path+" "+docket.Digest(d.Bytes))
	}
	marks := ""
	if c.Marks != nil {
		marks = c.Marks.Digest
	}
	return digestOf(e.ID, e.Target, e.Commit, e.Due, s.Folder, pdfs, answers, c.Only, c.Bar, terms, bench.Digest(), c.Panel.Detectives, c.TrustTree, c.OCR, c.Tool, marks)
}

// At is a digest of where a submission is and which of its commits is asked for.
func (e Entry) At() string { return digestOf(e.Target, e.Commit, e.Due) }

// Cohort is what the docket keeps of the terms of a cohort.
func (c *Court) Cohort(id string) docket.Cohort {
	terms := trial.Terms(c.Rubric, c.Panel)
	return docket.Cohort{ID: id, Created: c.Clock(), Tool: c.Tool, Law: terms.Law, Rubric: terms.Rubric, Checks: terms.Checks, Bench: bench.Digest(),
		Terms: digestOf(c.Only, c.Bar, terms.Bench, terms.Prompts)}
}

// digestOf is the SHA-256 of the canonical JSON of a list.
func digestOf(list ...any) string {
	raw, err := json.Marshal(list) // sorted keys; nothing in it can fail to be JSON
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// held is one submission in the hands of this process.
type held struct {
	court  *Court
	docket *docket.Docket
	cases  *store.Shelf
	lease  docket.Lease
	entry  Entry
	row    docket.Submission
	now    func() time.Time
	// fetched is called when nothing more is asked of the submission's host.
	fetched func()
}

// examine takes one submission to its end, whatever that is, and writes it down. The error is of the docket or the disk,
// never of the submission.
func (h *held) examine(ctx context.Context, watch func(trace.Event)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = h.fail(ctx, docket.Bug, fmt.Sprintf("a defect of this program: %v", r))
			_, _ = fmt.Fprintf(os.Stderr, "automaton: a defect of this program met %s: %v\n%s", h.row.Folder, r, debug.Stack())
		}
	}()
	limit, cancel := context.WithTimeoutCause(ctx, h.court.Limit, errLimit)
	defer cancel()
	sub, err := h.court.Submission(h.entry)
	if err != nil {
		return h.fail(ctx, docket.Refused, err.Error())
	}
	answers, err := h.court.Answers(h.entry)
	if err != nil {
		return h.fail(ctx, docket.Refused, err.Error())
	}
	box, err := h.court.Box(sub.Target.Host)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.Close()) }()
	opened, err := h.open(limit, box, sub)
	switch {
	case ctx.Err() != nil:
		return h.release()
	case err != nil:
		return h.failUntil(ctx, classOf(limit, err), discreet(err, sub), asked(err))
	case opened.Failure != nil && opened.Case.PDF == nil, opened.Failure != nil && passes(classOf(limit, opened.Failure)):
		return h.failUntil(ctx, classOf(limit, opened.Failure), discreet(opened.Failure, sub), asked(opened.Failure))
	}
	opened.Case.ID = h.row.Folder
	return h.judge(ctx, limit, opened, answers, watch)
}

// discreet is an error without the folder of this machine in which a submission lies: students read it, too.
func discreet(err error, sub trial.Submission) string {
	text := err.Error()
	for _, at := range []string{sub.Target.Local, sub.Target.Bundle, sub.Target.Archive} {
		if at != "" {
			text = strings.ReplaceAll(text, at, filepath.Base(at))
		}
	}
	return text
}

// open opens a submission at the commit that was pinned when it was first fetched: what came later waits until it is asked for.
func (h *held) open(ctx context.Context, box *sandbox.Box, sub trial.Submission) (*trial.Opened, error) {
	opened, err := trial.Open(ctx, box, sub)
	pinned := h.row.Pinned
	if err != nil || pinned == "" || opened.Case.Commit == pinned || opened.Failure != nil && classOf(ctx, opened.Failure) != docket.Refused {
		return opened, err
	}
	sub.Revision, sub.Due = pinned, time.Time{}
	opened, err = trial.Open(ctx, box, sub)
	if err == nil && opened.Failure != nil {
		opened.Failure = fmt.Errorf("what was fetched first is not there any more (--retry all judges what is there now): %w", opened.Failure)
	}
	return opened, err
}

var errLimit = errors.New("the time for this case is over")

// judge runs the trial of an opened submission on the docket's journal and keeps what came of it.
func (h *held) judge(ctx, limit context.Context, opened *trial.Opened, answers []court.Answer, watch func(trace.Event)) error {
	run := docket.Run{Request: h.row.Request, URL: opened.Case.RepoURL, Commit: opened.Case.Commit, PDF: opened.Scene.DocumentsDigest(), Tool: h.court.Tool}
	if isLocal(opened.Case.RepoURL) {
		run.URL = "" // a name of this machine
	}
	run.Key = digestOf(h.lease.Cohort, h.row.Request, run.Commit, run.PDF)
	before, err := h.docket.Pin(ctx, h.lease, run)
	h.fetched()
	switch {
	case err != nil:
		return err
	case before != "": // it was judged before, and another one stood meanwhile
		return restore(ctx, h.docket, h.cases, run.Key)
	}
	journal := h.docket.Journal(run.Key)
	if h.row.Attempt > 1 || h.row.Run != "" {
		if _, err := graph.Rewind(ctx, journal); err != nil && !errors.Is(err, graph.ErrNotJournal) {
			return err
		}
	}
	var events bytes.Buffer
	told := feedOf(ctx, h.docket, run.Key)
	defer told.close()
	log := trace.NewLog(opened.Case.ID, h.court.Clock, trace.Lines(&events), trace.Lines(told), func(e trace.Event) error { watch(e); return nil })
	panel, missed := h.court.Panel, func() error { return nil }
	if h.court.Models != nil {
		var asked Asked
		limit, asked = h.court.Models(limit)
		asked.Log(log)
		panel.Use, missed = asked.Use, asked.Missed
	}
	setup := trial.Setup{Opened: opened, Rubric: h.court.Rubric, Only: h.court.Only, Answers: answers, Probes: trial.Probes(), Bar: h.court.Bar, Tool: h.court.Tool,
		TrustTree: h.court.TrustTree, Jobs: h.court.Jobs, Panel: panel, Marks: h.court.Marks, Clock: h.court.Clock, Journal: journal, Log: log}
	rec, err := trial.Conduct(limit, setup)
	if mismatch := (*graph.MismatchError)(nil); errors.As(err, &mismatch) || errors.Is(err, graph.ErrNotJournal) {
		if err := h.docket.Drop(ctx, run.Key); err != nil {
			return err
		}
		rec, err = trial.Conduct(limit, setup)
	}
	if ctx.Err() != nil {
		return h.release()
	}
	if why := missed(); why != nil { // models that could not be asked have judged nothing
		return errors.Join(h.docket.Drop(ctx, run.Key), h.fail(ctx, docket.Unasked, why.Error()))
	}
	if errors.Is(err, docket.ErrAway) { // the journal stays
		return errors.Join(err, h.release())
	}
	if rec == nil {
		return h.fail(ctx, docket.Bug, err.Error())
	}
	files := h.court.alike(limit, opened.Scene)
	if ctx.Err() != nil {
		return h.release()
	}
	files[store.EventsName] = events.Bytes()
	if raw, err := cite(limit, opened.Scene, rec); err == nil { // else citations lead to what the record quotes
		files[citedName] = raw
	}
	return h.keep(ctx, run.Key, rec, files)
}

// keep writes a record and the files beside it down, first in the docket and then as files.
func (h *held) keep(ctx context.Context, key string, rec *court.Record, files map[string][]byte) error {
	var b bytes.Buffer
	f, _ := report.FormatNamed("json") // it is one of ours
	if err := f.Write(&b, rec); err != nil {
		return h.fail(ctx, docket.Bug, err.Error())
	}
	raw := b.Bytes()
	kept, err := h.docket.Finish(ctx, h.lease, key, docket.Result{Record: rec, Raw: raw, Files: files})
	if err != nil || !kept {
		return err
	}
	return copyOut(ctx, h.cases, rec, raw, files[store.EventsName])
}

// Restore writes the files of cases again that ended and whose files are missing or are others: a run may have been killed
// between the docket and the disk.
func Restore(ctx context.Context, d *docket.Docket, cases *store.Shelf, cohort string) error {
	rows, err := d.Rows(ctx, cohort)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.State != docket.Done && r.State != docket.Partial || r.Record == "" {
			continue
		}
		if raw, err := cases.Record(r.Folder); err == nil && docket.Digest(raw) == r.Record {
			continue
		}
		if err := restore(ctx, d, cases, r.Run); err != nil {
			return fmt.Errorf("restoring %s: %w", r.ID, err)
		}
	}
	return nil
}

// restore writes the files of a run that has ended.
func restore(ctx context.Context, d *docket.Docket, cases *store.Shelf, run string) error {
	raw, err := d.File(ctx, run, docket.RecordName)
	if err != nil {
		return err
	}
	rec, err := store.Decode(raw)
	if err != nil {
		return err
	}
	events, err := d.File(ctx, run, store.EventsName)
	if err != nil {
		return err
	}
	return copyOut(ctx, cases, rec, raw, events)
}

// copyOut writes the files of a case, in place of those of an earlier run, where somebody has a place for them. The docket has them, too.
func copyOut(ctx context.Context, cases *store.Shelf, rec *court.Record, raw, events []byte) error {
	if cases == nil {
		return nil
	}
	folder, err := cases.Take(ctx, rec.Case.ID)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }() // what it held was published, or stays as it was
	if err := errors.Join(folder.Add(docket.RecordName, raw), folder.Add(store.EventsName, events)); err != nil {
		return err
	}
	return folder.Publish(false)
}

// asked is how long a host asks to wait; 0: it does not say.
func asked(err error) time.Duration {
	if r, ok := errors.AsType[*sandbox.Refusal](err); ok {
		return r.After
	}
	return 0
}

// fail ends the attempt.
func (h *held) fail(ctx context.Context, class docket.Class, reason string) error {
	return h.failUntil(ctx, class, reason, 0)
}

// failUntil ends the attempt. The next one, if there is one, begins after least at the earliest.
func (h *held) failUntil(ctx context.Context, class docket.Class, reason string, least time.Duration) error {
	again := h.now().Add(max(wait(h.row.Attempt), least))
	if filepath.IsAbs(h.entry.Target) { // a place on this machine is nobody else's business
		reason = strings.ReplaceAll(reason, filepath.Clean(h.entry.Target), h.row.ID)
	}
	return h.gone(h.docket.Fail(context.WithoutCancel(ctx), h.lease, class, court.Clean(reason, 400), again))
}

func (h *held) release() error { return h.gone(h.docket.Release(context.Background(), h.lease)) }

// gone forgives that the submission is not held any more: it was cancelled, or is in other hands.
func (h *held) gone(err error) error {
	if errors.Is(err, docket.ErrLost) {
		return nil
	}
	return err
}

func isLocal(address string) bool { return strings.HasPrefix(address, "file:") }
