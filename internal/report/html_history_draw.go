package report

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// log2 is a logarithm in sixteenths, of n+1, so that nothing has no height.
func log2(n int) int {
	v := uint64(max(n, 0)) + 1
	k := bits.Len64(v) - 1
	if k > 40 {
		return 16 * k
	}
	return 16*k + int(v<<4>>k) - 16
}

// leastScale is how many lines the scale shows at least, so that a line is not
// drawn as if it were much.
const leastScale = 100

// height of a bar for so many lines.
func (h *chronicle) height(lines int) int {
	return log2(lines) * historyTall / log2(max(h.most, leastScale))
}

// thousands writes a power of ten shortly.
func thousands(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%d M", n/1_000_000)
	case n >= 1_000:
		return fmt.Sprintf("%d k", n/1_000)
	default:
		return fmt.Sprint(n)
	}
}

// drawCommits gives each commit a bar, in the order of time. A pause makes room
// in proportion to the logarithm of its length, so that commits in a row stand
// apart and a month does not push them together.
func (h *chronicle) drawCommits(v *historyView) {
	type dated struct {
		court.PastCommit
		at int64
	}
	var list []dated
	var last int64
	for _, c := range h.past.Commits[:min(len(h.past.Commits), mostListed)] {
		if t, ok := moment(c.At); ok {
			last = t
		}
		list = append(list, dated{c, last})
		if !c.Merge {
			h.most = max(h.most, c.Added+c.Deleted)
		}
	}
	slices.SortStableFunc(list, func(a, b dated) int { return int(min(max(a.at-b.at, -1), 1)) })
	const step, hour = 16, 60 * 60
	at := make([]int, len(list))
	for i := 1; i < len(list); i++ {
		at[i] = at[i-1] + step + 6*bits.Len64(uint64(max(list[i].at-list[i-1].at, 0))/hour)
	}
	if len(list) == 0 {
		return
	}
	room := min(at[len(at)-1]+step, historyRoom)
	v.W = historyLeft + max(room, 240) + 64
	x := func(i int) int { return historyLeft + 8 + at[i]*(room-step)/max(at[len(at)-1], 1) }
	width := max(2, min(10, (room-step)/len(list)-2))
	day := ""
	for i, c := range list {
		if d := first(shownMoment(c.At), 10); d != day && d != "" || i == 0 {
			day = d
			v.Days = append(v.Days, historyDay{X: x(i) - width/2 - 1, Shade: len(v.Days)%2 == 1, Text: d})
		}
		v.Bars = append(v.Bars, h.commitBar(c.PastCommit, x(i), width))
	}
	h.axis(v, historyLeft+8+room)
	v.Note = "From left to right in time; pauses are drawn shorter than they were."
	h.spaceMarks(v)
}

func (h *chronicle) commitBar(c court.PastCommit, x, width int) historyBar {
	b := historyBar{X: x - width/2, W: width, Mid: x, Class: "hb", H: h.height(c.Added + c.Deleted)}
	text := shownMoment(c.At)
	if text == "" {
		text = "time not readable"
	}
	switch {
	case c.Merge:
		b.Class, b.H = "hm", 0
	case c.Partial:
		b.Class += " part"
	}
	b.Y = historyBase - b.H
	b.Title = line(fmt.Sprintf("%s, %s: %s (%s)", c.ID, text, c.Subject, changed(c)))
	b.Mark, b.Against = h.flag(c.ID)
	if b.Against {
		b.Title += "; against it: " + b.Mark
	}
	return b
}

