package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// TextOptions says how text for a terminal is laid out. The zero value is 80
// columns, no colour and nothing that is not in the record.
type TextOptions struct {
	Width  int    // columns; 0: 80, never under 60
	Color  bool   // ANSI colours; they repeat what the words say
	Links  bool   // places lead to their permalinks, as OSC 8 has it: for a terminal only
	Report string // where the HTML report lies; empty: the line is left out
	Time   bool   // print how long the run took
	NoPDF  bool   // it was asked to look at no document
	Record string // how commands name the record; empty: they find it by themselves
	// Uncommitted is how many files of the commit lie in the work tree with other
	// content or not at all: only what is committed was seen.
	Uncommitted int
}

func (o TextOptions) width() int {
	if o.Width == 0 {
		return 80
	}
	return max(o.Width, 60)
}

// Summary writes what an audit ends with: the score, what is wrong, one line per
// criterion worst first, what to fix first, what could not be done, and the gate
// when one was set. Letters and columns are explained below each table.
func Summary(w io.Writer, rec *court.Record, o TextOptions) error {
	s := summary{docket: newDocket(rec), o: o, p: paint(o.Color)}
	s.head()
	s.score()
	s.table()
	s.fixes()
	s.faults()
	s.tail()
	s.gate()
	return put(w, []byte(trimRight(s.b.String())))
}

// summary collects the lines of one summary.
type summary struct {
	*docket
	o TextOptions
	p paint
	b strings.Builder
}

func (s *summary) line(format string, a ...any) { fmt.Fprintf(&s.b, format+"\n", a...) }

func (s *summary) head() {
	rec := s.rec
	s.line("%s", strings.TrimSpace(s.p.bold(clean(subject(rec)))+" "+clean(state(rec.Case))))
	rubric := fmt.Sprintf("rubric %s %s %s", cmp.Or(rec.Rubric.Source.Name, rec.Rubric.Name), rec.Rubric.Version, digest12(rec.Rubric.Digest))
	pdf := pdfLine(rec)
	if s.o.NoPDF {
		pdf = "no PDF (none)"
	}
	items := []string{clean(pdf), clean(strings.Join(strings.Fields(rubric), " ")), clean(benchWords(rec))}
	if s.judged() { // a mixed bench may be broken between its seats
		items = append(items[:2], strings.Split(items[2], ", ")...)
	}
	for _, h := range s.helpers() {
		items = append(items, clean(h))
	}
	if rec.Origin.TrustTree {
		items = append(items, "the audited tree is trusted (--trust-tree)")
	}
	if n := s.o.Uncommitted; n > 0 {
		items = append(items, "not seen: uncommitted changes in "+plural(n, "file"))
	}
	for _, l := range wrapItems(items, min(s.o.width(), 80)-4) {
		s.line("  %s", l)
	}
	s.line("")
}

// score is the line with the overall and what must be known beside it.
func (s *summary) score() {
	v := s.rec.Verdict
	if v == nil {
		s.line("  no verdict: %s", mistrialWords(s.rec))
		s.line("")
		return
	}
	of := v.Overall.Shown() + " of 5"
	list := wrapItems(s.remarks(), s.o.width()-4-cells(of))
	s.line("  %s  %s", s.p.bold(of), strings.Join(list[:min(1, len(list))], ""))
	for _, l := range list[min(1, len(list)):] {
		s.line("  %s  %s", left("", cells(of)), l)
	}
	s.line("")
	lead := s.lead()
	if s.rec.Status == court.Partway {
		lead += " " + s.partial()
	}
	s.paragraph(clean0(strings.Join([]string{lead, s.overAll(), s.cappedRange()}, " ")))
	s.line("")
}

// paragraph is running text across the width.
func (s *summary) paragraph(text string) {
	for _, l := range fewLines(text, s.o.width()-4, 12) { // foreign text may go on and on
		s.line("  %s", l)
	}
}

// remarks are the qualifications of the overall score, in fixed order.
func (d *docket) remarks() []string {
	var parts []string
	all := d.rec.Verdict.Overall
	if words := d.capWords(); words != "" {
		parts = append(parts, words)
	}
	if d.binds() {
		parts = append(parts, all.BeforeCap.Shown()+" before")
	}
	switch {
	case d.hasInsufficient():
		parts = append(parts, rangeWords(all.Low, all.High))
		if words := d.examined(); words != "" {
			parts = append(parts, words)
		}
	case all.Low.Shown() != all.Exact.Shown():
		parts = append(parts, "at least "+all.Low.Shown())
	}
	parts = append(parts, d.onScale()...)
	if n, of := d.scored(); n != of {
		parts = append(parts, fmt.Sprintf("over %d of %d criteria", n, of))
	}
	if d.rec.Status == court.Partway {
		parts = append(parts, "PARTIAL")
	}
	return append(parts, d.totalAlone()...)
}

// rangeWords says where a score may lie once everything can be checked.
func rangeWords(low, high court.Fixed) string {
	return fmt.Sprintf("possible range %s to %s", low.Shown(), high.Shown())
}

// examined says how much was examined; empty where it would be all of it beside a
// criterion that has no score.
func (d *docket) examined() string {
	n, all := d.scored()
	share := d.rec.Verdict.Overall.Coverage
	if share >= court.One && n < all {
		return ""
	}
	return percent(share) + " examined"
}

func mistrialWords(rec *court.Record) string {
	if rec.Status == court.Mistrial {
		return "nothing could be examined"
	}
	return "the audit did not reach its end"
}

func (s *summary) tail() {
	if s.o.Report != "" {
		s.line("  report  %s", clean(s.o.Report))
	}
	if rows := s.rows(); len(rows) > 0 && rows[0].ruling != nil {
		s.why(rows[0].criterion.ID)
	}
	if words := s.asked(); words != "" {
		s.b.WriteString(hung("  models  ", 10, wrapItems(strings.Split(clean(words), ", "), s.o.width()-10)))
	}
	counts := []string{plural(len(s.exhibits), "piece") + " of evidence", plural(len(s.opinions), "opinion")}
	if !s.models() {
		counts = append(counts, "0 model calls")
	}
	faults, notes := s.failures()
	if len(faults) > 0 {
		counts = append(counts, plural(len(faults), "fault"))
	}
	if len(notes) > 0 {
		counts = append(counts, plural(len(notes), "note"))
	}
	if s.o.Time {
		counts = append(counts, seconds(s.rec.Run.Millis))
	}
	s.line("  %s", s.p.faint(strings.Join(counts, ", ")))
}

// why is the command that explains a criterion, as a shell takes it: where it
// is wider than the line, it goes on in the next.
func (s *summary) why(criterion string) {
	const start = "  why     automaton explain "
	record, flag := "", "-c "+clean(criterion)
	if s.o.Record != "" {
		record = safetext.Shell(court.Clean(s.o.Record, 0)) + " "
	}
	if record == "" || len(start)+cells(record+flag) <= s.o.width() {
		s.line("%s%s%s", start, record, flag)
		return
	}
	s.line("%s\\", start)
	s.line("            %s%s", record, flag)
}

// seconds prints a duration in tenths, cut.
func seconds(ms int64) string { return fmt.Sprintf("%d.%d s", ms/1000, ms%1000/100) }
