package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// class is a cohort in its folder.
type class struct {
	cohort *batch.Cohort
	path   string // of the folder
	name   string // of the folder, as its user gave it
	roster string // what the roster was read from
	// scratch is a folder that is removed at the end; empty: there is none.
	scratch string
}

// earlier is the cohort of a folder; nil when it holds none.
func (a *app) earlier(name string) (*class, error) {
	path := a.path(name)
	if !isFolder(path) {
		return nil, nil
	}
	c, err := batch.ReadCohort(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, coded(exitUsage, err)
	}
	return &class{cohort: c, path: path, name: name, roster: name}, nil
}

// cohort finds or begins the cohort that CASES names, with the settings that it was begun with where the command line has
// no others.
func (a *app) cohort(c *cobra.Command, arg string, o batchFlags) (*class, error) {
	h, err := a.earlier(arg)
	if err != nil {
		return nil, err
	}
	var roster []batch.Entry
	if h == nil {
		if roster, err = a.roster(arg, o.classFlags); err != nil {
			return nil, err
		}
		if h, err = a.cohortFor(c, arg); err != nil {
			return nil, err
		}
	} else if c.Flags().Changed("out") {
		return nil, usage("leave --out out: a cohort stays in its folder", "reading flags: --out %q: %q is a cohort already", a.config.Text("out"), arg)
	}
	if h.cohort.Tool != "" && h.cohort.Tool != a.tool() && o.retry != "all" {
		return nil, usage("--retry all judges all cases with this version", "opening the cohort %q: its cases were judged with %s, this is %s", h.name, h.cohort.Tool, a.tool())
	}
	if roster != nil {
		h.cohort.Enlist(roster)
		h.roster = arg
	}
	return h, a.takeUp(h.cohort.Shared.Settings)
}

// cohortFor is the cohort of a roster: the one that its folder holds, or a new one.
func (a *app) cohortFor(c *cobra.Command, arg string) (*class, error) {
	name := "cohort"
	if arg != "-" {
		base := filepath.Base(a.path(arg))
		name = strings.TrimSuffix(base, filepath.Ext(base)) + "-cohort"
	}
	if c.Flags().Changed("out") {
		name = a.config.Text("out")
	}
	if inGitDir(filepath.Join(a.path(name), "case")) {
		return nil, usage("--out DIR names another folder", "opening the cohort's folder %q: it lies in the git folder of a repository", name)
	}
	h, err := a.earlier(name)
	if err != nil || h != nil {
		return h, err
	}
	id, err := batch.NewID()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(a.path(name), 0o700); err != nil {
		return nil, usage("--out DIR names another folder", "making the cohort's folder %q: %w", name, config.Cause(err))
	}
	return &class{cohort: &batch.Cohort{Schema: batch.Schema, ID: id}, path: a.path(name), name: name}, nil
}

// takeUp makes settings of an earlier run those of this one, but for those that the command line has.
func (a *app) takeUp(settings map[string][]string) error {
	for _, k := range config.Keys {
		values, was := settings[k.Name]
		if !was || strings.HasPrefix(a.config.Get(k.Name).Origin, "--") {
			continue
		}
		if err := a.config.Set(k.Name, batch.FileName, values...); err != nil {
			return usage("", "reading %s: %s: %w", batch.FileName, k.Name, err)
		}
	}
	return nil
}

// passing are settings that are of one run, or of this machine.
var passing = map[string]bool{"out": true, "cache": true, "jobs": true, "color": true, "progress": true, "store": true}

