package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/fleet"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// workerFlags are the flags of worker that are not settings.
type workerFlags struct {
	crew         crewFlags
	name, memory string
	health       string
	logFormat    string
	drain        time.Duration
	share        float64 // of the requests and tokens a minute that profiles allow
}

func (a *app) workerCommand() *cobra.Command {
	o := workerFlags{logFormat: "text"}
	c := &cobra.Command{
		Use: "worker", Short: "Judges cases of every cohort that batch --crew temporal hands out",
		Long: "A worker takes cases from a server of Temporal and keeps what comes of them in the database that --store names. The server's address, namespace, key and certificates are read from TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_… and TEMPORAL_CONFIG_FILE, as by all programs of Temporal. " +
			"Keys of models and tokens of hosts belong into the environment of each worker. The first signal ends it when its cases have ended or --drain is over; what has not ended is given back. The second ends it at once.",
		Example: "  automaton worker --store postgres://automaton@db/automaton\n  automaton worker --jobs 4 --drain 2m --health 127.0.0.1:9090",
		Args:    none,
		RunE:    func(c *cobra.Command, _ []string) error { return a.worker(c, o) },
	}
	f := c.Flags()
	f.String("store", "", "`URL` Postgres database of the cohorts, without a password")
	queueFlags(c, &o.crew)
	f.StringVar(&o.name, "name", "", "`NAME` name of this worker (default six random digits)")
	f.StringP("jobs", "j", "", "`N` cases at once (default one for each CPU, as memory allows)")
	f.StringVar(&o.memory, "memory", "", "`SIZE` memory that cases may use together, as 4G or 800M (default three quarters of this machine's, less 512 MiB)")
	f.DurationVar(&o.drain, "drain", 30*time.Second, "`TIME` time for cases at work when the worker is stopped")
	f.StringVar(&o.health, "health", "", "`HOST:PORT` address of this machine for /healthz and /metrics (default none)")
	f.Var(choice{&o.logFormat, []string{"text", "json"}, "value %q for --log-format"}, "log-format", "`FORMAT` format of the log on standard error: text or json (default text)")
	f.StringArray("allow-host", nil, "`HOST` host that this worker fetches from where a cohort allows it, besides the usual ones (repeatable; default those of the cohort)")
	f.Float64Var(&o.share, "model-share", 1, "`SHARE` share of each profile's requests and tokens a minute that this worker takes, above 0 and at most 1: 0.5 for two workers")
	f.Bool("ocr", false, "refuse to start if this machine cannot read pictures; whether pictures are read is the cohort's to say")
	f.Bool("require-sandbox", false, "refuse to judge if a layer of the sandbox is missing")
	return c
}

// queueFlags gives a command the flags of the crew's queue.
func queueFlags(c *cobra.Command, o *crewFlags) {
	f := c.Flags()
	f.StringVar(&o.queue, "queue", "automaton", "`NAME` queue that batch and its workers share")
	f.BoolVar(&o.plaintext, "plaintext", false, "reach a server of Temporal on another machine without encryption")
}