// drawSpans gives each span a bar at its date. Commits that evidence speaks
// against mark the span that they lie in.
func (h *chronicle) drawSpans(v *historyView) {
	const day = 24 * 60 * 60
	length := map[string]int64{"day": 1, "week": 7, "month": 30, "year": 365}[h.past.Unit]
	length = max(length, 1)
	var list []court.PastSpan
	var from, to int64
	for _, s := range h.past.Spans[:min(len(h.past.Spans), mostBarSpans)] {
		t, ok := moment(s.From)
		if !ok {
			continue
		}
		if len(list) == 0 || t < from {
			from = t
		}
		to = max(to, t)
		list = append(list, s)
		h.most = max(h.most, s.Added+s.Deleted)
		v.Spans = append(v.Spans, spanRow{line(s.From), plural(s.Commits, "commit"), fmt.Sprintf("%s, +%d \u2212%d", plural(s.Merges, "merge"), s.Added, s.Deleted)})
	}
	whole := (to-from)/day + length
	width := max(2, int(historyRoom*length/whole)-1)
	for i, s := range list {
		t, _ := moment(s.From)
		x := historyLeft + 8 + int((t-from)/day*(historyRoom-16)/whole)
		b := historyBar{X: x, W: width, Mid: x + width/2, Class: "hb", H: h.height(s.Added + s.Deleted)}
		b.Y = historyBase - b.H
		b.Title = line(fmt.Sprintf("%s from %s: %s, %s, +%d \u2212%d", h.past.Unit, s.From, plural(s.Commits, "commit"), plural(s.Merges, "merge"), s.Added, s.Deleted))
		var within []string
		for _, c := range h.past.Commits[:min(len(h.past.Commits), mostListed)] {
			if at, ok := moment(c.At); ok && at >= t && (i+1 == len(list) || at < h.begins(list[i+1])) {
				within = append(within, c.ID)
			}
		}
		if b.Mark, b.Against = h.flag(within...); b.Against {
			b.Title += "; against it: " + b.Mark
		}
		v.Bars = append(v.Bars, b)
		v.Days = append(v.Days, historyDay{X: x, Text: h.spanText(s.From)})
	}
	h.axis(v, historyLeft+8+historyRoom)
	for i := range v.Days {
		v.Days[i].Shade = false
	}
	h.spaceMarks(v)
}

func (h *chronicle) begins(s court.PastSpan) int64 {
	t, _ := moment(s.From)
	return t
}

func (h *chronicle) spanText(from string) string {
	switch h.past.Unit {
	case "year":
		return first(from, 4)
	case "month":
		return first(from, 7)
	default:
		return from
	}
}

// axis ends each day where the next begins and leaves the labels that have room.
func (h *chronicle) axis(v *historyView, end int) {
	const digit = 7
	free := 0
	for i := range v.Days {
		d := &v.Days[i]
		next := end
		if i+1 < len(v.Days) {
			next = v.Days[i+1].X
		}
		d.W = max(next-d.X, 0)
		d.Text = line(d.Text)
		if d.X < free || d.X+digit*cells(d.Text) > v.W {
			d.Text = ""
			continue
		}
		free = d.X + digit*cells(d.Text) + dayTextRoom
	}
}

// spaceMarks leaves the labels of marks that have room; the marks stay.
func (h *chronicle) spaceMarks(v *historyView) {
	free := 0
	for i := range v.Bars {
		b := &v.Bars[i]
		half := smallCell*cells(b.Mark)/2 + 2
		if b.Mark == "" || b.Mid-half < free {
			b.Mark = ""
			continue
		}
		free = b.Mid + half
	}
}

// moment is a time of the record in seconds since 1970: 2006-01-02, with or
// without T15:04:05Z.
func moment(s string) (int64, bool) {
	const form, dayForm = "0000-00-00T00:00:00Z", len("0000-00-00")
	if len(s) != len(form) && len(s) != dayForm {
		return 0, false
	}
	var n [6]int64
	at := 0
	for i := range len(s) {
		switch c := s[i]; {
		case form[i] == '0' && c >= '0' && c <= '9':
			n[at] = n[at]*10 + int64(c-'0')
		case form[i] == '0' || c != form[i]:
			return 0, false
		default:
			at = min(at+1, len(n)-1)
		}
	}
	if n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31 {
		return 0, false
	}
	return daysTo(n[0], n[1], n[2])*24*60*60 + n[3]*60*60 + n[4]*60 + n[5], true
}

// daysTo counts the days from 1970 to a date of the Gregorian calendar.
func daysTo(year, month, day int64) int64 {
	if month <= 2 { // years are counted from March, so that the odd day comes last
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468
}

// shownMoment is a time for people; "" when it is none.
func shownMoment(s string) string {
	if _, ok := moment(s); !ok {
		return ""
	}
	if len(s) > 16 {
		return s[:10] + " " + s[11:16]
	}
	return s
}
