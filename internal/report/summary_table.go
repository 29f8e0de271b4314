package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// row is one criterion of the summary's table; ruling is nil without a score.
type row struct {
	criterion court.Criterion
	ruling    *court.Ruling
}

// rows lists the heard criteria worst first, ties in rubric order, those
// without a score last.
func (d *docket) rows() []row {
	var list []row
	for _, c := range d.heard() {
		r := d.rulings[c.ID]
		if r != nil && r.Final == nil {
			r = nil
		}
		list = append(list, row{c, r})
	}
	slices.SortStableFunc(list, func(a, b row) int {
		switch {
		case a.ruling == nil || b.ruling == nil:
			return cmp.Compare(noScore(a), noScore(b))
		default:
			return cmp.Compare(a.ruling.Exact, b.ruling.Exact)
		}
	})
	return list
}

func noScore(r row) int {
	if r.ruling == nil {
		return 1
	}
	return 0
}

// aloneHead is the head of the column with the scores of the built-in judges
// alone.
const aloneHead = "BUILT-IN"

// calibratedHead is the head of the column with the calibrated scores.
const calibratedHead = "CALIBRATED"

// nameCut is the widest name of a criterion at 80 columns and more, besideNote the
// least room in which a note stands beside its row and not below it.
const (
	nameCut    = 33
	besideNote = 60
)

// column is one more number behind the score.
type column struct {
	head string
	cell func(row) string
}

// columns are what this case needs beside the court's own scores.
func (s *summary) columns() (list []column) {
	if s.judged() {
		list = append(list, column{aloneHead, func(r row) string { return cmp.Or(s.alone(r.criterion.ID), court.NoScore) }})
	}
	if s.rec.Case.Calibration != nil {
		list = append(list, column{calibratedHead, func(r row) string { return shown(s.calibrated(r.criterion.ID)) }})
	}
	if len(s.rec.Case.Answers) > 0 {
		list = append(list, column{"HUMAN", func(r row) string { return shown(s.human(r.criterion.ID)) }},
			column{"COUNTS", func(r row) string { return shown(s.rec.Counts(r.criterion.ID)) }})
	}
	return list
}

func (s *summary) table() {
	rows := s.rows()
	if len(rows) == 0 || s.rec.Verdict == nil {
		return
	}
	more, heads := s.columns(), ""
	for _, c := range more {
		heads += "  " + c.head
	}
	name := len("CRITERION")
	for _, r := range rows {
		name = max(name, cells(clean(nameOf(r.criterion))))
	}
	name = min(name, max(16, nameCut-max(0, 80+len(heads)-s.o.width())))
	s.line("  %s  P  D  T  FINAL  EXACT%s", left("CRITERION", name), heads)
	room := s.o.width() - name - 27 - len(heads)
	for _, r := range rows {
		final, mark, exact := court.NoScore, " ", court.NoScore
		if r.ruling != nil {
			final, exact = fmt.Sprint(*r.ruling.Final), r.ruling.Exact.Shown()
			if r.ruling.Status == court.Insufficient {
				mark = "?"
			}
		}
		seat := s.seatColumns(r.criterion.ID)
		cols := left(cut(clean(nameOf(r.criterion)), name), name) + seat + right(final, 16-cells(seat)) + mark + right(exact, 6)
		for _, c := range more {
			cols += right(c.cell(r), 2+len(c.head))
		}
		note := clean0(s.note(r.criterion))
		if room >= besideNote {
			s.line("  %s  %s", cols, s.notePaint(r, cutWord(note, room)))
			continue
		}
		s.line("  %s", cols)
		for _, l := range fewLines(note, s.o.width()-6, 2) {
			s.line("      %s", s.notePaint(r, l))
		}
	}
	s.b.WriteString(legend(strings.Join(s.signs(rows), " "), s.o))
	s.line("")
}

// signs explains the columns of the table, and the signs that some row has.
func (d *docket) signs(rows []row) []string {
	words := []string{"P, D, T: scores of Prosecutor, Defense and Tech Lead.", "FINAL: the court's score.", "EXACT: the same before rounding."}
	var all strings.Builder
	none, provisional := false, false
	for _, r := range rows {
		for _, seat := range seats() {
			all.WriteString(d.said(r.criterion.ID, seat))
		}
		none = none || r.ruling == nil
		provisional = provisional || r.ruling != nil && r.ruling.Status == court.Insufficient
	}
	if d.judged() {
		words = append(words, aloneHead+": EXACT as the built-in judges alone give it.")
	}
	if d.rec.Case.Calibration != nil {
		words = append(words, calibratedHead+": EXACT as people would mark it, by the marks that they gave to other cases.")
	}
	if len(d.rec.Case.Answers) > 0 {
		words = append(words, "HUMAN: the score that a person gave.", "COUNTS: the score that is in the total.")
	}
	if strings.Contains(all.String(), "*") {
		words = append(words, "*: overruled by the evidence.")
	}
	if strings.Contains(all.String(), "s") {
		words = append(words, "s: a built-in judge took the seat.")
	}
	if provisional {
		words = append(words, "?: provisional, because too little could be checked.")
	}
	if none {
		words = append(words, court.NoScore+": no score.")
	}
	return words
}

