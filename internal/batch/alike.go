package batch

import (
	"context"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/similar"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// The names of what a run keeps for comparing submissions.
const (
	printsName  = "prints"
	sourcesName = "sources"
)

// Cohorts that are compared: the docket that has one, its id, and what its submissions are called by.
type Compared struct {
	Docket *docket.Docket
	Cohort string
	Prefix string // before each id
	Old    bool   // of an earlier round: its submissions are compared with new ones only
}

// Alike compares the submissions of cohorts by the prints that their runs kept. What the base has counts for nobody.
// Submissions whose runs kept no prints are named as not read.
func Alike(ctx context.Context, cohorts []Compared, base []*similar.Prints) (*report.Similarity, error) {
	var list []similar.Submission
	for _, c := range cohorts {
		rows, err := c.Docket.Rows(ctx, c.Cohort)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if !r.Listed || r.State != docket.Done && r.State != docket.Partial {
				continue
			}
			s, err := c.submission(ctx, r)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return similar.Compare(list, base)
}

func (c Compared) submission(ctx context.Context, r docket.Row) (s similar.Submission, err error) {
	files, err := c.Docket.Files(ctx, r.Run)
	if err != nil {
		return s, err
	}
	s = similar.Submission{ID: c.Prefix + r.ID, Old: c.Old, Prints: func() (*similar.Prints, error) { return &similar.Prints{Unread: 1}, nil }}
	if digest := files[printsName]; digest != "" {
		s.Prints = func() (*similar.Prints, error) {
			raw, err := c.Docket.Blob(ctx, digest)
			if err != nil {
				return nil, err
			}
			return similar.Decode(raw)
		}
	}
	if digest := files[sourcesName]; digest != "" {
		s.Sources = func() (similar.Sources, error) {
			raw, err := c.Docket.Blob(ctx, digest)
			if err != nil {
				return nil, err
			}
			return similar.ReadSources(raw)
		}
	}
	return s, nil
}

// Forget removes the texts that runs of the cohort kept to be shown: where submissions have something in common, and where a record
// cites them. It says how many runs had some.
func (c *Cohort) Forget(ctx context.Context, d *docket.Docket) (n int64, err error) {
	for _, name := range []string{sourcesName, citedName} {
		had, err := d.Forget(ctx, c.ID, name)
		if err != nil {
			return 0, err
		}
		n = max(n, had)
	}
	return n, nil
}

// Prints are those of a submission that is not judged: what everybody was given.
func (c *Court) Prints(ctx context.Context, sub trial.Submission) (*similar.Prints, error) {
	box, err := c.Box(sub.Target.Host)
	if err != nil {
		return nil, err
	}
	defer func() { _ = box.Close() }() // what it held was read
	opened, err := trial.Open(ctx, box, sub)
	if err == nil {
		err = opened.Failure
	}
	if err != nil {
		return nil, fmt.Errorf("opening what everybody was given: %w", err)
	}
	return similar.Take(ctx, opened.Scene)
}

// alike takes what other submissions are compared with. What it cannot take is missing, and the comparison says so.
func (c *Court) alike(ctx context.Context, scene *probe.Scene) map[string][]byte {
	files := map[string][]byte{}
	p, err := similar.Take(ctx, scene)
	if err != nil {
		return files
	}
	files[printsName] = p.Encode()
	if !c.Sources {
		return files
	}
	if raw, err := similar.TakeSources(ctx, scene); err == nil {
		files[sourcesName] = raw
	}
	return files
}
