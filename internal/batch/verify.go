package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
)

// checked collects what was found wrong of one kind.
type checked struct {
	what string
	bad  []string
	n    int
}

func (k *checked) wrong(format string, a ...any) {
	k.bad = append(k.bad, court.Clean(fmt.Sprintf(format, a...), 200))
}

// mostWrong is how many things a line names.
const mostWrong = 5

func (k *checked) line(ok string) store.Line {
	if len(k.bad) == 0 {
		return store.Line{Check: k.what, Result: store.OK, Text: ok}
	}
	text := strings.Join(k.bad[:min(len(k.bad), mostWrong)], "; ")
	if more := len(k.bad) - mostWrong; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return store.Line{Check: k.what, Result: store.No, Text: text}
}

// Verify checks what a cohort keeps: that the decisions are one chain and the file has the same, that every blob is what its
// digest says, that every record holds, that its copy in the folder is it, and that the scores which are listed are those that
// the court makes of record and decisions. tools are for the checks of one record.
func (c *Cohort) Verify(ctx context.Context, d *docket.Docket, folder string, tools func(*court.Record) store.Tools) ([]store.Line, error) {
	rows, err := d.Rows(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	list, err := d.Decisions(ctx, c.ID, "")
	if err != nil {
		return nil, err
	}
	all, err := d.Marks(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	marks := map[string][]docket.Mark{}
	for _, m := range all {
		marks[m.Submission] = append(marks[m.Submission], m)
	}
	found := []store.Line{chainLine(list), fileLine(filepath.Join(folder, DecisionsName), list)}
	blobs, records, copies, scores := checked{what: "blobs"}, checked{what: "records"}, checked{what: "copies"}, checked{what: "scores"}
	for _, r := range rows {
		if r.Record == "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("verifying the cohort: %w", err)
		}
		whole, err := blobs.blobsOf(ctx, d, r)
		if err != nil {
			return nil, err
		}
		if !whole {
			continue
		}
		rec, stands, err := c.Standing(ctx, d, r)
		if err != nil {
			records.wrong("%s: %v", r.ID, err)
			continue
		}
		records.n++
		for _, l := range store.Verify(rec, tools(rec)) {
			if l.Result == store.No {
				records.wrong("%s: %s: %s", r.ID, l.Check, l.Text)
			}
		}
		scores.scoreOf(r, marks[r.ID], stands)
		if c.Store == "" && (r.State == docket.Done || r.State == docket.Partial) {
			copies.copyOf(folder, r)
		}
	}
	found = append(found, blobs.line(fmt.Sprintf("files that are what their digests say: %d", blobs.n)),
		records.line(fmt.Sprintf("records whose content, citations and verdict hold: %d", records.n)))
	if c.Store != "" {
		found = append(found, store.Line{Check: copies.what, Result: store.Skipped, Text: "the records are in the database alone"})
	} else {
		found = append(found, copies.line(fmt.Sprintf("records in %s that are those of the database: %d", CasesName, copies.n)))
	}
	return append(found, scores.line(fmt.Sprintf("totals that follow from record and decisions: %d", scores.n))), nil
}

// chainLine says whether the decisions are one chain.
func chainLine(list []decision.Entry) store.Line {
	k := checked{what: "decisions"}
	if err := decision.Verify(list); err != nil {
		k.wrong("the chain breaks: %v", err)
	}
	return k.line(court.Count(len(list), "decision") + ", each with the hash of the one before it")
}

// fileLine holds the file of decisions against the database.
func fileLine(path string, list []decision.Entry) store.Line {
	k := checked{what: "decisions file"}
	raw, err := os.ReadFile(path)
	if err != nil && (!errors.Is(err, fs.ErrNotExist) || len(list) > 0) {
		k.wrong("%s cannot be read", DecisionsName)
		return k.line("")
	}
	all, err := lines(list)
	if err != nil {
		k.wrong("%v", err)
		return k.line("")
	}
	has, want := bytes.SplitAfter(raw, []byte("\n")), bytes.SplitAfter(all, []byte("\n"))
	for i := range max(len(has), len(want)) {
		switch {
		case i >= len(has) || i < len(want) && len(has[i]) == 0 && len(want[i]) > 0:
			k.wrong("%s ends before decision %d", DecisionsName, i+1)
		case i >= len(want) || len(want[i]) == 0 && len(has[i]) > 0:
			k.wrong("%s has a line %d, and the database has no decision %d", DecisionsName, i+1, i+1)
		case !bytes.Equal(has[i], want[i]):
			k.wrong("line %d of %s is not decision %d of the database", i+1, DecisionsName, i+1)
		default:
			continue
		}
		break
	}
	return k.line(DecisionsName + " is what the database has")
}

// blobsOf reads everything that the run of a row left; whole is false when something of it is missing or damaged.
func (k *checked) blobsOf(ctx context.Context, d *docket.Docket, r docket.Row) (whole bool, err error) {
	files, err := d.Files(ctx, r.Run)
	if err != nil {
		return false, err
	}
	before := len(k.bad)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch _, err := d.Blob(ctx, files[name]); {
		case errors.Is(err, docket.ErrUnknown):
			k.wrong("%s: %s is missing or damaged", r.ID, name)
		case err != nil:
			return false, err
		default:
			k.n++
		}
	}
	return len(k.bad) == before, nil
}

// copyOf holds the record in a case folder against the database.
func (k *checked) copyOf(folder string, r docket.Row) {
	raw, err := os.ReadFile(filepath.Join(folder, CasesName, r.Folder, docket.RecordName))
	switch {
	case err != nil:
		k.wrong("%s: the record is not there; the next automaton batch writes it", r.ID)
	case docket.Digest(raw) != r.Record:
		k.wrong("%s: it is another record; the next automaton batch writes it anew", r.ID)
	default:
		k.n++
	}
}

// scoreOf holds the scores that are listed against what the court makes of the case.
func (k *checked) scoreOf(r docket.Row, marks []docket.Mark, stands *court.Record) {
	var total *court.Fixed
	if v := stands.Verdict; v != nil && !v.Overall.Unscored {
		total = &v.Overall.Exact
	}
	if (total == nil) != (r.Overall == nil) || total != nil && *total != *r.Overall {
		k.wrong("%s: another total is listed than record and decisions give", r.ID)
		return
	}
	for _, m := range marks {
		counts := stands.Counts(m.Criterion)
		if m.Human != (stands.Case.Answer(m.Criterion) != nil) || m.Exact != nil && counts != nil && *m.Exact != *counts {
			k.wrong("%s: another score of %s is listed than record and decisions give", r.ID, m.Criterion)
			return
		}
	}
	k.n++
}