// seatColumns is what the three seats said, a mark standing in the gap behind
// the number.
func (s *summary) seatColumns(criterion string) string {
	line := "  "
	for i, judge := range seats() {
		line = left(line, 2+3*i) + s.said(criterion, judge)
	}
	return line
}

// said is a seat's score as it was said: * where it was overruled, s where a
// built-in judge took the seat.
func (d *docket) said(criterion string, seat court.Persona) string {
	o := d.opinion(criterion, seat)
	if o == nil || d.blind(criterion) {
		return court.NoScore
	}
	mark := ""
	if r := d.rulings[criterion]; r != nil && slices.Contains(r.Overruled, seat) {
		mark = "*"
	} else if o.Substituted != "" {
		mark = "s"
	}
	return fmt.Sprint(o.Score) + mark
}

func (s *summary) notePaint(r row, note string) string {
	switch {
	case r.ruling == nil, r.ruling.Status != court.Proven:
		return s.p.amber(note)
	case r.ruling.CappedBy() != "":
		return s.p.red(note)
	default:
		return s.p.faint(note)
	}
}

// fixes shows the three remedies that gain most, by the numbers that whatif
// takes, each with what to do below its place.
func (s *summary) fixes() {
	list := s.rec.Remedies[:min(3, len(s.rec.Remedies))]
	if len(list) == 0 {
		return
	}
	last := s.totalHead()
	effortCol := len("EFFORT")
	for _, m := range list {
		effortCol = max(effortCol, cells(effort(m.Effort)))
	}
	room := min(s.o.width(), 80) - 4 - 2 - effortCol - 2 - len(last)
	s.line("    %s  %s  %s", left("FIX FIRST", room), right("EFFORT", effortCol), last)
	for i, m := range list {
		mark := " "
		if s.blocks(m) {
			mark = "!"
		}
		s.line("%s %d %s  %s  %s", s.p.red(mark), i+1, s.o.link(firstLink(s.rec.Case, m.At), left(s.placed(m, room), room)),
			right(effort(m.Effort), effortCol), right(s.totalAfter(i+1, m), len(last)))
		for _, l := range fewLines(clean0(sentence(m.Text)), s.o.width()-6, 3) {
			s.line("      %s", l)
		}
	}
	s.b.WriteString(legend(strings.Join(s.fixSigns(list), " "), s.o))
	s.line("")
}

// fixSigns explains the columns of the remedies.
func (d *docket) fixSigns(list []court.Remedy) []string {
	words := []string{"EFFORT: an estimate.", d.totalHead() + ": the total once this fix and all above it are done."}
	if d.judged() {
		words[1] = d.totalHead() + ": how much higher the total then is, as the built-in judges estimate it."
	}
	for i := range list {
		if d.falls(i + 1) {
			words = append(words, "A total that falls: a criterion that has no score yet then counts.")
			break
		}
	}
	if slices.ContainsFunc(list, d.blocks) {
		words = append(words, "!: lifts a cap, or a score that is under its bar.")
	}
	return words
}

// upTo names the remedies from the first to the nth.
func upTo(n int, to string) string {
	if n == 1 {
		return "1"
	}
	return fmt.Sprintf("1%s%d", to, n)
}

// place is where a remedy is to be applied: its file, or else its criterion.
func (d *docket) place(m court.Remedy) string {
	if located(m.Location) {
		return clean(m.Location)
	}
	return clean(d.name(m.Criterion))
}

// located tells whether a location names a place.
func located(location string) bool { return location != "" && location != "nowhere" }

// placed is the place of a remedy in n columns. Of a path the end tells most,
// of a name the beginning.
func (s *summary) placed(m court.Remedy, n int) string {
	if located(m.Location) {
		return cutLeft(s.place(m), n)
	}
	return cut(s.place(m), n)
}

// blocks tells whether a remedy lifts the cap of the total or the miss of its
// criterion's own bar.
func (d *docket) blocks(m court.Remedy) bool {
	if m.Blocking {
		return true
	}
	r, g := d.rulings[m.Criterion], d.rec.Gate
	if r == nil || g == nil {
		return false
	}
	bar, ok := g.Bars[m.Criterion]
	return ok && r.Low < bar
}
