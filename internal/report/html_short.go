package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// shortPage is what the template of the short version reads: two printed pages for
// the person who is judged.
type shortPage struct {
	Subject, State, CaseID, Rubric, Digest string
	Headline, Total, Beside, Band, Range   string   // Beside: the total without models
	Notes                                  []string // what must be known before the numbers
	Rows                                   []shortRow
	Others                                 string // what is said of criteria without a row
	First                                  []shortFix
	More                                   int // remedies beyond the first
	Unchecked                              []string
	Partly                                 bool     // checks were made that did not see all
	Faults                                 []string // without a verdict: why there is none

	CSP string
	CSS template.CSS
}

// Provisional tells whether some score is.
func (p *shortPage) Provisional() bool {
	return slices.ContainsFunc(p.Rows, func(r shortRow) bool { return strings.HasSuffix(r.Mark, "?") })
}

// shortRow is one criterion with the mark that counts and the reason for it.
type shortRow struct{ Name, Mark, Band, Reason string }

// shortFix is one thing to do with the lines that it concerns.
type shortFix struct {
	Text, Place, Link, Worth, Lack string
	Quote                          *quoteView
}

// Said is the text with what is code told apart.
func (f shortFix) Said() []saidPart { return inCode(f.Text) }

// writeShort writes the short version as one page that needs nothing else. It has no
// script.
func writeShort(w io.Writer, rec *court.Record) error {
	css, err := ownFiles("page/short.css")
	if err != nil {
		return err
	}
	p := newShortPage(rec)
	p.CSP = fmt.Sprintf("default-src 'none'; style-src %s; base-uri 'none'; form-action 'none'", sourceDigest(css))
	p.CSS = template.CSS(css) // #nosec G203 -- our own file
	var b bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&b, "short.tmpl", p); err != nil {
		return fmt.Errorf("rendering the short page: %w", err)
	}
	return put(w, b.Bytes())
}

func newShortPage(rec *court.Record) *shortPage {
	m := newPageMaker(rec, false)
	p := &shortPage{Subject: line(subject(rec)), State: line(state(rec.Case)), CaseID: line(rec.Case.ID), Digest: digest12(rec.Digest),
		Rubric: line(rec.Rubric.Name + " " + rec.Rubric.Version), Headline: "No verdict", Band: "b0", Notes: m.shortNotes()}
	if v := rec.Verdict; v != nil {
		p.Headline, p.Total, p.Range = line(v.Headline), v.Overall.Shown(), m.extent()
		p.Beside = line(strings.Join(m.totalBeside(), ", "))
		if !v.Overall.Unscored && v.Overall.Coverage >= court.One/2 {
			p.Band = band(v.Overall.Exact)
		}
	} else {
		p.Faults = m.faultLines()
	}
	p.Rows, p.Unchecked = m.shortRows(), m.unchecked()
	p.Partly = rec.Verdict != nil && rec.Verdict.Overall.Coverage < court.One
	for i, x := range rec.Remedies[:min(len(rec.Remedies), 3)] {
		p.First = append(p.First, m.shortFix(x, i+1))
	}
	p.More = len(rec.Remedies) - len(p.First)
	p.fit()
	return p
}

// shortNotes are what a reader must know before the numbers.
func (m *pageMaker) shortNotes() (list []string) {
	if m.rec.Hypothetical {
		list = append(list, "This is a thought experiment and no result.")
	}
	if m.rec.Status == court.Partway {
		list = append(list, "The audit is partial.")
	}
	for _, s := range append(m.unseen(), m.cappedRange()) { // the extent says what the range is over
		if s != "" {
			list = append(list, line(s))
		}
	}
	if m.rec.Verdict == nil {
		return list
	}
	if rule, _ := m.cap(); rule != "" {
		list = append(list, sentence("The total is limited by the rule "+rule))
	}
	for _, s := range m.onScale() {
		list = append(list, sentence(safetext.Capital(line(s))))
	}
	return list
}

// extent says what the total is over, where it can end and why.
func (m *pageMaker) extent() string {
	o := m.rec.Verdict.Overall
	n, all := m.scored()
	s := fmt.Sprintf("The total is over %d of %s.", n, plural2(all, "criterion", "criteria"))
	if n == all {
		s = fmt.Sprintf("The total is over all %d criteria.", all)
	}
	its := " Its possible range"
	if n < all {
		its += fmt.Sprintf(" over all %d", all)
	}
	switch low, high := o.Low.Shown(), o.High.Shown(); {
	case o.Unscored:
		return "No criterion could be examined, so there is no total."
	case low == high:
		return s
	case o.Coverage >= court.One:
		return s + fmt.Sprintf("%s is %s to %s, because some of the evidence is not conclusive.", its, low, high)
	default:
		return s + fmt.Sprintf("%s is %s to %s, because %s of what was asked could not be examined.", its, low, high, percent(court.One-o.Coverage+99))
	}
}

