package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/similar"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// similarityPage is the page of a cohort that shows what its submissions have in common.
const similarityPage = "similarity.html"

// keepSimilarity is what the submissions of a cohort are compared with: what the command line names, or an earlier run did.
func (a *app) keepSimilarity(h *class, was *batch.Similarity, o classFlags) error {
	if was == nil && !o.similarity && len(o.base)+len(o.old) == 0 {
		return nil
	}
	for _, name := range o.old {
		if _, err := a.oldCohort(name); err != nil {
			return err
		}
	}
	s := &batch.Similarity{}
	if was != nil {
		*s = *was
	}
	if len(o.base) > 0 {
		s.Base = a.absolutes(o.base)
	}
	if len(o.old) > 0 {
		s.Old = a.absolutes(o.old)
	}
	h.cohort.Shared.Similarity = s
	return nil
}

func (a *app) oldCohort(name string) (*class, error) {
	h, err := a.earlier(name)
	if err == nil && h == nil {
		err = usage("--old names the folder of an earlier cohort", "reading flags: --old %q holds no cohort", name)
	}
	return h, err
}

// absolutes are files' paths for runs from elsewhere.
func (a *app) absolutes(names []string) (list []string) {
	for _, name := range names {
		list = append(list, a.absolute(name))
	}
	return list
}

// prints takes the prints of what everybody was given, before anything is judged: what cannot be read is told at once.
func (j *jury) prints(ctx context.Context, s *batch.Similarity) (list []*similar.Prints, err error) {
	if s == nil {
		return nil, nil
	}
	for _, name := range s.Base {
		at, err := j.app.aimAt(name, "", "")
		if err != nil {
			return nil, err
		}
		target, err := at.parse(j.app.hosts())
		if err != nil {
			return nil, err
		}
		p, err := j.court.Prints(ctx, trial.Submission{Target: target, Document: trial.Document{From: "none"}, Jobs: j.app.jobs()})
		if err != nil {
			return nil, coded(exitUsage, fmt.Errorf("reading --base %s: %w", shown(name), err), "--base names a repository, a folder or an archive with the code that everybody was given")
		}
		list = append(list, p)
	}
	return list, nil
}

// compared compares the submissions of the class with each other and with those of earlier cohorts, and writes the page and
// the table into its folder, where that was asked for.
func (s *sitting) compared(ctx context.Context) (*report.Similarity, error) {
	a, h, with := s.app, s.class, s.class.cohort.Shared.Similarity
	if with == nil {
		return nil, nil
	}
	list := []batch.Compared{{Docket: s.docket, Cohort: h.cohort.ID}}
	for _, name := range with.Old {
		old, err := a.oldCohort(name)
		if err != nil {
			return nil, err
		}
		its, err := a.openDocket(ctx, old, false)
		if err != nil {
			return nil, err
		}
		defer func() { _ = its.Close() }() // only read
		list = append(list, batch.Compared{Docket: its, Cohort: old.cohort.ID, Prefix: filepath.Base(name) + "/", Old: true})
	}
	alike, err := batch.Alike(ctx, list, s.jury.given)
	if err != nil {
		return nil, coded(exitUnexamined, err)
	}
	for name, write := range map[string]func(io.Writer) error{similarityPage: alike.Page, "similarity.csv": alike.CSV} {
		var b bytes.Buffer
		err := write(&b)
		if err == nil {
			err = store.WriteFile(filepath.Join(h.path, name), b.Bytes())
		}
		if err != nil {
			return nil, coded(exitUnexamined, err)
		}
	}
	return alike, nil
}
