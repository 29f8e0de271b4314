package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// batchFlags are the flags of batch that are not settings.
type batchFlags struct {
	classFlags
	format, retry string
	cancelled     bool
	crew          crewFlags
}

func (a *app) batchCommand() *cobra.Command {
	var o batchFlags
	c := &cobra.Command{
		Use: "batch CASES", Short: "Judges a class: a roster, a folder of submissions, or an earlier cohort",
		Long: "CASES is a CSV file with a header (id and repo_url, and as wanted name, email, commit, pdf, due and answers; or an export of GitHub Classroom), a text file with one address a line, - for either on standard input, a folder with one submission in each of its folders and archives, " +
			"or the folder of an earlier cohort, which goes on where it stopped. A case that has ended is not judged again as long as nothing about it changed. " +
			"One bad submission never stops the others.",
		Example: `  automaton batch class.csv -r rubric.json --fail-under 3
  automaton batch submissions --out week2
  automaton batch week2 --retry failed
  automaton batch students.csv --repo-template 'https://github.com/ORG/week2-{username}'`,
		Args: one("CASES"),
		RunE: func(c *cobra.Command, args []string) error { return a.batch(c, args[0], o) },
	}
	f := c.Flags()
	a.classFlags(c, &o.classFlags)
	partialFlag(c, &o.audit.partial)
	formatFlag(c, &o.format, "text", "json")
	f.String("out", "", "`DIR` folder of the cohort (default the name of CASES with -cohort)")
	f.String("store", "", "`URL` Postgres database for the cohort, without a password (default a file in its folder)")
	f.BoolVar(&o.skipBad, "skip-bad", false, "judge the others where rows of the roster cannot be used")
	f.Var(choice{&o.retry, []string{"", "all", "failed", "moved", "partial"}, "value %q for --retry"}, "retry", "`WHICH` cases to judge again: failed, partial, moved (folders of this machine with another commit now) or all; only moved and all take newer commits")
	f.BoolVar(&o.cancelled, "cancel", false, "end what is open in the cohort; the same command without it goes on")
	o.crew.crew = localCrew
	f.Var(choice{&o.crew.crew, []string{localCrew, temporalCrew}, "value %q for --crew"}, "crew", "`WHO` who judges: local (this process) or temporal (the workers of a server of Temporal; needs --store) (default local)")
	f.IntVar(&o.crew.window, "window", 200, "`N` submissions to hand to the crew at once")
	queueFlags(c, &o.crew)
	f.BoolVar(&o.similarity, "similarity", false, "compare the submissions with each other: similarity.html and similarity.csv in the cohort's folder; no score changes")
	f.StringArrayVar(&o.base, "base", nil, "`DIR` repository, folder or archive with code that everybody was given, which counts for no similarity (repeatable)")
	f.StringArrayVar(&o.old, "old", nil, "`DIR` folder of an earlier cohort, whose submissions are compared with these (repeatable)")
	return c
}

// batch judges a class.
func (a *app) batch(c *cobra.Command, arg string, o batchFlags) error {
	if err := a.settle(c, "", o.audit.trust); err != nil {
		return err
	}
	defer a.announceStop(c.Context())()
	h, err := a.cohort(c, arg, o)
	if err != nil {
		return err
	}
	d, err := a.openDocket(c.Context(), h, false)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }() // what was written was committed
	s := &sitting{app: a, class: h, docket: d, flags: o.classFlags}
	if s.crew, err = a.openCrew(c.Context(), d, o.crew); err != nil {
		return err
	}
	if s.crew != nil {
		defer s.crew.engine.Close()
	}
	if o.cancelled {
		if s.crew != nil {
			if err := s.crew.engine.Cancel(c.Context(), h.cohort.ID); err != nil {
				return coded(exitUnexamined, err)
			}
		}
		if err := d.Cancel(c.Context(), h.cohort.ID); err != nil {
			return coded(exitUnexamined, err)
		}
		return s.summarize(c.Context(), o.format, nil, nil)
	}
	if err := s.begin(c.Context()); err != nil {
		return err
	}
	defer s.end()
	if err := s.enrol(c.Context(), o.retry); err != nil {
		return err
	}
	return s.judgeAll(c.Context(), o.format)
}

// openDocket opens the cohort's database, beside other processes or alone, and completes its file of decisions.
func (a *app) openDocket(ctx context.Context, h *class, beside bool) (*docket.Docket, error) {
	place := cmp.Or(h.cohort.Store, a.config.Text("store"))
	h.cohort.Store = place
	if place == "" {
		place = h.path
	}
	d, err := a.openStore(ctx, place, beside)
	if err != nil {
		return nil, err
	}
	if err := h.cohort.KeepDecisions(ctx, d, h.path); errors.Is(err, batch.ErrAltered) {
		a.warn("%s; it is left as it is", err)
	} else if err != nil {
		return nil, errors.Join(coded(exitUnexamined, err), d.Close())
	}
	return d, nil
}

