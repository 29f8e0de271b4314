package report

import (
	"cmp"
	"fmt"
	"slices"

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

// aloneHead is the head of the column with the scores of the embedded bench
// alone.
const aloneHead = "EMBEDDED"

// nameCut is the widest name of a criterion at 80 columns and more.
const nameCut = 33

func (s *summary) table() {
	rows := s.rows()
	if len(rows) == 0 || s.rec.Verdict == nil {
		return
	}
	head := ""
	name, beside := max(16, nameCut-max(0, 80-s.o.width())), 0
	if s.judged() {
		head = "  " + aloneHead
		beside = len(head)
		name = max(16, nameCut-max(0, 80+beside-s.o.width()))
	}
	s.line("  %s  P  D  T  FINAL  EXACT%s", left("CRITERION", name), head)
	for _, r := range rows {
		final, exact := court.NoScore, court.NoScore
		if r.ruling != nil {
			final, exact = fmt.Sprint(*r.ruling.Final), r.ruling.Exact.Shown()
		}
		seat := s.seatColumns(r.criterion.ID)
		cols := left(cut(clean(nameOf(r.criterion)), name), name) + seat + right(final, 16-cells(seat)) + right(exact, 7)
		if beside > 0 {
			cols += right(cmp.Or(s.alone(r.criterion.ID), court.NoScore), beside)
		}
		note := cut(clean(s.note(r.criterion)), s.o.width()-name-27-beside)
		s.line("  %s  %s", cols, s.notePaint(r, note))
	}
	s.line("")
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

// said is a seat's score as it was said: * where it was overruled, s where the
// embedded bench sat in.
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
	case cappedBy(r.ruling) != "":
		return s.p.red(note)
	default:
		return s.p.faint(note)
	}
}

// fixes shows the three remedies that gain most, by the numbers that whatif
// takes. The total beside each is with it and all before it.
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
	room := s.o.width() - 4 - 2 - 2 - effortCol - 2 - len(last)
	placeCol, textCol := len("FIX FIRST"), 0
	for _, m := range list {
		placeCol = max(placeCol, cells(s.place(m)))
		textCol = max(textCol, cells(clean(lowerFirst(m.Text))))
	}
	placeCol = min(placeCol, room/2)
	fill := 80 - 4 - placeCol - 2 - 2 - effortCol - 2 - len(last)
	textCol = min(max(textCol, fill), room-placeCol)
	s.line("    %s  %s  %s", left("FIX FIRST", placeCol+2+textCol), right("EFFORT", effortCol), last)
	for i, m := range list {
		mark := " "
		if s.blocks(m) {
			mark = "!"
		}
		s.line("%s %d %s  %s  %s  %s", s.p.red(mark), i+1, s.o.link(firstLink(s.rec.Case, m.At), left(s.placed(m, placeCol), placeCol)), left(fitted(m.Text, textCol), textCol),
			right(effort(m.Effort), effortCol), right(s.totalAfter(i+1, m), len(last)))
	}
	s.line("")
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

// fitted is a remedy in n columns: whole, its first clause if that is most of
// what there is room for, or cut.
func fitted(text string, n int) string {
	whole := clean(lowerFirst(text))
	if cells(whole) <= n {
		return whole
	}
	if first := clean(clause(lowerFirst(text))); cells(first) <= n && 2*cells(first) > n {
		return first
	}
	return cut(whole, n)
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
