package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// auditFlags are the flags of audit that are no settings.
type auditFlags struct {
	commit, format      string
	pdfs                []string
	folder              string
	only                string // ids with commas between
	baseline, answers   string
	outputs             []string
	partial, wait       bool
	dry, trust, offline bool
	open                bool
	models              modelFlags
}

func (a *app) auditCommand() *cobra.Command {
	var o auditFlags
	c := &cobra.Command{
		Use: "audit REPO", Short: "Hears one case: evidence, opinions, verdict, reports",
		Example: `  automaton audit https://github.com/OWNER/NAME
  automaton audit . --pdf report.pdf -r rubric.json
  automaton audit . --pdf report.pdf --pdf annex.md
  automaton audit submission.zip
  automaton audit ../work --fail-under 3.5 -o report.html`,
		Args: one("REPO"),
		RunE: func(c *cobra.Command, args []string) error { return a.audit(c, args[0], o) },
	}
	f := c.Flags()
	pdfsFlag(c, &o.pdfs)
	f.StringP("rubric", "r", "", "built-in name, `FILE`, or - (default courtroom)")
	f.StringVar(&o.commit, "commit", "", "branch, tag or commit `REV`; default HEAD")
	folderFlag(c, &o.folder)
	f.StringVar(&o.only, "only", "", "hear only these criteria, `ID,ID`")
	formatFlag(c, &o.format, formatNames()...)
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "one more rendering, `[FORMAT=]FILE`; the ending chooses the format (repeatable)")
	f.String("out", "", "`DIR` where the case folder goes (default automaton-out)")
	f.StringVar(&o.answers, "answers", "", "the `FILE` with what people decided, for criteria that wait for them")
	f.StringArray("fail-under", nil, "the gate: `SCORE` of the overall or CRITERION=SCORE (repeatable)")
	f.StringArray("fail-on", nil, "`WHAT` fails: security_override, contested, insufficient, substituted, regression (repeatable)")
	f.StringVar(&o.baseline, "baseline", "", "the `RECORD` that --fail-on regression compares with")
	f.BoolVar(&o.partial, "allow-partial", false, "an incomplete audit does not by itself exit 3")
	f.String("timeout", "", "the `TIME` for the whole case (default 10m)")
	f.BoolVar(&o.offline, "offline", false, "no network: REPO must be local")
	f.BoolVar(&o.wait, "wait", false, "wait for another run that holds this case folder")
	f.BoolVar(&o.trust, "trust-tree", false, "read configuration and rubric even inside the audited tree")
	f.BoolVarP(&o.dry, "dry-run", "n", false, "print which checks would answer which criterion; nothing is fetched or written")
	modelFlag(c, &o.models)
	openFlag(c, &o.open)
	ocrFlag(c)
	a.repoFlags(c)
	return c
}

