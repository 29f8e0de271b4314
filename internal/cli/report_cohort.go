package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// gradeFlags are the flags of report that are for a cohort.
type gradeFlags struct {
	into, column, feedback, match string
	scale                         string
	forget                        string
	idsOnly, published            bool
}

// cohortOnly are the formats that a record does not have. Others are of both.
var cohortOnly = []string{"jsonl", "canvas", "moodle", "gradescope", "feedback", "decisions"}

func cohortFormats() []string { return append([]string{"text", "json", "csv"}, cohortOnly...) }

func (g *gradeFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&g.into, "into", "", "`FILE` with -f canvas or moodle: the CSV file that the platform exported")
	f.StringVar(&g.column, "column", "", "`NAME` with --into: the column that takes the grades")
	f.StringVar(&g.feedback, "feedback", "", "`NAME` with -f moodle: the column that takes a comment")
	f.StringVar(&g.match, "match", "", "`NAME` with --into: the column with the ids (default the known column in which most ids are)")
	f.StringVar(&g.scale, "scale", "", "`LOW..HIGH` scale of a cohort's grades, such as 0..100 (default 1..5)")
	f.Var(choice{&g.forget, []string{"", "source"}, "value %q for --forget"}, "forget", "`WHAT` remove what a cohort keeps: source, the texts of submissions that its pages show")
	f.BoolVar(&g.published, "published-only", false, "leave out the scores of a cohort that nobody published")
	f.BoolVar(&g.idsOnly, "ids-only", false, "leave names and mail addresses of a cohort out")
}

// forRecord refuses what only a cohort has.
func (g gradeFlags) forRecord(format string) error {
	set := g != gradeFlags{}
	if slices.Contains(cohortOnly, format) || set {
		return usage("automaton report COHORT -f FORMAT takes the folder that batch wrote", "reading flags: grades are of a cohort, and this is a record")
	}
	return nil
}

// grades is a cohort that grades are written of.
type grades struct {
	a      *app
	docket *docket.Docket
	class  *class
	scale  *report.Range
	flags  gradeFlags
	to     string // file or folder, by -o; empty: standard output
}

// reportCohort writes the grades of a cohort.
func (a *app) reportCohort(c *cobra.Command, folder, format string, files []string, flags gradeFlags) (err error) {
	if err := a.settle(c, "", false); err != nil {
		return err
	}
	g := &grades{a: a, flags: flags}
	if err := g.read(c, &format, files); err != nil {
		return err
	}
	cohort, err := batch.ReadCohort(a.path(folder))
	if err != nil {
		return coded(exitUsage, err)
	}
	g.class = &class{name: folder, path: a.path(folder), cohort: cohort}
	if g.docket, err = a.openDocket(c.Context(), g.class, flags.forget == ""); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.docket.Close()) }()
	if flags.forget != "" {
		return g.forget(c.Context())
	}
	return g.write(c.Context(), format)
}

// forget removes the texts that were kept to be shown where submissions have something in common, and the page that shows them.
func (g *grades) forget(ctx context.Context) error {
	n, err := g.class.cohort.Forget(ctx, g.docket)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	page := filepath.Join(g.class.path, similarityPage)
	if err := os.Remove(page); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return coded(exitUnexamined, fmt.Errorf("removing %s: %w", similarityPage, config.Cause(err)))
	}
	return g.a.print(fmt.Appendf(nil, "The texts that %s kept and the page %s are removed. To write the page again, without passages, run automaton batch %s.\n",
		count(int(n), "run"), similarityPage, safetext.Shell(g.class.name)))
}