func (m *pageMaker) shortRows() (rows []shortRow) {
	for _, c := range m.heard() {
		row := shortRow{Name: line(nameOf(c)), Mark: m.markSet(c).Effective, Band: "b0", Reason: line(m.reason(c))}
		if r := m.rulings[c.ID]; r != nil && r.Final != nil {
			if r.Status != court.Insufficient {
				row.Band = band(r.Exact)
			} else if row.Mark != court.NoScore && m.rec.Case.Answer(c.ID) == nil {
				row.Mark += "?"
			}
			if words := m.besideRuling(r); words != "" {
				row.Reason += " " + line(sentence(safetext.Capital(words)))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func (m *pageMaker) shortFix(x court.Remedy, n int) shortFix {
	f := m.fixView(x, n)
	s := shortFix{Text: f.Text, Place: f.Place, Link: f.Link}
	if f.Effort != "" {
		s.Worth = "It takes about " + f.Effort + ". "
	}
	if base := m.base(); base != nil {
		s.Worth += fmt.Sprintf("With this and all before it the total is about %s higher.", gain(x.OverallThen, *base))
	} else {
		s.Worth += fmt.Sprintf("With this and all before it the total is %s.", m.about()+x.OverallThen.Shown())
	}
	missing := len(x.Evidence) > 0
	for _, id := range x.Evidence {
		e := m.byID[id]
		if e == nil || e.Outcome != court.Absent {
			missing = false
		}
		if e != nil && s.Quote == nil && quotes(*e, x) {
			s.Quote = m.quote(e)
			if s.Place == "" {
				s.Place, s.Link = line(e.Location), m.linkOf(e.At)
			}
		}
	}
	if missing && s.Quote == nil {
		s.Lack = "There are no lines to show, because this was looked for and not found."
	}
	return s
}

// quotes tells whether evidence shows the place of a remedy, or any place where the remedy
// names none. What a commit says is no such place.
func quotes(e court.Exhibit, x court.Remedy) bool {
	if e.Content == "" || len(e.At) == 0 || e.At[0].Path == "" && e.At[0].Page == 0 {
		return false
	}
	if !located(x.Location) || len(x.At) == 0 {
		return true
	}
	at, want := e.At[0], x.At[0]
	return at.Path == want.Path && at.Page == want.Page && at.Line <= want.Line && want.Line <= max(at.Line, at.EndLine)
}

// unchecked says of each criterion how many of its checks could not be made, and why.
func (m *pageMaker) unchecked() (list []string) {
	for _, c := range m.heard() {
		checks := map[string]bool{}
		for _, x := range m.of(c.ID) {
			if x.Outcome == court.Unknown && x.Stands() {
				checks[x.Check] = true
			}
		}
		if len(checks) > 0 {
			list = append(list, line(fmt.Sprintf("%s: %s could not be made (%s).", nameOf(c), plural(len(checks), "check"), m.unknownReason(c.ID))))
		}
	}
	return list
}

// What fits on two pages of A4, in lines of so many characters.
const (
	shortLines   = 92
	shortWidth   = 88 // of a sentence
	shortColumn  = 62 // of a reason beside its criterion
	shortCode    = 84 // of a quoted line
	shortExcerpt = 8  // quoted lines of one remedy at most
)

// fit leaves out what does not go on two pages: quoted lines first, then what is said of
// the criteria that score highest, which the full report has.
func (p *shortPage) fit() {
	most := shortExcerpt
	for i := range p.First {
		p.First[i].Quote.keep(most)
	}
	for ; most > 2 && p.lines() > shortLines; most-- {
		for i := range p.First {
			p.First[i].Quote.keep(most - 1)
		}
	}
	for left := 0; p.lines() > shortLines && len(p.Rows) > 5; {
		best := 0
		for i, r := range p.Rows {
			if r.Band >= p.Rows[best].Band {
				best = i
			}
		}
		p.Rows = slices.Delete(p.Rows, best, best+1)
		left++
		p.Others = fmt.Sprintf("The full report has %s more, which score no lower.", plural2(left, "criterion", "criteria"))
	}
	if n := len(p.Unchecked) - 6; n > 0 && p.lines() > shortLines {
		p.Unchecked = append(p.Unchecked[:6], fmt.Sprintf("The full report has %d more.", n))
	}
}

// keep leaves at most n lines of a quote, from the first that somebody quotes.
func (q *quoteView) keep(n int) {
	if q == nil || len(q.Lines) <= n {
		return
	}
	from := min(max(0, slices.IndexFunc(q.Lines, func(l quoteLine) bool { return l.Hit })), len(q.Lines)-n)
	if q.Start > 0 {
		q.Start += from
	}
	q.Lines, q.Left = q.Lines[from:from+n], ""
}

// lines is about how many lines of print the page takes.
func (p *shortPage) lines() int {
	of := func(width int, list ...string) (n int) {
		for _, s := range list {
			n += (utf8.RuneCountInString(s) + width - 1) / width
		}
		return n
	}
	n := 26 + of(shortWidth, p.Range, p.Others) + of(shortWidth, p.Notes...) + of(shortWidth, p.Unchecked...) + of(shortWidth, p.Faults...)
	for _, r := range p.Rows {
		n += max(of(shortColumn, r.Reason), of(28, r.Name), 1)
	}
	for _, f := range p.First {
		n += 1 + of(shortWidth, f.Text, f.Place+" "+f.Worth, f.Lack)
		if f.Quote == nil {
			continue
		}
		for _, l := range f.Quote.Lines {
			width := 0
			for _, t := range l.Tokens {
				width += utf8.RuneCountInString(t.Text)
			}
			n += 1 + width/shortCode
		}
	}
	return n
}
