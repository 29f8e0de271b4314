package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// auditFlags are the flags of audit that are no settings.
type auditFlags struct {
	pdf, commit, format string
	outputs, only       []string
	partial, wait       bool
	dry, trust, offline bool
}

func (a *app) auditCommand() *cobra.Command {
	var o auditFlags
	c := &cobra.Command{
		Use: "audit REPO", Short: "Hears one case: evidence, opinions, verdict, reports",
		Example: `  automaton audit https://github.com/OWNER/NAME
  automaton audit . --pdf report.pdf -r rubric.json
  automaton audit ../work --fail-under 3.5 -o report.html`,
		Args: one("REPO"),
		RunE: func(c *cobra.Command, args []string) error { return a.audit(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.pdf, "pdf", "auto", "the submission's document: `FILE`, tree:PATH, auto or none")
	f.StringP("rubric", "r", "", "built-in name, `FILE`, or - (default courtroom)")
	f.StringVar(&o.commit, "commit", "", "branch, tag or commit `REV`; default HEAD")
	f.StringSliceVar(&o.only, "only", nil, "hear only these criteria")
	f.StringVarP(&o.format, "format", "f", "text", "what standard output receives: "+formatNames())
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "one more rendering, `[FORMAT=]FILE`; the ending chooses the format (repeatable)")
	f.String("out", "", "where the case folder goes (default automaton-out)")
	f.StringArray("fail-under", nil, "the gate: `SCORE` of the overall or CRITERION=SCORE (repeatable)")
	f.StringArray("fail-on", nil, "fail on security_override, contested or insufficient (repeatable)")
	f.BoolVar(&o.partial, "allow-partial", false, "an incomplete audit does not by itself exit 3")
	f.String("timeout", "", "for the whole case (default 10m)")
	f.BoolVar(&o.offline, "offline", false, "no network: REPO must be local")
	f.BoolVar(&o.wait, "wait", false, "wait for another run that holds this case folder")
	f.BoolVar(&o.trust, "trust-tree", false, "read configuration and rubric even inside the audited tree")
	f.BoolVarP(&o.dry, "dry-run", "n", false, "print which checks would answer which criterion; nothing is fetched or written")
	a.repoFlags(c)
	return c
}

// audit does everything that can be refused first, and only then fetches.
func (a *app) audit(c *cobra.Command, arg string, o auditFlags) error {
	at, err := a.aimAt(arg, o.commit)
	if err != nil {
		return err
	}
	if err := a.settle(c, at.local, o.trust); err != nil {
		return err
	}
	r, err := a.loadRubric(a.config.Text("rubric"))
	if err != nil {
		return err
	}
	a.say("rubric %s %s, digest %s, checks %s, %s", r.Source.Name, r.Version, r.Digest, r.Checks, count(len(r.Notes), "note"))
	if o.dry {
		return a.plan(r)
	}
	p, err := a.prepare(at, r, o)
	if err != nil {
		return err
	}
	defer p.shelf.Close() //nolint:errcheck // nothing is buffered in it
	ctx, cancel := context.WithTimeoutCause(c.Context(), a.config.Duration("timeout"), errTimeout)
	defer cancel()
	opened, done, err := a.secure(ctx, at, p.doc)
	if err != nil {
		return err
	}
	defer done()
	if opened.Failure != nil && refusalCode(opened.Failure) != "" && at.local != "" && opened.Case.PDF == nil {
		return a.unreachable(at, opened.Failure)
	}
	if opened.Failure != nil {
		a.warn("%v", opened.Failure)
	}
	rec, folder, err := a.hear(ctx, p, opened, r, o)
	if rec == nil {
		return err
	}
	return a.conclude(at, p, rec, folder, opened.Failure, err, o)
}

var errTimeout = errors.New("the time for this case is over")

// prepared is what was checked before anything is fetched.
type prepared struct {
	format  report.Format
	outputs []output
	bar     *verdict.Bar
	doc     trial.Document
	shelf   *store.Shelf
}

// output is one more rendering.
type output struct {
	format report.Format
	path   string
}

func (a *app) prepare(at aim, r *court.Rubric, o auditFlags) (p prepared, err error) {
	if a.flags.json {
		o.format = "json"
	}
	if p.format, err = formatNamed(o.format); err != nil {
		return p, err
	}
	if p.outputs, err = a.outputs(o.outputs); err != nil {
		return p, err
	}
	for _, id := range o.only {
		if !slices.ContainsFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == id }) {
			return p, usage("automaton rubric show lists the criteria", "reading flags: --only %q is no criterion of this rubric", id)
		}
	}
	if p.bar, err = a.bar(r); err != nil {
		return p, err
	}
	if p.doc, err = a.document(o.pdf); err != nil {
		return p, err
	}
	if o.offline && at.local == "" {
		return p, usage("give a local clone", "reading target: --offline, and %q is not on this machine", at.raw)
	}
	if p.shelf, err = store.Open(a.path(a.config.Text("out"))); err != nil {
		return p, coded(exitUsage, err, "--out DIR names another folder")
	}
	if err := p.shelf.Room(expectedSize); err != nil {
		return p, errors.Join(coded(exitUsage, err, "free some space, or give --out on another disk"), p.shelf.Close())
	}
	return p, nil
}

