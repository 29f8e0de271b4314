package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
)

// errNoCases says that a folder holds neither a case nor folders of cases.
var errNoCases = errors.New("it holds no record of an audit")

// Loose makes a cohort of single audits, for who only wants to look at them: of the cases that lie in a folder, or of the one
// that a folder is. The docket is an empty one that is thrown away later.
func Loose(ctx context.Context, d *docket.Docket, folder string, now time.Time) (*Cohort, error) {
	id, err := NewID()
	if err != nil {
		return nil, err
	}
	cases, err := looseCases(folder)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", folder, err)
	}
	c := &Cohort{Schema: Schema, ID: id}
	rows := make([]docket.Submission, len(cases))
	for i, x := range cases {
		c.Roster = append(c.Roster, Entry{ID: x.name, Target: x.rec.Case.RepoURL})
		rows[i] = docket.Submission{ID: x.name, Seq: int64(i), Folder: x.name, Listed: true}
	}
	if err := errors.Join(d.Found(ctx, docket.Cohort{ID: id, Created: now, Terms: "{}"}), d.Enrol(ctx, id, rows)); err != nil {
		return nil, err
	}
	for _, x := range cases {
		if err := x.end(ctx, d, id); err != nil {
			return nil, fmt.Errorf("reading %q: %w", x.name, err)
		}
	}
	return c, nil
}

// looseCase is one case folder.
type looseCase struct {
	name string
	rec  *court.Record
	raw  []byte
}

// mostLoose is how many cases of a folder are read.
const mostLoose = 10_000

// looseCases are the cases of a folder in the order of their names. What holds no record is passed over.
func looseCases(folder string) (list []looseCase, err error) {
	one := func(path string) error {
		rec, raw, err := store.ReadBytes(path)
		if err == nil && !rec.Hypothetical {
			list = append(list, looseCase{name: filepath.Base(path), rec: rec, raw: raw})
		}
		return err
	}
	if _, err := os.Lstat(filepath.Join(folder, docket.RecordName)); err == nil {
		return list, one(folder)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	items, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if item.IsDir() && !strings.HasPrefix(item.Name(), ".") && len(list) < mostLoose {
			_ = one(filepath.Join(folder, item.Name())) // it is no case then
		}
	}
	if len(list) == 0 {
		return nil, errNoCases
	}
	return list, nil
}

// end writes the case down as one that was judged.
func (x looseCase) end(ctx context.Context, d *docket.Docket, cohort string) error {
	const holder = "loose"
	s, ok, err := d.Claim(ctx, cohort, holder, 0)
	if err != nil || !ok || s.ID != x.name {
		return errors.Join(fmt.Errorf("taking %q up: the docket gave %q", x.name, s.ID), err)
	}
	lease := docket.Lease{Cohort: cohort, ID: x.name, Holder: holder}
	key := cohort + "/" + x.name
	if _, err := d.Pin(ctx, lease, docket.Run{Key: key, URL: x.rec.Case.RepoURL, Commit: x.rec.Case.Commit, Tool: x.rec.Origin.Tool}); err != nil {
		return err
	}
	_, err = d.Finish(ctx, lease, key, docket.Result{Record: x.rec, Raw: x.raw})
	return err
}
