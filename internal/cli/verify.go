package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// verifyFlags say what a record is held against beside itself.
type verifyFlags struct {
	against string
	pdfs    []string
	key     string
}

func (a *app) verifyCommand() *cobra.Command {
	var format string
	var o verifyFlags
	c := &cobra.Command{
		Use: "verify [RECORD|COHORT]", Short: "Checks the digests, the schema and the citations of a record, or all that a cohort keeps",
		Long: recordWords + "\n\nCOHORT is the folder of a cohort: its decisions are walked from the first to the last and held against " + batch.DecisionsName +
			", its blobs and records are read, and the scores that it lists are computed again.",
		Example: "  automaton verify\n  automaton verify --key court.key.pub\n  automaton verify report.html --against https://github.com/OWNER/NAME\n  automaton verify cohort7",
		Args:    atMostOne,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && isFile(filepath.Join(a.path(args[0]), batch.FileName)) {
				if o.against != "" || len(o.pdfs) > 0 || o.key != "" {
					return usage("leave them out", "reading flags: --against, --pdf and --key are for a record")
				}
				return a.verifyCohort(c, args[0], format)
			}
			rec, raw, err := a.recordBytes(c, args)
			if err != nil {
				return err
			}
			found := append(store.Verify(rec, a.verifying(rec)), trial.Rendered(rec, raw, a.tool()))
			if o.key != "" {
				line, err := a.signed(args, raw, o.key)
				if err != nil {
					return err
				}
				found = append(found, line)
			}
			if o.against != "" {
				again, err := a.reread(c.Context(), rec, o)
				if err != nil {
					return err
				}
				found = append(found, again...)
			}
			return a.printVerified(found, format)
		},
	}
	f := c.Flags()
	f.StringVar(&o.against, "against", "", "`REPO` repository in which every quote is read again, at the recorded commit")
	f.StringArrayVar(&o.pdfs, "pdf", nil, "`FILE` document that was audited, if it is not in the repository (repeatable)")
	f.StringVar(&o.key, "key", "", "`KEY` public key of the one who signed: a file, or the key itself")
	formatFlag(c, &format, "text", "json")
	outFlag(c)
	return c
}

// verifying are the checks of a record that need more than it.
func (a *app) verifying(rec *court.Record) store.Tools {
	tools := store.Tools{Rule: trial.Replay, Rubric: func(r court.Rubric) (string, string, error) {
		return rubric.Digests(&r, trial.Catalogue(trial.Probes()))
	}}
	if rec.Origin.Tool == a.tool() {
		tools.Speak = trial.Spoken
	}
	return tools
}

// verifyCohort checks all that a cohort keeps. It may be judged meanwhile.
func (a *app) verifyCohort(c *cobra.Command, name, format string) error {
	return a.deciding(c, name, func(ctx context.Context, d *docket.Docket, h *class) error {
		found, err := h.cohort.Verify(ctx, d, h.path, a.verifying)
		if err != nil {
			return coded(exitUnexamined, err)
		}
		return a.printVerified(found, format)
	})
}

func (a *app) printVerified(found []store.Line, format string) error {
	var err error
	if format == "json" {
		err = a.printJSON(found)
	} else {
		err = a.through(func(w *lines) error {
			for _, l := range found {
				w.f("%s", hung(fmt.Sprintf("%-8s %-14s ", l.Result, l.Check), shown(l.Text), a.width()))
			}
			if !slices.ContainsFunc(found, func(l store.Line) bool { return l.Check == signatureCheck && l.Result == store.OK }) {
				w.f("A digest shows accidental changes, not forgery; only a signature does: automaton verify --key KEY.\n")
			}
			return nil
		})
	}
	if err == nil && !store.Holds(found) {
		return &failure{code: exitFailed, said: true}
	}
	return err
}

// reread opens what was audited, reads every quote again and paints the portrait
// again.
func (a *app) reread(ctx context.Context, rec *court.Record, o verifyFlags) ([]store.Line, error) {
	opened, done, err := a.reopen(ctx, rec, o)
	if err != nil {
		return nil, err
	}
	defer done()
	return []store.Line{trial.Reread(ctx, opened, rec), trial.Repainted(ctx, opened, rec)}, nil
}

// reopen opens what a record is about, at the recorded commit. The returned function closes it.
func (a *app) reopen(ctx context.Context, rec *court.Record, o verifyFlags) (*trial.Opened, func(), error) {
	at, err := a.aimAt(o.against, rec.Case.Commit, rec.Case.Path)
	if err != nil {
		return nil, nil, err
	}
	docs, err := a.audited(rec.Case, o.pdfs)
	if err != nil {
		return nil, nil, err
	}
	opened, done, err := a.secure(ctx, at, docs, nil)
	if err != nil {
		return nil, nil, err
	}
	if opened.Failure != nil {
		done()
		return nil, nil, a.unreachable(ctx, at, opened.Failure)
	}
	return opened, done, nil
}

// audited are the documents of a case: those given, and where one of the case
// lies in the repository and none was given for it, that one.
func (a *app) audited(c court.Case, given []string) ([]trial.Document, error) {
	var docs []trial.Document
	if len(given) > 0 {
		var err error
		if docs, err = a.documents(given); err != nil {
			return nil, err
		}
	}
	if len(given) == 0 || len(c.Further) > 0 {
		if pdf := c.PDF; pdf != nil && (pdf.From == "auto" || pdf.From == "tree") && c.PDFPath != "" {
			docs = append(docs, trial.Document{From: "tree", Path: c.PDFPath})
		}
		for _, d := range c.Further {
			if d.From == "tree" {
				docs = append(docs, trial.Document{From: "tree", Path: d.Path})
			}
		}
	}
	if len(docs) == 0 {
		docs = []trial.Document{{From: "none"}}
	}
	return docs, nil
}