// openStore opens a database: a folder's, or a server's.
func (a *app) openStore(ctx context.Context, place string, beside bool) (*docket.Docket, error) {
	d, err := docket.Open(ctx, place, docket.Setup{Now: a.Now, Ruling: trial.Ruling, Beside: beside})
	switch {
	case errors.Is(err, docket.ErrBusy):
		return nil, coded(exitUsage, err, "wait until it ends, or stop it; the cohort then goes on where it stopped")
	case errors.Is(err, docket.ErrPassword):
		return nil, coded(exitUsage, err, "PGPASSFILE or PGPASSWORD gives the password")
	case errors.Is(err, docket.ErrNetwork):
		return nil, coded(exitUsage, err, "--out names a folder on a disk of this machine, or --store a Postgres server")
	case errors.Is(err, docket.ErrNewer):
		return nil, coded(exitUsage, err, "use the newer version of automaton")
	case errors.Is(err, docket.ErrOlder):
		return nil, coded(exitUsage, err, "wait until it ends, and run the command again")
	case err != nil:
		return nil, coded(exitUnexamined, err)
	}
	return d, nil
}

// judgeAll judges what is open, and ends with the summary whatever happened.
func (s *sitting) judgeAll(ctx context.Context, format string) error {
	before, err := s.docket.Tally(ctx, s.class.cohort.ID)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	view := s.app.classView(ctx, len(s.class.cohort.Roster), before, s.local.Width)
	began := s.app.Now()
	err = s.judge(ctx, view.step)
	view.stop()
	run := &report.ClassRun{Judged: view.ended(), Kept: kept(before), Millis: s.app.Now().Sub(began).Milliseconds()}
	var alike *report.Similarity
	if err == nil {
		alike, err = s.compared(ctx)
	}
	if told := s.summarize(context.WithoutCancel(ctx), format, run, alike); err == nil {
		return told
	}
	switch {
	case ctx.Err() != nil && s.crew != nil:
		return coded(exitInterrupted, errors.New("watching the class: stopped; the crew goes on"), "automaton batch "+safetext.Shell(s.class.name)+" --crew temporal watches it again, and with --cancel ends it")
	case ctx.Err() != nil:
		return coded(exitInterrupted, errors.New("judging the class: stopped; what has ended is kept"), "automaton batch "+safetext.Shell(s.class.name)+" goes on")
	}
	return coded(exitUnexamined, err, "what has ended is kept; automaton batch "+safetext.Shell(s.class.name)+" goes on")
}

// kept is how many cases had ended before.
func kept(tally map[docket.State]int) int { return tally[docket.Done] + tally[docket.Partial] }

// summarize prints the class and gives the exit code of a batch: 2 if answers of models were to be replayed and some are not
// there, else 3 if any case could not be examined or its gate not be decided, else 1 if the gate of any failed.
func (s *sitting) summarize(ctx context.Context, format string, run *report.ClassRun, alike *report.Similarity) error {
	all, err := s.app.classOf(ctx, s.docket, s.class)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	if all.Run, all.Alike = run, alike; s.jury != nil {
		rows, err := s.docket.Rows(ctx, s.class.cohort.ID)
		if err != nil {
			return coded(exitUnexamined, err)
		}
		all.Moved = s.jury.moved(rows, s.class.cohort.Entry)
	}
	write := func(w *lines) error { return report.ClassSummary(w, all, s.app.text()) }
	if format == "json" {
		write = func(w *lines) error { return report.ClassJSON(w, all) }
	}
	if err := s.app.through(write); err != nil {
		return err
	}
	if s.jury != nil {
		if missed := s.jury.models.missed("class"); missed != nil {
			return missed
		}
	}
	partly := s.flags.audit.partial
	failed := func(c report.ClassCase) bool { return c.Gate == "fail" || partly && c.Gate == "insufficient" }
	switch {
	case run == nil:
		return nil
	case all.Tally[report.CaseFailed] > 0, all.Tally[report.CasePartial] > 0 && !partly,
		!partly && slices.ContainsFunc(all.Cases, func(c report.ClassCase) bool { return c.Gate == "insufficient" }):
		return &failure{code: exitUnexamined, said: true}
	case slices.ContainsFunc(all.Cases, failed):
		return &failure{code: exitFailed, said: true}
	}
	return nil
}

// classOf is what the docket says of a class, with the names that people know it by.
func (a *app) classOf(ctx context.Context, d *docket.Docket, h *class) (report.Class, error) {
	s, err := batch.Summary(ctx, d, h.cohort.ID)
	s.Name = h.name
	return s, err
}

// compareClasses compares two rounds of a class; done is false when the names are none of cohorts.
func (a *app) compareClasses(ctx context.Context, names []string, strict bool, format string) (done bool, err error) {
	var rounds [2]report.Class
	for i, name := range names {
		h, err := a.earlier(name)
		switch {
		case err != nil:
			return true, err
		case h == nil && i == 0:
			return false, nil
		case h == nil:
			return true, usage("give two cohorts, or two records", "comparing: %q is a cohort, and %q is none", names[0], name)
		}
		if rounds[i], err = a.readClass(ctx, h); err != nil {
			return true, err
		}
	}
	if strict || format != "text" {
		return true, usage("leave the flags out", "comparing: cohorts are compared as text, without --fail-on-regression")
	}
	return true, a.through(func(w *lines) error { return report.ClassDrift(w, rounds[0], rounds[1], a.text()) })
}

// readClass reads what the docket says of a cohort.
func (a *app) readClass(ctx context.Context, h *class) (report.Class, error) {
	d, err := a.openDocket(ctx, h, false)
	if err != nil {
		return report.Class{}, err
	}
	defer func() { _ = d.Close() }() // only read
	s, err := a.classOf(ctx, d, h)
	if err != nil {
		return s, coded(exitUnexamined, err)
	}
	return s, nil
}
