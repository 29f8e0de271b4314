package cli

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// pageName is the page of a case folder.
const pageName = "report.html"

// openFlag asks for the page in the browser.
func openFlag(c *cobra.Command, open *bool) {
	c.Flags().BoolVar(open, "open", false, "open the HTML report in the browser at the end")
}

// show opens a page in the browser, where somebody sits at a terminal. What
// comes of it changes no exit code. The browser is named by the environment
// alone: a file of the working directory must not choose what is run.
func (a *app) show(page string) {
	abs, err := filepath.Abs(page)
	if err != nil {
		a.warn("%v; open the file yourself", err)
		return
	}
	a.browse(abs)
}

// browse opens a file or an address of ours.
func (a *app) browse(at string) {
	if !isTerminal(a.stream.w) {
		a.warn("--open: standard error is not a terminal, so no browser is opened")
		return
	}
	if err := sandbox.Show(at, a.Getenv); err != nil {
		a.warn("%v; open %s yourself, or set BROWSER", err, at)
	}
}

// pageOf is the page to open for a report: one that was just written, or the
// one that lies beside the record.
func (a *app) pageOf(args []string, outs []output) (string, error) {
	for _, o := range outs {
		if o.format.Name == "html" {
			return o.path, nil
		}
	}
	const hint = "-o report.html --open writes a page and opens it"
	if len(args) == 1 && args[0] == "-" {
		return "", usage(hint, "opening the report: a record on standard input has no page")
	}
	path, err := "", error(nil)
	if len(args) == 1 {
		path = a.path(args[0])
	} else if path, err = a.latest(); err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", coded(exitUsage, err)
	case info.IsDir():
		path = filepath.Join(path, pageName)
	case filepath.Base(path) == "record.json":
		path = filepath.Join(filepath.Dir(path), pageName)
	case filepath.Ext(path) != ".html":
		return "", usage(hint, "opening the report: %q is not a page, and none belongs to it", args[0])
	}
	if info, err := os.Stat(path); errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return "", usage(hint, "opening the report: there is no %s beside the record", pageName)
	} else if err != nil {
		return "", coded(exitUsage, err)
	}
	return path, nil
}
