package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
)

// classFlags are the flags of what judges a class that are not settings.
type classFlags struct {
	audit      auditFlags
	template   string
	columns    []string
	skipBad    bool
	memory     string
	perHost    int
	similarity bool
	base, old  []string
	hook       hookFlags
}

// classFlags are those that batch and serve have in common.
func (a *app) classFlags(c *cobra.Command, o *classFlags) {
	f := c.Flags()
	a.judgingFlags(c, &o.audit)
	f.StringArrayVar(&o.columns, "map", nil, "`FIELD=COLUMN` column of the roster that has a field: id, name, email, repo_url, commit, pdf, due or answers (repeatable)")
	f.StringVar(&o.template, "repo-template", "", "`ADDRESS` address of every repository, with {COLUMN} for what the roster has there")
	f.StringVar(&o.memory, "memory", "", "`SIZE` memory that cases may use together, as 4G or 800M (default three quarters of this machine's, less 512 MiB)")
	f.StringVar(&o.hook.url, "hook", "", "`URL` address that is told, by a signed POST, when a case and when the class has ended")
	f.StringVar(&o.hook.secret, "hook-secret", "", "`FILE` secret that signs what --hook is told")
	f.IntVar(&o.perHost, "fetches-per-host", 4, "`N` submissions to fetch from one host at once")
}

// sitting is a class with all that it is judged with: what batch and serve have in common.
type sitting struct {
	app    *app
	class  *class
	docket *docket.Docket
	flags  classFlags

	jury  *jury // nil: it has not begun
	local *batch.Local
	crew  *crew // nil: this process judges
	shelf *store.Shelf
	told  *hook // nil: nobody is told what ended
	watch func(batch.Step)
}

// begin prepares all that can be refused before anything is fetched.
func (s *sitting) begin(ctx context.Context) error {
	memory, err := memoryOf(s.flags.memory)
	if err != nil {
		return err
	}
	told, err := s.app.hook(s.flags.hook)
	if err != nil {
		return err
	}
	j, err := s.app.jury(ctx, s.class, s.flags)
	if err != nil {
		return err
	}
	if s.shelf, err = store.Open(filepath.Join(s.class.path, batch.CasesName)); err != nil {
		s.app.closed(j.models)
		return coded(exitUnexamined, err)
	}
	width := batch.Width(s.app.jobs(), memory)
	j.court.Jobs = max(1, s.app.jobs()/width)
	s.jury, s.told = j, told
	s.local = &batch.Local{Docket: s.docket, Cases: s.shelf, Cohort: s.class.cohort.ID, Entry: s.class.cohort.Entry, Court: j.court, Width: width,
		PerHost: s.flags.perHost, Watch: s.step, Now: s.app.Now}
	if told != nil {
		go told.run(context.WithoutCancel(ctx))
	}
	return nil
}

// end closes what begin opened, when the hook was told all.
func (s *sitting) end() {
	if s.told != nil {
		s.told.close()
	}
	_ = s.shelf.Close() // nothing is buffered in it
	s.app.closed(s.jury.models)
}

// enrol writes the cohort and its roster down, and opens what is to be judged again.
func (s *sitting) enrol(ctx context.Context, retry string) error {
	d, h, j := s.docket, s.class, s.jury
	known := j.court.Cohort(h.cohort.ID)
	h.cohort.Tool = s.app.tool()
	rows := j.rows(h.cohort.Roster)
	err := errors.Join(h.cohort.Write(h.path), d.Found(ctx, known))
	if err == nil && s.crew != nil {
		err = s.publish(ctx, rows)
	}
	if err == nil {
		err = d.Enrol(ctx, h.cohort.ID, rows)
	}
	if err == nil && h.cohort.Store == "" {
		err = d.Orphan(ctx, h.cohort.ID) // the folder is locked: nobody else works here
	} else if err == nil {
		err = d.Expire(ctx, h.cohort.ID)
	}
	again := []docket.State{docket.Cancelled}
	switch retry {
	case "failed":
		again = append(again, docket.Failed)
	case "partial":
		again = append(again, docket.Partial)
	case "all":
		again = append(again, docket.Failed, docket.Partial, docket.Done)
	}
	if err == nil {
		err = d.Reopen(ctx, h.cohort.ID, retry == "all", again...)
	}
	if err == nil && retry == "moved" {
		var rows []docket.Row
		if rows, err = d.Rows(ctx, h.cohort.ID); err == nil {
			err = d.Again(ctx, h.cohort.ID, true, j.moved(rows, h.cohort.Entry)...)
		}
	}
	if err == nil {
		err = batch.Restore(ctx, d, s.shelf, h.cohort.ID)
	}
	if err != nil {
		return coded(exitUnexamined, err)
	}
	return nil
}

// judge judges what is open until nothing is.
func (s *sitting) judge(ctx context.Context, watch func(batch.Step)) error {
	s.watch = watch
	if err := s.shelf.Room(expectedSize); err != nil {
		return err
	}
	var err error
	if s.crew == nil {
		err = s.local.Run(ctx)
	} else if err = s.crew.run(ctx, s.class.cohort.ID, s.step); err == nil {
		err = batch.Restore(ctx, s.docket, s.shelf, s.class.cohort.ID)
	}
	if err == nil && s.told != nil {
		s.told.add(hookMessage{Kind: "cohort.end", Cohort: s.class.cohort.ID})
	}
	return err
}

// step tells who watches, and the hook.
func (s *sitting) step(x batch.Step) {
	s.watch(x)
	if s.told != nil {
		s.told.step(s.class.cohort.ID, x)
	}
}
