package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
)

// publishFlags are the flags of publish.
type publishFlags struct {
	ids        []string
	clear, all bool
	by         string
}

func (a *app) publishCommand() *cobra.Command {
	var o publishFlags
	c := &cobra.Command{
		Use: "publish COHORT", Short: "Publishes scores of a class: what a link shows, and what --published-only writes",
		Long: "Scores are drafts until they are published. The decision is kept with name and time for each case, and automaton undo takes it back. " +
			"When another score stands later, that one is a draft again.",
		Example: "  automaton publish week2 --clear --by a.tutor\n  automaton publish week2 --case ada --case bob --by a.tutor",
		Args:    one("COHORT"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.deciding(c, args[0], func(ctx context.Context, d *docket.Docket, h *class) error { return a.publishScores(ctx, d, h, o) })
		},
	}
	f := c.Flags()
	f.StringArrayVar(&o.ids, "case", nil, "`ID` submission in the cohort (repeatable)")
	f.BoolVar(&o.clear, "clear", false, "publish all drafts that nobody needs to look at")
	f.BoolVar(&o.all, "all", false, "publish all drafts")
	f.StringVar(&o.by, "by", "", "`NAME` name of the one who publishes")
	c.MarkFlagsMutuallyExclusive("case", "clear", "all")
	c.MarkFlagsOneRequired("case", "clear", "all")
	return c
}

// deciding opens a cohort, which may be judged meanwhile, for decisions and for who reads them.
func (a *app) deciding(c *cobra.Command, name string, act func(ctx context.Context, d *docket.Docket, h *class) error) (err error) {
	if err := a.settle(c, "", false); err != nil {
		return err
	}
	h, err := a.earlier(name)
	if err != nil {
		return err
	}
	if h == nil {
		return usage("automaton batch CASES makes one", "deciding: %q is not the folder of a cohort", name)
	}
	d, err := a.openDocket(c.Context(), h, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return act(c.Context(), d, h)
}

// decide writes decisions down. What could be written to the database alone is told, and holds.
func (a *app) decide(ctx context.Context, d *docket.Docket, h *class, seen map[string]int64, entries ...decision.Entry) ([]decision.Entry, error) {
	kept, err := h.cohort.Decide(ctx, d, h.path, seen, entries...)
	switch {
	case errors.Is(err, docket.ErrConflict):
		return nil, coded(exitUnexamined, err, "automaton report "+h.name+" -f decisions shows what was decided")
	case err != nil && kept != nil:
		a.warn("%v", err)
	case err != nil:
		return nil, coded(exitUsage, err)
	}
	return kept, nil
}

func (a *app) publishScores(ctx context.Context, d *docket.Docket, h *class, o publishFlags) error {
	rows, err := d.Rows(ctx, h.cohort.ID)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	if len(o.ids) > 0 {
		if rows, err = rowsNamed(rows, o.ids); err != nil {
			return err
		}
	}
	var list []decision.Entry
	seen := map[string]int64{}
	for _, r := range rows {
		if !r.Draft() || o.clear && len(r.Needs) > 0 {
			continue
		}
		list, seen[r.ID] = append(list, decision.Entry{By: o.by, Kind: decision.Publish, Submission: r.ID}), r.Seq
	}
	if len(list) == 0 {
		return a.print([]byte("No score was published: none of them is a draft.\n"))
	}
	if len(list) > 1 {
		for i := range list {
			list[i].Group = decision.Together(a.Now())
		}
	}
	kept, err := a.decide(ctx, d, h, seen, list...)
	if err != nil {
		return err
	}
	return a.through(func(w *lines) error {
		for _, e := range kept {
			w.f("decision %d  publish by %s on %s, %s\n", e.Seq, shown(e.By), shown(e.Submission), scoreOf(e.To))
		}
		return nil
	})
}

// rowsNamed are the rows of submissions, each once.
func rowsNamed(rows []docket.Row, ids []string) (list []docket.Row, err error) {
	had := map[string]bool{}
	for _, id := range ids {
		r, err := rowIn(rows, id)
		if err != nil {
			return nil, err
		}
		if !had[r.ID] {
			had[r.ID], list = true, append(list, r)
		}
	}
	return list, nil
}

func (a *app) undoCommand() *cobra.Command {
	var reason, by string
	c := &cobra.Command{
		Use: "undo COHORT NUMBER", Short: "Takes a decision back, by its number",
		Long: "The decision stays in the log, and so does the undoing of it, with name, time and reason; what stood before stands again. " +
			"The number is the seq that automaton report COHORT -f decisions prints, and that the page Log has. An undo can be undone.",
		Example: "  automaton undo week2 12 --reason 'That was the wrong case.' --by a.tutor",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("automaton undo COHORT NUMBER", "reading arguments: give the folder of a cohort and the number of a decision")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			n, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil || n < 1 {
				return usage("automaton report COHORT -f decisions lists them as seq", "reading arguments: %q is not the number of a decision", args[1])
			}
			return a.deciding(c, args[0], func(ctx context.Context, d *docket.Docket, h *class) error {
				return a.undo(ctx, d, h, decision.Entry{By: by, Kind: decision.Undo, Undoes: n, Reason: reason})
			})
		},
	}
	f := c.Flags()
	f.StringVar(&reason, "reason", "", fmt.Sprintf("`TEXT` reason, of at least %d characters", decision.LeastReason))
	f.StringVar(&by, "by", "", "`NAME` name of the one who decides")
	return c
}

func (a *app) undo(ctx context.Context, d *docket.Docket, h *class, e decision.Entry) error {
	list, err := d.Decisions(ctx, h.cohort.ID, "")
	if err != nil {
		return coded(exitUnexamined, err)
	}
	for _, x := range list {
		if x.Seq == e.Undoes {
			e.Submission = x.Submission
		}
	}
	if e.Submission == "" {
		return usage("automaton report "+h.name+" -f decisions lists them as seq", "deciding: the cohort has no decision %d", e.Undoes)
	}
	row, err := a.rowNamed(ctx, d, h, e.Submission)
	if err != nil {
		return err
	}
	kept, err := a.decide(ctx, d, h, map[string]int64{row.ID: row.Seq}, e)
	if err != nil {
		return err
	}
	if row, err = a.rowNamed(ctx, d, h, e.Submission); err != nil {
		return err
	}
	return a.through(func(w *lines) error {
		w.f("decision %d  undo of %d by %s on %s\n", kept[0].Seq, e.Undoes, shown(e.By), shown(e.Submission))
		w.f("  total      %s\n", scoreOf(row.Overall))
		return nil
	})
}