// expectedSize is about what a case folder takes, in bytes.
const expectedSize = 16 << 20

func formatNames() string {
	var names []string
	for _, f := range report.Formats {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

func formatNamed(name string) (report.Format, error) {
	for _, f := range report.Formats {
		if f.Name == name {
			return f, nil
		}
	}
	hint := ""
	for _, f := range report.Formats {
		if strings.HasPrefix(f.Name, name) || len(name) > 1 && strings.HasPrefix(name, f.Name[:2]) {
			hint = "did you mean " + f.Name
		}
	}
	return report.Format{}, usage(hint, "reading flags: unknown format %q for -f (have %s)", name, formatNames())
}

// outputs reads the -o flags: FORMAT=FILE, or a file whose ending tells.
func (a *app) outputs(flags []string) ([]output, error) {
	var out []output
	for _, v := range flags {
		name, file, ok := strings.Cut(v, "=")
		if ok {
			f, err := formatNamed(name)
			if err != nil {
				return nil, err
			}
			out = append(out, output{f, a.path(file)})
			continue
		}
		i := slices.IndexFunc(report.Formats, func(f report.Format) bool { return f.Ext == strings.ToLower(filepath.Ext(v)) })
		if i < 0 {
			return nil, usage("-o FORMAT=FILE names the format", "reading flags: -o %q: the ending tells no format (have %s)", v, formatNames())
		}
		out = append(out, output{report.Formats[i], a.path(v)})
	}
	return out, nil
}

// bar reads the gate.
func (a *app) bar(r *court.Rubric) (*verdict.Bar, error) {
	under, on := a.config.List("fail_under"), a.config.List("fail_on")
	if len(under) == 0 && len(on) == 0 {
		return nil, nil
	}
	b := &verdict.Bar{Bars: map[string]court.Fixed{}, FailOn: on}
	for _, v := range under {
		id, score, ok := strings.Cut(v, "=")
		if !ok {
			id, score = verdict.OverallBar, v
		}
		n, err := court.ParseFixed(score)
		if err != nil || n < court.One || n > 5*court.One || n%100 != 0 {
			return nil, usage("", "reading gate: %q is no score from 1 to 5 with at most two decimals", score)
		}
		if ok && !slices.ContainsFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == id }) {
			return nil, usage("automaton rubric show lists the criteria", "reading gate: %q is no criterion of this rubric", id)
		}
		if _, twice := b.Bars[id]; twice {
			return nil, usage("", "reading gate: %s has two bars", id)
		}
		b.Bars[id] = n
	}
	return b, nil
}

// render writes a record in one format.
func render(f report.Format, rec *court.Record) ([]byte, error) {
	var b strings.Builder
	if err := f.Write(&b, rec); err != nil {
		return nil, fmt.Errorf("rendering %s: %w", f.Name, err)
	}
	return []byte(b.String()), nil
}

// printFormat writes a record to standard output.
func (a *app) printFormat(f report.Format, rec *court.Record, text report.TextOptions) error {
	if f.Name != "text" {
		raw, err := render(f, rec)
		if err != nil {
			return err
		}
		return a.print(raw)
	}
	return a.through(func(w io.Writer) error { return report.Summary(w, rec, text) })
}

// through collects what is written and prints it at once.
func (a *app) through(write func(io.Writer) error) error {
	var b strings.Builder
	if err := write(&b); err != nil {
		return err
	}
	return a.print([]byte(b.String()))
}
