package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
)

func (a *app) compareCommand() *cobra.Command {
	var format string
	var strict bool
	c := &cobra.Command{
		Use: "compare OLD NEW", Short: "Shows what changed between two records, or two rounds of a class",
		Long:    "OLD and NEW are case folders, record.json files or report.html files, or the folders of two cohorts.",
		Example: "  automaton compare before/record.json automaton-out/OWNER__NAME-1234567\n  automaton compare main.json head.json --fail-on-regression -f md",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("give a case folder, a record.json or a report.html for each", "reading arguments: OLD and NEW are needed, and %s given", count(len(args), "argument"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			if done, err := a.compareClasses(c.Context(), args, strict, format); done {
				return err
			}
			var sides [2]*court.Record
			for i, name := range args {
				var err error
				if sides[i], _, err = a.named(name); err != nil {
					return err
				}
			}
			found := report.Compare(sides[0], sides[1])
			if err := a.printComparison(found, format); err != nil {
				return err
			}
			if strict && found.Regressed {
				return coded(exitFailed, errors.New("comparing: a score fell (--fail-on-regression)"))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&strict, "fail-on-regression", false, "exit 1 if the total or the score of a criterion fell")
	formatFlag(c, &format, "text", "md", "json", "html")
	return c
}

func (a *app) printComparison(c report.Comparison, format string) error {
	switch format {
	case "json":
		return a.printJSON(c)
	case "md":
		return a.through(func(w *lines) error { return report.MarkdownComparison(w, c) })
	case "html":
		return a.through(func(w *lines) error { return report.HTMLComparison(w, c, nil) })
	}
	return a.through(func(w *lines) error { return report.WriteComparison(w, c, a.text()) })
}