// read looks at the flags.
func (g *grades) read(c *cobra.Command, format *string, files []string) error {
	if len(files) > 1 {
		return usage("give one -o", "reading flags: the grades of a cohort go to one place")
	}
	if len(files) == 1 && files[0] != "-" {
		if g.to = g.a.path(files[0]); inGitDir(g.to) {
			return usage("name a place elsewhere", "reading flags: -o %q lies in the git folder of a repository", files[0])
		}
	}
	if g.to != "" && !c.Flags().Changed("format") {
		*format = strings.TrimPrefix(filepath.Ext(g.to), ".")
	}
	filled := *format == "canvas" || *format == "moodle"
	folder := *format == "gradescope" || *format == "feedback"
	switch {
	case !slices.Contains(cohortFormats(), *format):
		return usage("-f FORMAT is one of "+strings.Join(cohortFormats(), ", "), "reading flags: -f %q is not a format of a cohort", *format)
	case filled && (g.flags.into == "" || g.flags.column == ""):
		return usage("--into EXPORT.csv --column NAME", "reading flags: -f %s fills a column of a file that the platform exported", *format)
	case !filled && (g.flags.into != "" || g.flags.column != "" || g.flags.match != ""), *format != "moodle" && g.flags.feedback != "":
		return usage("leave them out", "reading flags: --into, --column and --match are for -f canvas and -f moodle, and --feedback is for -f moodle")
	case g.flags.published && slices.Contains([]string{"text", "json", "decisions"}, *format):
		return usage("leave it out", "reading flags: --published-only is for grades, and -f %s writes none", *format)
	case folder && g.to == "":
		return usage("-o FOLDER", "reading flags: -f %s writes a folder", *format)
	}
	if g.flags.scale != "" {
		g.scale = new(report.Range)
		if err := g.scale.Set(g.flags.scale); err != nil {
			return usage("--scale 0..100", "reading flags: --scale %q: %w", g.flags.scale, err)
		}
	}
	return nil
}

func (g *grades) write(ctx context.Context, format string) error {
	var list []report.Grade
	keep := func(row docket.Row, x report.Grade, _ *court.Record) error {
		if g.draft(row) {
			x = x.Held()
		}
		list = append(list, x)
		return nil
	}
	switch format {
	case "gradescope":
		keep = g.keepGradescope
	case "feedback":
		keep = g.keepFeedback
	}
	var b bytes.Buffer
	var err error
	switch format {
	case "text", "json":
		err = g.summary(ctx, &b, format)
	case "decisions":
		err = g.class.cohort.WriteDecisions(ctx, g.docket, &b)
	default:
		if err := g.each(ctx, keep); err != nil {
			return err
		}
	}
	switch format {
	case "text", "json", "decisions":
	case "csv":
		err = report.WriteGradesCSV(&b, list, g.scale)
	case "jsonl":
		err = report.WriteGradesJSONL(&b, list, g.scale)
	case "canvas", "moodle":
		err = g.fill(&b, list)
	default: // a folder
		return nil
	}
	switch {
	case err != nil:
		return err
	case g.to == "":
		return g.a.print(b.Bytes())
	}
	if err := store.WriteFile(g.to, b.Bytes()); err != nil {
		return coded(exitUnexamined, err)
	}
	return nil
}

// summary writes what batch prints at its end.
func (g *grades) summary(ctx context.Context, w io.Writer, format string) error {
	s, err := g.a.classOf(ctx, g.docket, g.class)
	switch {
	case err != nil:
		return coded(exitUnexamined, err)
	case format == "json":
		return report.ClassJSON(w, s)
	case g.to != "":
		return report.ClassSummary(w, s, report.TextOptions{})
	}
	return report.ClassSummary(w, s, g.a.text())
}

// each goes through the submissions of the newest roster. The record is nil where there is none that stands.
func (g *grades) each(ctx context.Context, do func(docket.Row, report.Grade, *court.Record) error) error {
	rows, err := g.docket.Rows(ctx, g.class.cohort.ID)
	if err != nil {
		return coded(exitUnexamined, err)
	}
	var held []string
	for _, row := range rows {
		if !row.Listed {
			continue
		}
		if g.draft(row) {
			held = append(held, row.ID)
			if g.flags.into == "" {
				continue
			}
		}
		person := g.class.cohort.Entry(row.ID)
		if g.flags.idsOnly {
			person.Name, person.Email = "", ""
		}
		x, rec, err := g.class.cohort.Grade(ctx, g.docket, row, person)
		if err != nil {
			return coded(exitUnexamined, err)
		}
		if err := do(row, x, rec); err != nil {
			return err
		}
	}
	if len(held) > 0 {
		g.a.warn("%s out, because nobody published the score: %s", counted(len(held), "submission is left", "submissions are left"), few(held))
	}
	return nil
}