// worker judges cases until it is stopped.
func (a *app) worker(c *cobra.Command, o workerFlags) (err error) {
	if err := a.settle(c, "", false); err != nil {
		return err
	}
	memory, err := memoryOf(o.memory)
	if err != nil {
		return err
	}
	if o.share <= 0 || o.share > 1 {
		return usage("--model-share 0.5 for one of two workers", "reading flags: --model-share %g is not above 0 and at most 1", o.share)
	}
	a.modelShare = o.share
	if err := a.reads(c.Context(), a.config.Switch("ocr")); err != nil {
		return err
	}
	place := a.config.Text("store")
	if place == "" {
		return usage("--store postgres://HOST/NAME", "reading flags: a worker needs the database of the cohorts")
	}
	d, err := a.openStore(c.Context(), place, false)
	if err != nil && c.Context().Err() != nil { // it is stopped before it began
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	scratch, tidy, err := sandbox.Folder(os.TempDir(), "automaton-worker-")
	if err != nil {
		return coded(exitUnexamined, err)
	}
	defer func() { _ = tidy() }() // what stays is found by the next worker
	var handler slog.Handler = slog.NewTextHandler(a.Stderr, nil)
	if o.logFormat == "json" {
		handler = slog.NewJSONHandler(a.Stderr, nil)
	}
	link := a.crewLink(o.crew, slog.New(handler))
	if link.Name = o.name; link.Name == "" {
		link.Name = fleet.RandomName()
	}
	width := batch.Width(a.jobs(), memory)
	ctx, stop := context.WithCancelCause(c.Context())
	defer stop(nil)
	p := &posts{app: a, command: c, docket: d, scratch: scratch, jobs: max(1, a.jobs()/width), holder: link.Name, unfit: func(err error) { stop(err) }, courts: map[string]*post{}}
	defer p.close()
	w := &fleet.Worker{Link: link, Queue: fleet.Queue(o.crew.queue, a.Version), Jobs: width, Drain: o.drain, Places: d.Places, Examine: p.examine, Now: a.Now}
	if o.health != "" {
		if w.Health, err = listenHere(c.Context(), o.health); err != nil {
			return err
		}
	}
	if err := w.Run(ctx); err != nil {
		return unreachedCrew(err)
	}
	if c.Context().Err() == nil {
		return context.Cause(ctx)
	}
	return nil
}

// listenHere listens where only this machine asks.
func listenHere(ctx context.Context, at string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(at)
	if err != nil || !loopback(host) {
		return nil, usage("--health 127.0.0.1:9090", "reading flags: --health %q is not an address of this machine alone", at)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if err != nil {
		return nil, coded(exitUsage, fmt.Errorf("listening on %q: %w", at, config.Cause(err)), "--health names another address")
	}
	return l, nil
}

// posts are the cohorts that a worker has judged cases of, each with what it is judged with.
type posts struct {
	app     *app
	command *cobra.Command
	docket  *docket.Docket
	scratch string
	jobs    int         // inside one case
	holder  string      // name of this worker
	unfit   func(error) // told why this machine cannot judge a cohort

	mu     sync.Mutex
	courts map[string]*post // by cohort: the newest generation
}

// post is a cohort as a worker judges it.
type post struct {
	generation int64
	jury       *jury
	perHost    int     // submissions that all workers together fetch from one host at once
	lender     *lender // nil: the models may cost what they do

	atWork int // cases, under the lock of posts
}

// settled gives back what is left of the budget, when no case is at work.
func (x *post) settled() {
	if x.lender != nil && x.jury.models.run != nil {
		x.lender.settle(x.jury.models.run)
	}
}

// examine judges one submission.
func (p *posts) examine(ctx context.Context, at batch.Ref, watch func(batch.Step)) (batch.Outcome, error) {
	s, record, err := p.docket.At(ctx, at.Cohort, at.Row)
	if err == nil && (s.State == docket.Fetching || s.State == docket.Hearing) { // by somebody who is gone, perhaps
		if err = p.docket.Expire(ctx, at.Cohort); err == nil {
			s, record, err = p.docket.At(ctx, at.Cohort, at.Row)
		}
	}
	if err != nil || s.State != docket.Pending {
		return batch.Outcome{State: s.State, Record: record, Again: s.Again}, err
	}
	x, err := p.post(ctx, at)
	if err != nil {
		return batch.Outcome{}, err
	}
	defer p.left(x)
	scratch, err := os.MkdirTemp(p.scratch, "case-")
	if err != nil {
		return batch.Outcome{}, err
	}
	defer func() { _ = os.RemoveAll(scratch) }() // what stays goes with the worker's folder
	e, refused, err := p.entry(ctx, at, s.ID, scratch)
	if err != nil {
		return batch.Outcome{}, err
	}
	court := *x.jury.court
	if refused != nil {
		court.Submission = func(batch.Entry) (trial.Submission, error) { return trial.Submission{}, refused }
	}
	l := &batch.Local{Docket: p.docket, Cohort: at.Cohort, Entry: func(string) batch.Entry { return e }, Court: &court, PerHost: x.perHost, Now: p.app.Now}
	return l.Examine(ctx, at, watch)
}

// left ends a case of a post.
func (p *posts) left(x *post) {
	p.mu.Lock()
	x.atWork--
	idle := x.atWork == 0
	p.mu.Unlock()
	if idle {
		x.settled()
	}
}

// entry is a submission as this machine opens it.
func (p *posts) entry(ctx context.Context, at batch.Ref, id, scratch string) (e batch.Entry, refused, err error) {
	raw, err := p.docket.Asked(ctx, at.Cohort, at.Row)
	if err != nil {
		return e, nil, err
	}
	var q asked
	if err := json.Unmarshal([]byte(raw), &q); err != nil {
		return e, nil, fmt.Errorf("reading row %d of the roster: %w", at.Row, err)
	}
	if q.Refused != "" {
		return batch.Entry{ID: id}, errors.New(q.Refused), nil
	}
	e = batch.Entry{ID: id, Commit: q.Commit, Due: q.Due}
	var errs [3]error
	e.Target, errs[0] = unpacked(ctx, p.docket, q.Target, scratch)
	e.PDF, errs[1] = unpacked(ctx, p.docket, q.PDF, scratch)
	e.Answers, errs[2] = unpacked(ctx, p.docket, q.Answers, scratch)
	return e, nil, errors.Join(errs[:]...)
}

// post is what a cohort is judged with, read once for each generation of it.
func (p *posts) post(ctx context.Context, at batch.Ref) (*post, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.courts[at.Cohort]; x != nil && x.generation >= at.Generation {
		x.atWork++
		return x, nil
	}
	raw, generation, err := p.docket.Published(ctx, at.Cohort)
	if err != nil {
		return nil, err
	}
	x := &post{generation: generation, atWork: 1}
	err = p.seat(ctx, x, at.Cohort, raw)
	if errors.Is(err, docket.ErrAway) || ctx.Err() != nil {
		return nil, err
	}
	if err != nil { // it lacks what the cohort needs, and would fail every case of it
		p.unfit(err)
		return nil, err
	}
	p.courts[at.Cohort] = x
	return x, nil
}

// seat opens what a cohort is judged with on this machine: the cohort's settings, and this machine's keys.
func (p *posts) seat(ctx context.Context, x *post, cohort string, raw []byte) error {
	var t terms
	if err := json.Unmarshal(raw, &t); err != nil {
		return fmt.Errorf("reading the terms of the cohort: %w", err)
	}
	dir, err := os.MkdirTemp(p.scratch, "cohort-")
	if err != nil {
		return err
	}
	h := &class{cohort: &batch.Cohort{Schema: batch.Schema, ID: cohort, Tool: p.app.tool(), Shared: t.Shared}, path: dir, name: cohort, roster: cohort}
	shared := &h.cohort.Shared
	file, err := unpacked(ctx, p.docket, t.Rubric, dir)
	if err == nil && file != "" {
		shared.Settings = maps.Clone(shared.Settings)
		shared.Settings["rubric"] = []string{file}
	}
	errs := []error{err}
	for _, g := range t.PDFs {
		name, err := unpacked(ctx, p.docket, g, dir)
		shared.PDFs, errs = append(shared.PDFs, name), append(errs, err)
	}
	shared.Answers, err = unpacked(ctx, p.docket, t.Answers, dir)
	errs = append(errs, err)
	shared.Calibration, err = unpacked(ctx, p.docket, t.Calibration, dir)
	if err = errors.Join(append(errs, err)...); err != nil {
		return err
	}
	a, err := p.appFor(h)
	if err != nil {
		return err
	}
	if a.config.Text("budget") != "" || a.config.Number("budget_tokens") > 0 {
		x.lender = &lender{docket: p.docket, cohort: cohort, holder: p.holder}
		a.lend = x.lender.lend
	}
	if x.jury, err = a.jury(ctx, h, classFlags{}); err != nil {
		return err
	}
	x.jury.court.Jobs, x.perHost = p.jobs, t.PerHost
	return p.app.reads(ctx, x.jury.court.OCR)
}

// reads makes sure that this machine can read pictures where that is wanted: without it, records would be others than elsewhere.
func (a *app) reads(ctx context.Context, wanted bool) (err error) {
	if !wanted {
		return nil
	}
	box, err := a.openBox("")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.Close()) }()
	if x := tryOCR(ctx, box); x.Remedy != "" {
		return coded(exitUnexamined, fmt.Errorf("reading pictures: %w: %s", trial.ErrNoOCR, x.Result), x.Remedy)
	}
	return nil
}