// audit does everything that can be refused first, and only then fetches.
func (a *app) audit(c *cobra.Command, arg string, o auditFlags) error {
	at, err := a.aimAt(arg, o.commit, o.folder)
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
	steps := a.progress(c.Context(), p.clock)
	defer steps.stop()
	ctx, cancel := context.WithTimeoutCause(c.Context(), a.config.Duration("timeout"), errTimeout)
	defer cancel()
	steps.fetching(at.raw)
	opened, done, err := a.secure(ctx, at, p.docs, p.models)
	if err != nil {
		return err
	}
	defer done()
	if err := a.unopenable(ctx, at, opened); err != nil {
		return err
	}
	steps.fetched(opened.Case)
	p.models.announce(a, r, p.only)
	steps.know(ctx, opened.Scene, asksOf(r.Heard(p.only), trial.Probes()))
	e := ending{at: at, cause: opened.Failure, partial: o.partial, open: o.open}
	rec, folder, err := a.hear(ctx, p, opened, r, steps, o)
	steps.stop()
	if rec == nil {
		return err
	}
	a.hintOCR(ctx, opened)
	a.hintModels(p.models)
	a.unanswered(rec)
	a.doubtDocument(rec.Case)
	e.cut, e.stopped = err, c.Context().Err() != nil
	switch {
	case err != nil && opened.Failure != nil && ctx.Err() != nil:
		e.cut = opened.Failure // it was not open yet
	case err != nil && errors.Is(context.Cause(ctx), errTimeout):
		e.cut = fmt.Errorf("hearing %s: %w", rec.Case.Slug, errTimeout)
	}
	return a.conclude(p, rec, folder, e)
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

var errTimeout = errors.New("the time for this case is over")

// prepared is what was checked before anything is fetched.
type prepared struct {
	format  report.Format
	outputs []output
	only    []string
	answers []court.Answer
	bar     *verdict.Bar
	before  *court.Record // of --baseline
	docs    []trial.Document
	clock   func() time.Time
	shelf   *store.Shelf
	models  *seated
}

func (a *app) prepare(c *cobra.Command, at aim, r *court.Rubric, o auditFlags) (p prepared, err error) {
	if p.format, p.outputs, err = a.outputs(c, o.format, o.outputs); err != nil {
		return p, err
	}
	if p.only, err = a.onlyThese(r, o.only); err != nil {
		return p, err
	}
	if len(r.Heard(p.only)) == 0 {
		return p, usage("automaton rubric show "+a.chosenRubric()+" lists the criteria", "hearing the case: %w", trial.ErrNothingToHear)
	}
	if p.answers, err = a.answers(o.answers, r); err != nil {
		return p, err
	}
	if p.bar, err = a.bar(r); err != nil {
		return p, err
	}
	if p.models, err = a.seat(o.models, o.offline); err != nil {
		return p, err
	}
	if p.before, err = a.baseline(o.baseline, p.bar, r, p.models.bench(a)); err != nil {
		return p, err
	}
	if p.clock, err = a.clock(); err != nil {
		return p, err
	}
	if p.docs, err = a.documents(o.pdfs); err != nil {
		return p, err
	}
	if o.offline && at.local == "" {
		return p, usage("give a local clone", "reading target: --offline, and %q is not on this machine", at.raw)
	}
	out := a.path(a.config.Text("out"))
	if inGitDir(filepath.Join(out, "case")) {
		return p, usage("--out DIR names another folder", "opening output folder %q: it lies in the git folder of a repository", out)
	}
	if p.shelf, err = store.Open(out); err != nil {
		return p, coded(exitUsage, err, "--out DIR names another folder")
	}
	if err := p.shelf.Room(expectedSize); err != nil {
		return p, errors.Join(coded(exitUsage, err, "free some space, or give --out on another disk"), p.shelf.Close())
	}
	return p, nil
}

// onlyThese are the criteria that --only names, in the rubric's order.
func (a *app) onlyThese(r *court.Rubric, flag string) ([]string, error) {
	if flag == "" {
		return nil, nil
	}
	asked := strings.Split(flag, ",")
	for _, id := range asked {
		if !slices.ContainsFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == id }) {
			return nil, usage("automaton rubric show "+a.chosenRubric()+" lists the criteria", "reading flags: --only %q is no criterion of this rubric", id)
		}
	}
	var only []string
	for _, c := range r.Criteria {
		if slices.Contains(asked, c.ID) {
			only = append(only, c.ID)
		}
	}
	return only, nil
}

// expectedSize is about what a case folder takes, in bytes.
const expectedSize = 16 << 20

// bar reads the gate.
func (a *app) bar(r *court.Rubric) (*verdict.Bar, error) {
	under, on := a.config.List("fail_under"), a.config.List("fail_on")
	if len(under) == 0 && len(on) == 0 {
		return nil, nil
	}
	b := &verdict.Bar{Bars: map[string]court.Fixed{}, FailOn: on}
	for _, v := range under {
		id, score, ok := strings.Cut(v, "=")
		if !ok {
			id, score = court.OverallID, v
		}
		n, err := court.ParseFixed(score)
		if err != nil || n < court.One || n > 5*court.One || n%100 != 0 {
			return nil, usage("", "reading gate: %q is no score from 1 to 5 with at most two decimals", score)
		}
		if ok && !slices.ContainsFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == id }) {
			return nil, usage("automaton rubric show "+a.chosenRubric()+" lists the criteria", "reading gate: %q is no criterion of this rubric", id)
		}
		if _, twice := b.Bars[id]; twice {
			return nil, usage("", "reading gate: %s has two bars", id)
		}
		b.Bars[id] = n
	}
	return b, nil
}
