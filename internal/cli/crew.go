package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/fleet"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// crewFlags are the flags of a cohort that other machines judge.
type crewFlags struct {
	crew, queue string
	window      int
	plaintext   bool
}

// Names of what judges a cohort.
const (
	localCrew    = "local"
	temporalCrew = "temporal"
)

// mostWindow is how many submissions of a cohort are handed out at once at most: a server keeps at most two thousand of a workflow.
const mostWindow = 1000

// crew has a cohort judged on other machines.
type crew struct {
	engine     *fleet.Temporal
	generation int64
}

// openCrew reaches the machines that judge; nil: this one does.
func (a *app) openCrew(ctx context.Context, d *docket.Docket, o crewFlags) (*crew, error) {
	switch {
	case o.crew != temporalCrew:
		return nil, nil
	case a.config.Text("store") == "" && !d.OnServer():
		return nil, usage("--store postgres://HOST/NAME, or --crew local", "reading flags: --crew temporal needs a database that all machines reach")
	case o.window < 1 || o.window > mostWindow:
		return nil, usage("", "reading flags: --window %d is not from 1 to %d", o.window, mostWindow)
	}
	t := &fleet.Temporal{Docket: d, Queue: fleet.Queue(o.queue, a.Version), Window: o.window, Limit: a.config.Duration("timeout"), Now: a.Now, Warn: func(text string) { a.warn("%s", text) }}
	if err := t.Open(ctx, a.crewLink(o, slog.New(slog.DiscardHandler))); err != nil {
		return nil, unreachedCrew(err)
	}
	return &crew{engine: t}, nil
}

// crewLink is how the server of the crew is reached.
func (a *app) crewLink(o crewFlags, log *slog.Logger) fleet.Link {
	return fleet.Link{Getenv: a.getenv, Plaintext: o.plaintext, Log: log}
}

// unreachedCrew is the error of a server that was not reached, with what to do.
func unreachedCrew(err error) error {
	switch {
	case errors.Is(err, fleet.ErrPlain):
		return coded(exitUsage, err, "TEMPORAL_TLS=true, or --plaintext where the network between is trusted")
	case errors.Is(err, fleet.ErrUnreachable):
		return coded(exitUsage, err, "temporal server start-dev starts one on this machine, and TEMPORAL_ADDRESS names another", "automaton batch --crew local judges in this process")
	}
	return coded(exitUsage, err)
}

// run hands a cohort out, and watches until nothing of it is open.
func (c *crew) run(ctx context.Context, cohort string, watch func(batch.Step)) error {
	c.engine.Watch = watch
	if err := c.engine.Submit(ctx, cohort, c.generation); err != nil {
		return err
	}
	return c.engine.Wait(ctx, cohort, c.generation)
}

// given is a text that a roster or a setting has, or what lies on this machine under it.
type given struct {
	Text   string `json:"text,omitempty"`
	Digest string `json:"digest,omitempty"` // of a parcel with the file or folder
}

// asked is how a submission is opened on another machine.
type asked struct {
	Target  given  `json:"target"`
	Commit  string `json:"commit,omitempty"`
	Due     string `json:"due,omitempty"`
	PDF     given  `json:"pdf"`
	Answers given  `json:"answers"`
	Refused string `json:"refused,omitempty"` // why it cannot be opened
}

// terms is what the submissions of a cohort are judged with on another machine.
type terms struct {
	Shared      batch.Shared `json:"shared"` // but for what follows
	Rubric      given        `json:"rubric"`
	PDFs        []given      `json:"pdfs,omitempty"`
	Answers     given        `json:"answers"`
	Calibration given        `json:"calibration"`
	PerHost     int          `json:"per_host"` // submissions that all workers together fetch from one host at once
}

// parcels keeps what lies on this machine where others have it.
type parcels struct {
	app    *app
	docket *docket.Docket
	cohort string
}

