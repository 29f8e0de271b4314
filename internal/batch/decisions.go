package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// DecisionsName is the file of a cohort's folder with what people decided, a decision a line. The docket has the same.
const DecisionsName = "decisions.jsonl"

// ErrAltered says that the file of decisions holds something else than the docket.
var ErrAltered = errors.New(DecisionsName + " holds something else than the database")

// Decide writes decisions on submissions of the cohort down, all or none, and then into the file of the cohort's folder. When
// only the file could not be written, the decisions are given together with the error: they hold, and the file is completed
// when the folder is opened again.
func (c *Cohort) Decide(ctx context.Context, d *docket.Docket, folder string, seen map[string]int64, entries ...decision.Entry) ([]decision.Entry, error) {
	kept, err := d.Decide(ctx, c.ID, seen, entries...)
	if err != nil {
		return nil, err
	}
	return kept, c.KeepDecisions(context.WithoutCancel(ctx), d, folder)
}

// KeepDecisions appends what the file of decisions lacks: a process may have ended between the docket and the disk. The error
// wraps ErrAltered when it holds something else; then it is left as it is.
func (c *Cohort) KeepDecisions(ctx context.Context, d *docket.Docket, folder string) (err error) {
	path := filepath.Join(folder, DecisionsName)
	info, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("keeping decisions: %q is not a file of ours", DecisionsName)
	}
	list, err := d.Decisions(ctx, c.ID, "")
	if err != nil || len(list) == 0 && info == nil {
		return err
	}
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockEvery); err != nil {
		return fmt.Errorf("keeping decisions: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	// another process may have appended what was decided since
	if list, err = d.Decisions(ctx, c.ID, ""); err != nil {
		return err
	}
	if err := complete(path, list); err != nil {
		return fmt.Errorf("keeping decisions: %w", err)
	}
	return nil
}

// lockEvery is how often a process that waits for the file looks again.
const lockEvery = 20 * time.Millisecond

// complete appends to a file those of all decisions that it lacks. A line that was cut off is written anew.
func complete(path string, list []decision.Entry) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	all, err := lines(list)
	if err != nil {
		return err
	}
	has, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	whole := has[:bytes.LastIndexByte(has, '\n')+1]
	if !bytes.HasPrefix(all, whole) {
		return ErrAltered
	}
	if len(has) == len(all) && len(whole) == len(all) {
		return nil
	}
	if _, err := f.WriteAt(all[len(whole):], int64(len(whole))); err != nil {
		return err
	}
	return errors.Join(f.Truncate(int64(len(all))), f.Sync())
}

// lines are decisions as the file has them.
func lines(list []decision.Entry) ([]byte, error) {
	var b bytes.Buffer
	for _, e := range list {
		line, err := court.Canonical(e)
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes(), nil
}

// WriteDecisions writes all decisions of the cohort, one a line.
func (c *Cohort) WriteDecisions(ctx context.Context, d *docket.Docket, w io.Writer) error {
	list, err := d.Decisions(ctx, c.ID, "")
	if err != nil {
		return err
	}
	raw, err := lines(list)
	if err == nil {
		_, err = w.Write(raw)
	}
	return err
}

// Standing is the record of a submission, and what stands of it: the record with the decisions on it, its verdict, gate and
// remedies by the same court. The two are one where nobody decided anything that a score rests on.
func (c *Cohort) Standing(ctx context.Context, d *docket.Docket, row docket.Row) (rec, stands *court.Record, err error) {
	if rec, err = recordOf(ctx, d, row.Record); err != nil || row.Human == 0 || rec.Verdict == nil {
		return rec, rec, err
	}
	list, err := d.Decisions(ctx, c.ID, row.ID)
	if err != nil {
		return nil, nil, err
	}
	applied := decision.Apply(rec, list)
	stands, err = trial.Ruling(applied)
	if err == nil {
		var then *court.Record
		if then, err = trial.WhatIf(ctx, applied, trial.Change{}); err == nil {
			stands.Remedies, stands.Stakes, stands.Parent = then.Remedies, then.Stakes, rec.Digest
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("ruling with the decisions: %w", err)
	}
	stands.Seal()
	return rec, stands, nil
}