// draft tells whether the score of a submission is to be left out.
func (g *grades) draft(row docket.Row) bool { return g.flags.published && row.Published.IsZero() }

// keepGradescope writes the results.json of a submission with a score.
func (g *grades) keepGradescope(row docket.Row, x report.Grade, _ *court.Record) error {
	if x.Score == nil {
		g.a.warn("%s has no score, so it has no results.json", shown(row.ID))
		return nil
	}
	return g.file(row, "results.json", func(w io.Writer) error { return report.WriteGradescope(w, x, g.scale) })
}

// keepFeedback writes the reports of a submission.
func (g *grades) keepFeedback(row docket.Row, x report.Grade, rec *court.Record) error {
	if rec == nil {
		g.a.warn("%s has no report: its status is %s", shown(row.ID), row.State)
		return nil
	}
	for _, name := range []string{"html", "md"} {
		f, _ := report.FormatNamed(name) // it is one of ours
		err := g.file(row, "report"+f.Ext, func(w io.Writer) error { return trial.Render(w, f, rec) })
		if err != nil {
			return err
		}
	}
	return g.file(row, "feedback.txt", func(w io.Writer) error { return report.WriteFeedback(w, rec, x, g.scale) })
}

// file writes a file into the folder of a submission.
func (g *grades) file(row docket.Row, name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if err := store.WriteFile(filepath.Join(g.to, row.Folder, name), b.Bytes()); err != nil {
		return coded(exitUnexamined, err)
	}
	return nil
}

// fill puts the grades into the file of a platform and says what did not fit.
func (g *grades) fill(w io.Writer, list []report.Grade) error {
	raw, err := config.ReadFile(g.a.path(g.flags.into), mostExport)
	if err != nil {
		return coded(exitUsage, fmt.Errorf("reading %s: %w", shown(g.flags.into), err))
	}
	out, err := report.Fill(raw, list, report.Filling{Column: g.flags.column, Feedback: g.flags.feedback, Match: g.flags.match, Range: g.scale})
	if err != nil {
		return coded(exitUsage, fmt.Errorf("reading %s: %w", shown(g.flags.into), err))
	}
	if out.By != "" {
		g.a.note("rows are found by the column %q, and others by their mail address", out.By)
	}
	if len(out.Rows) > 0 {
		g.a.warn("%s in %s: %s", counted(len(out.Rows), "row has no submission", "rows have no submission"), shown(g.flags.into), lineList(out.Rows))
	}
	if len(out.Missing) > 0 {
		g.a.warn("%s: %s", counted(len(out.Missing), "submission has no row of its own", "submissions have no row of their own"), few(out.Missing))
	}
	if len(out.Blank) > 0 {
		g.a.warn("%s, and the cell is empty: %s", counted(len(out.Blank), "submission has no score", "submissions have no score"), few(out.Blank))
	}
	for _, n := range out.Notes {
		g.a.warn("%s", n)
	}
	_, err = w.Write(out.Raw)
	return err
}

// mostExport bounds the file of a platform, in bytes.
const mostExport = 32 << 20

// mostNamed is how many things a message names.
const mostNamed = 20

// few names the first of many.
func few(list []string) string {
	if more := len(list) - mostNamed; more > 0 {
		return strings.Join(list[:mostNamed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(list, ", ")
}

func lineList(lines []int) string {
	var list []string
	for _, n := range lines {
		list = append(list, fmt.Sprint(n))
	}
	if len(list) == 1 {
		return "line " + list[0]
	}
	return "lines " + few(list)
}
