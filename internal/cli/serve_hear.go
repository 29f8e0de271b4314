package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// heardFolder is the folder of a cohort with the records that hearings of appeals gave, by the numbers of the appeals.
const heardFolder = "appeals"

// hearing examines an appeal from the roster's own place of the submission, one at a time, and keeps the record that it gives.
func (a *app) hearing(h *class) func(context.Context, batch.Entry, *court.Record, decision.Entry) (*court.Record, []store.Line, error) {
	var one sync.Mutex
	return func(ctx context.Context, e batch.Entry, rec *court.Record, x decision.Entry) (*court.Record, []store.Line, error) {
		one.Lock()
		defer one.Unlock()
		ctx, stop := context.WithTimeout(ctx, a.config.Duration("timeout"))
		defer stop()
		o := verifyFlags{against: h.kept(e.Target), pdfs: slices.Clone(h.cohort.Shared.PDFs)}
		if e.PDF != "" {
			o.pdfs = []string{h.kept(e.PDF)}
		}
		// what lies in the repository is named by the record
		o.pdfs = slices.DeleteFunc(o.pdfs, func(p string) bool { return p == "auto" || p == "none" || strings.HasPrefix(p, "tree:") })
		opened, done, err := a.reopen(ctx, rec, o)
		if err != nil {
			return nil, nil, err
		}
		defer done()
		var places []court.Place
		for _, text := range x.Points {
			p, err := court.ParsePlace(text)
			if err != nil {
				return nil, nil, err
			}
			places = append(places, p)
		}
		then, told, err := trial.Appealed(ctx, opened, rec, x.Criterion, places, a.jobs())
		if err != nil {
			return nil, nil, err
		}
		return then, told, a.keep(then, filepath.Join(h.path, heardFolder, fmt.Sprint(x.Seq)))
	}
}
