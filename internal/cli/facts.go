package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// factsFlags are the flags of facts that are not settings.
type factsFlags struct {
	pdf, commit, folder, format, out string
	trust                            bool
}

func (a *app) factsCommand() *cobra.Command {
	var o factsFlags
	c := &cobra.Command{
		Use: "facts REPO", Short: "Lists the facts about a repository and its document, without rubric, opinion or score",
		Example: "  automaton facts .\n  automaton facts OWNER/NAME -f md\n  automaton facts . --pdf report.pdf -o facts.json",
		Args:    one("REPO"),
		RunE:    func(c *cobra.Command, args []string) error { return a.facts(c, args[0], o) },
	}
	f := c.Flags()
	pdfFlag(c, &o.pdf)
	commitFlag(c, &o.commit)
	folderFlag(c, &o.folder)
	formatFlag(c, &o.format, "json", "md")
	f.StringVarP(&o.out, "output", "o", "", "`FILE` file to write instead of standard output")
	f.BoolVar(&o.trust, "trust-tree", false, "read configuration even from inside the audited tree")
	ocrFlag(c)
	a.repoFlags(c)
	return c
}

func (a *app) facts(c *cobra.Command, arg string, o factsFlags) error {
	at, err := a.aimAt(arg, o.commit, o.folder)
	if err != nil {
		return err
	}
	if err := a.settle(c, at.local, o.trust); err != nil {
		return err
	}
	doc, err := a.document(o.pdf)
	if err != nil {
		return err
	}
	steps := a.watch(c.Context(), "facts")
	defer steps.stop()
	steps.fetching(at.raw)
	opened, done, err := a.secure(c.Context(), at, []trial.Document{doc}, nil)
	if err != nil {
		return err
	}
	defer done()
	if opened.Failure != nil {
		return a.unreachable(c.Context(), at, opened.Failure)
	}
	steps.fetched(opened.Case)
	steps.begin("facts", "the code, its history and the document")
	sheet, faults := probe.Draw(c.Context(), opened.Scene, trial.Sections())
	steps.stop()
	if err := c.Context().Err(); err != nil {
		return fmt.Errorf("drawing the fact sheet: %w", err)
	}
	for _, f := range slices.Concat(opened.Faults, opened.LeftOut(), faults) {
		if opened.Case.Snapshot == "" || !strings.HasSuffix(f.Reason, opened.Case.Snapshot) { // that was noted
			a.warn("%s: %s: %s", f.Stage, f.Subject, f.Reason)
		}
	}
	a.hintOCR(c.Context(), opened)
	return a.printSheet(sheet, o.format, o.out)
}

// repoFlags are flags of every command that opens a repository. Their values
// are read through the configuration.
func (a *app) repoFlags(c *cobra.Command) {
	c.Flags().Int("jobs", 0, "`N` number of jobs at once (default one for each CPU); never changes a result")
	c.Flags().StringSlice("allow-host", nil, "`HOST` further host that may be fetched from (repeatable)")
	c.Flags().Bool("require-sandbox", false, "refuse to run if a layer of the sandbox is missing")
}

// commitFlag is of every command that opens a repository.
func commitFlag(c *cobra.Command, value *string) {
	c.Flags().StringVar(value, "commit", "", "`REV` branch, tag or commit to examine (default HEAD)")
}

// pdfFlag is of every command that looks into one document.
func pdfFlag(c *cobra.Command, value *string) {
	c.Flags().StringVar(value, "pdf", "auto", "`FILE` document of the submission: a PDF, DOCX, HTML or Markdown file, its https address, tree:PATH for one in the commit, auto or none")
}

// outFlag is of every command that writes or looks for case folders.
func outFlag(c *cobra.Command) {
	c.Flags().String("out", "", "`DIR` folder that holds the case folders (default automaton-out)")
}

// folderFlag is of every command that opens a repository.
func folderFlag(c *cobra.Command, value *string) {
	c.Flags().StringVar(value, "path", "", "`DIR` folder of the repository to examine alone: its files, and the commits that changed them")
}

// ocrFlag is of every command that looks into the document.
func ocrFlag(c *cobra.Command) {
	c.Flags().Bool("ocr", false, "read text in pictures of the document with tesseract: scanned pages, labels of figures")
}

func (a *app) printSheet(sheet *probe.Sheet, format, out string) error {
	raw, err := sheet.JSON()
	if err != nil {
		return err
	}
	if format == "md" {
		if raw, err = sheetTable(sheet, raw); err != nil {
			return err
		}
	}
	if out == "" || out == "-" {
		return a.print(raw)
	}
	if err := store.WriteFile(a.path(out), a.hide(raw)); err != nil {
		return coded(exitUnexamined, err)
	}
	return nil
}

// one is the rule for commands with exactly one argument.
func one(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usage(c.CommandPath()+" --help shows how", "reading arguments: %s is missing", name)
		case len(args) > 1:
			return usage(c.CommandPath()+" --help shows how", "reading arguments: %q is one argument too many", args[1])
		}
		return nil
	}
}

// atMostOne is the rule for commands whose argument may be left out.
func atMostOne(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage(c.CommandPath()+" --help shows how", "reading arguments: %q is one argument too many", args[1])
	}
	return nil
}