// given keeps a file or folder that is there; any other text stays as it is.
func (p *parcels) given(ctx context.Context, text string) (given, error) {
	if text == "" || !p.app.exists(text) {
		return given{Text: text}, nil
	}
	raw, err := repo.Pack(p.app.path(text), docket.MostBlob)
	if err != nil {
		return given{}, err
	}
	digest, err := p.docket.Keep(ctx, p.cohort, raw)
	return given{Digest: digest}, err
}

// asked says how an entry is opened elsewhere. Why it cannot be is told there, too, without places of this machine.
func (p *parcels) asked(ctx context.Context, j *jury, e batch.Entry) (string, error) {
	out := asked{Due: e.Due}
	at, target, err := j.aim(e)
	if err == nil {
		_, err = j.submissionAt(e, at, target)
	}
	if err == nil {
		out.Commit = at.revision
		var errs [3]error
		out.Target, errs[0] = p.given(ctx, cmp.Or(at.local, e.Target))
		out.PDF, errs[1] = p.given(ctx, j.class.kept(e.PDF))
		out.Answers, errs[2] = p.given(ctx, e.Answers)
		if at.local == "" {
			out.Commit = e.Commit
		}
		err = errors.Join(errs[:]...)
	}
	if errors.Is(err, docket.ErrAway) || ctx.Err() != nil {
		return "", err
	}
	if err != nil {
		out = asked{Refused: strings.ReplaceAll(said(err), filepath.Clean(e.Target), e.ID)}
	}
	raw, err := json.Marshal(out)
	return string(raw), err
}

// publish keeps all that other machines need for a cohort.
func (s *sitting) publish(ctx context.Context, rows []docket.Submission) error {
	p := &parcels{app: s.app, docket: s.docket, cohort: s.class.cohort.ID}
	for i := range rows {
		var err error
		if rows[i].Asked, err = p.asked(ctx, s.jury, s.class.cohort.Entry(rows[i].ID)); err != nil {
			return fmt.Errorf("handing out %s: %w", rows[i].ID, err)
		}
	}
	t := terms{Shared: s.class.cohort.Shared, PerHost: s.flags.perHost}
	var errs []error
	keep := func(text string) given {
		g, err := p.given(ctx, text)
		errs = append(errs, err)
		return g
	}
	if name := s.class.rubricFile(); name != "" {
		t.Rubric = keep(name)
	}
	for _, pdf := range t.Shared.PDFs {
		t.PDFs = append(t.PDFs, keep(pdf))
	}
	t.Answers, t.Calibration = keep(t.Shared.Answers), keep(t.Shared.Calibration)
	t.Shared.PDFs, t.Shared.Answers, t.Shared.Calibration = nil, "", ""
	if t.Shared.Similarity != nil {
		t.Shared.Similarity = &batch.Similarity{} // what is compared with is read when all have ended, here
	}
	most, err := s.app.budget()
	if err == nil {
		err = s.docket.Allow(ctx, s.class.cohort.ID, most)
	}
	errs = append(errs, err)
	raw, err := json.Marshal(t)
	if err = errors.Join(append(errs, err)...); err != nil {
		return err
	}
	s.crew.generation, err = s.docket.Publish(ctx, s.class.cohort.ID, raw)
	return err
}

// rubricFile is the cohort's own copy of its rubric; empty: it has a built-in one.
func (h *class) rubricFile() string {
	if v := h.cohort.Shared.Settings["rubric"]; len(v) == 1 && strings.HasPrefix(v[0], batch.RubricName+"/") {
		return filepath.Join(h.path, v[0])
	}
	return ""
}

// unpacked is a text as this machine has it: what was kept lies in a folder of its own.
func unpacked(ctx context.Context, d *docket.Docket, g given, into string) (string, error) {
	if g.Digest == "" {
		return g.Text, nil
	}
	raw, err := d.Blob(ctx, g.Digest)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(into, "given-")
	if err != nil {
		return "", err
	}
	return repo.Unpack(raw, dir)
}