// appFor is this program with the settings of a cohort. A worker may be stricter than they are, and not laxer.
func (p *posts) appFor(h *class) (*app, error) {
	own := p.app.config
	a := newApp(p.app.Env)
	a.flags, a.Stdout, a.modelShare = p.app.flags, io.Discard, p.app.modelShare
	if err := a.settle(p.command, "", false); err != nil {
		return nil, err
	}
	for _, k := range config.Keys { // profiles of models are this machine's, and so is what is of one run
		if passing[k.Name] {
			continue
		}
		values, asked := h.cohort.Shared.Settings[k.Name]
		if !asked && k.Default != "" {
			values = []string{k.Default}
		}
		if err := a.config.Set(k.Name, batch.FileName, values...); err != nil {
			return nil, usage("", "reading the settings of cohort %s: %s: %w", h.cohort.ID, k.Name, err)
		}
	}
	if own.Switch("require_sandbox") {
		_ = a.config.Set("require_sandbox", "worker", "true") // a switch may be on
	}
	if hosts := own.List("allow_host"); len(hosts) > 0 {
		both := slices.DeleteFunc(slices.Clone(a.config.List("allow_host")), func(h string) bool { return !slices.Contains(hosts, h) })
		_ = a.config.Set("allow_host", "worker", both...) // they were set before
	}
	return a, nil
}

// close ends what models were opened with.
func (p *posts) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.courts {
		x.settled()
		p.app.closed(x.jury.models)
	}
}