// keepSettings notes what was asked for, so that the next run goes on with the same.
func (a *app) keepSettings(h *class, f classFlags) error {
	o := f.audit
	if o.answers == "-" || o.calibration == "-" {
		return usage("give a file, which later runs of the cohort read, too", "reading flags: a class takes --answers and --calibration from files")
	}
	was := h.cohort.Shared
	h.cohort.Shared = batch.Shared{Settings: map[string][]string{}, Only: cmp.Or(o.only, was.Only), PDFs: was.PDFs, Answers: cmp.Or(a.absolute(o.answers), was.Answers), Trust: o.trust || was.Trust,
		Calibration: cmp.Or(a.absolute(o.calibration), was.Calibration)}
	if len(o.pdfs) > 0 {
		h.cohort.Shared.PDFs = a.absolutes(o.pdfs)
	}
	for _, k := range config.Keys {
		if s := a.config.Get(k.Name); s.Origin != config.BuiltIn && !passing[k.Name] {
			h.cohort.Shared.Settings[k.Name] = s.Values
		}
	}
	return a.keepSimilarity(h, was.Similarity, f)
}

// absolute is a file's path for runs from elsewhere; what is not a file of this machine stays as it is.
func (a *app) absolute(p string) string {
	if p == "" || p == "-" || !a.exists(p) {
		return p
	}
	return a.path(p)
}

// roster reads CASES.
func (a *app) roster(arg string, o classFlags) ([]batch.Entry, error) {
	if arg != "-" && isFolder(a.path(arg)) {
		list, err := batch.Folder(a.path(arg))
		if err != nil {
			return nil, coded(exitUsage, err, "give the folder that holds the submissions, a roster, or the folder of an earlier cohort")
		}
		return list, nil
	}
	raw, err := a.rosterBytes(arg)
	if err != nil {
		return nil, err
	}
	reading := batch.Reading{Template: o.template, Map: map[string]string{}}
	for _, m := range o.columns {
		field, column, ok := strings.Cut(m, "=")
		if !ok || field == "" || column == "" {
			return nil, usage("--map id=COLUMN", "reading flags: --map %q is not FIELD=COLUMN", m)
		}
		reading.Map[field] = column
	}
	list, err := batch.Roster(raw, reading)
	bad, partly := errors.AsType[batch.Problems](err)
	if err != nil && !partly {
		return nil, coded(exitUsage, fmt.Errorf("reading the roster %q: %w", arg, err), "--map FIELD=COLUMN names the column of a field; automaton help batch lists the fields")
	}
	if err := a.unusable(arg, bad, o.skipBad); err != nil {
		return nil, err
	}
	for i := range list {
		list[i] = a.rooted(list[i], arg)
	}
	return list, nil
}

func (a *app) rosterBytes(arg string) ([]byte, error) {
	if arg == "-" {
		raw, err := io.ReadAll(io.LimitReader(a.Stdin, batch.MaxRoster+1))
		if err != nil {
			return nil, coded(exitUsage, fmt.Errorf("reading the roster from standard input: %w", err))
		}
		return raw, nil
	}
	raw, err := config.ReadFile(a.path(arg), batch.MaxRoster)
	if err != nil {
		return nil, usage("CASES is a file or folder on this machine; automaton audit "+safetext.Shell(arg)+" judges one repository", "reading the roster %q: %w", arg, err)
	}
	return raw, nil
}

// unusable tells all that is wrong with a roster at once, and ends the run unless bad rows are to be passed over.
func (a *app) unusable(roster string, bad batch.Problems, skip bool) error {
	for _, p := range bad {
		a.tell(message{Kind: "place", Text: roster + ":" + p})
	}
	if len(bad) == 0 || skip {
		return nil
	}
	return usage("--skip-bad judges the others", "reading the roster %q: %s", roster, counted(len(bad), "row cannot be used", "rows cannot be used"))
}

// rooted is an entry with the files that it names seen from the folder of the roster.
func (a *app) rooted(e batch.Entry, roster string) batch.Entry {
	dir := a.Dir
	if roster != "-" {
		dir = filepath.Dir(a.path(roster))
	}
	for _, p := range []*string{&e.Target, &e.PDF, &e.Answers} {
		path := *p
		if path == "" || strings.Contains(path, "://") || filepath.IsAbs(path) {
			continue
		}
		if full := filepath.Join(dir, path); a.exists(full) {
			*p = full
		}
	}
	return e
}
