package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// strip is one criterion drawn on the scale from 1 to 5. Each seat has its own
// shape, so that colour is never the only sign; near scores stack upwards.
type strip struct {
	Ticks     []string
	Low, High string // of the counted scores; empty: nobody was heard
	Final     string
	Marks     []stripMark
	Wide      bool
}

type stripMark struct {
	Seat court.Persona
	X, Y string
}

// tenths prints a length in tenths of a point: drawing is done in integers, so
// that every machine draws the same.
func tenths(n int64) string { return court.Fixed(n * 1000).String() }

// stripX is where an exact score stands, in tenths: from 14 to 246.
func stripX(f court.Fixed) int64 { return 140 + int64(f-court.One)*2320/int64(4*court.One) }

func (m *pageMaker) strip(criterion string) strip {
	var s strip
	for i := range 5 {
		s.Ticks = append(s.Ticks, tenths(stripX(court.Fixed(i+1)*court.One)))
	}
	r := m.rulings[criterion]
	if r != nil && r.Final == nil { // no number is shown of what nobody could examine
		return s
	}
	var drawn [][2]int64 // where the marks stand
	low, high := court.Fixed(math.MaxInt64), court.Fixed(0)
	for _, seat := range seats() {
		o := m.opinion(criterion, seat)
		if o == nil {
			continue
		}
		exact := min(max(m.counted(o), court.One), 5*court.One)
		low, high = min(low, exact), max(high, exact)
		x, y := stripX(exact), int64(170)
		for _, d := range drawn {
			if d[0]-x < 110 && x-d[0] < 110 {
				y = min(y, d[1]-110)
			}
		}
		drawn = append(drawn, [2]int64{x, y})
		switch seat {
		case court.Prosecutor:
			y -= 70
		case court.TechLead:
			x, y = x-50, y-50
		case court.Defense: // stays where its score is
		}
		s.Marks = append(s.Marks, stripMark{seat, tenths(x), tenths(y)})
	}
	if len(drawn) > 0 {
		s.Low, s.High = tenths(stripX(low)), tenths(stripX(high))
	}
	if r != nil {
		s.Wide = r.Spread > 2
		s.Final = tenths(stripX(min(max(r.Exact, court.One), 5*court.One)))
	}
	return s
}

// radar is an ornament: the table below it holds the same numbers.
type radar struct {
	Rings                      []string
	Prosecutor, Defense, Final string
	Labels                     []drawnText
}

type drawnText struct{ X, Y, Anchor, Text string }

// maxSpokes is the most criteria that a radar can show.
const maxSpokes = 24

// radar draws the rulings; it needs three of them at least.
func (m *pageMaker) radar() *radar {
	var list []court.Criterion
	for _, c := range m.heard() {
		if r := m.rulings[c.ID]; r != nil && r.Final != nil {
			list = append(list, c)
		}
	}
	if len(list) < 3 || len(list) > maxSpokes {
		return nil
	}
	r := &radar{}
	polygon := func(value func(string) court.Fixed) string {
		var points []string
		for i, c := range list {
			x, y := spoke(i, len(list), value(c.ID))
			points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
		}
		return strings.Join(points, " ")
	}
	for v := range 5 {
		r.Rings = append(r.Rings, polygon(func(string) court.Fixed { return court.Fixed(v+1) * court.One }))
	}
	said := func(seat court.Persona) func(string) court.Fixed {
		return func(id string) court.Fixed {
			if o := m.opinion(id, seat); o != nil {
				return m.counted(o)
			}
			return 0
		}
	}
	r.Prosecutor, r.Defense = polygon(said(court.Prosecutor)), polygon(said(court.Defense))
	r.Final = polygon(func(id string) court.Fixed { return m.rulings[id].Exact })
	for i, c := range list {
		r.Labels = append(r.Labels, spokeLabels(i, len(list), line(nameOf(c)))...)
	}
	return r
}

// spoke is the point of a value on one of n spokes. Products are converted
// before they are added, so that no machine fuses the two and rounds once.
func spoke(i, n int, f court.Fixed) (x, y float64) {
	const radius, cx, cy = 104.0, 215.0, 150.0
	v := float64(min(max(f, 0), 6*court.One)) / float64(court.One)
	angle := float64(2*math.Pi*float64(i))/float64(n) - math.Pi/2
	return cx + float64(radius*v/5*math.Cos(angle)), cy + float64(radius*v/5*math.Sin(angle))
}

// spokeLine is how long a line of a label is, in characters.
const spokeLine = 16

// spokeLabels is a name at the end of its spoke, in at most three lines.
func spokeLabels(i, n int, name string) []drawnText {
	x, y := spoke(i, n, 57000)
	anchor := "middle"
	switch {
	case x < 195:
		anchor = "end"
	case x > 235:
		anchor = "start"
	}
	lines := strings.Fields(name)
	for k := len(lines) - 1; k > 0 && len(lines) > 2; k-- {
		if both := lines[k-1] + " " + lines[k]; cells(both) <= spokeLine {
			lines = slices.Concat(lines[:k-1], []string{both}, lines[k+1:])
		}
	}
	if len(lines) > 3 {
		lines = append(lines[:2:2], lines[2]+" …")
	}
	var list []drawnText
	for k, word := range lines {
		list = append(list, drawnText{fmt.Sprintf("%.1f", x), fmt.Sprintf("%.1f", y-3+float64(14*k)), anchor, cut(word, spokeLine)})
	}
	return list
}

// timeline is what ran when, a lane per node of the audit graph.
type timeline struct {
	Full, Height string
	Text         string
	Ticks, Lanes []drawnText
	Bars         []timelineBar
}

type timelineBar struct {
	Title, Text, X, Y, Width, TextX, TextY string
	Seat                                   court.Persona
}

// maxBars is the most tasks that a timeline draws; the record holds the rest.
const maxBars = 400

// newTimeline draws the spans of a run; nil when there are none.
func newTimeline(spans []court.Span) *timeline {
	if len(spans) == 0 {
		return nil
	}
	const left, room, row = 1600, 7300, 260 // tenths
	var end int64 = 1
	var lanes []string
	for _, s := range spans {
		end = max(end, s.End)
		if !slices.Contains(lanes, s.Node) && len(lanes) < 40 {
			lanes = append(lanes, s.Node)
		}
	}
	x := func(ms int64) int64 { return left + int64(float64(min(max(ms, 0), end))/float64(end)*room) }
	height := int64(len(lanes)) * row
	t := &timeline{Full: tenths(height + 240), Height: tenths(height), Text: fmt.Sprintf("%s in %s", plural(len(spans), "task"), seconds(end))}
	for _, ms := range ticks(end) {
		t.Ticks = append(t.Ticks, drawnText{X: tenths(x(ms)), Y: tenths(height + 160), Text: seconds(ms)})
	}
	for i, lane := range lanes {
		t.Lanes = append(t.Lanes, drawnText{Y: tenths(int64(i)*row + 170), Text: cut(line(lane), 20)})
	}
	for _, s := range spans[:min(maxBars, len(spans))] {
		i := int64(slices.Index(lanes, s.Node))
		if i < 0 {
			continue
		}
		width := max(x(s.End)-x(s.Start), 30)
		b := timelineBar{Title: line(fmt.Sprintf("%s: %s, %d ms", s.Node, s.Item, s.End-s.Start)), X: tenths(x(s.Start)), Y: tenths(i*row + 40), Width: tenths(width),
			TextX: tenths(x(s.Start) + 60), TextY: tenths(i*row + 170)}
		if slices.Contains([]string{"Prosecutor", "Defense", "TechLead", "ChiefJustice"}, s.Node) {
			b.Seat = court.Persona(s.Node)
		}
		if text := line(s.Item); width > int64(64*cells(text)+120) {
			b.Text = text
		}
		t.Bars = append(t.Bars, b)
	}
	return t
}

// ticks are at most nine round moments of a run.
func ticks(end int64) []int64 {
	step := int64(100)
	for i := 0; end/step > 8; i++ { // 100, 200, 500, 1000, …
		if i%3 == 1 {
			step = step * 5 / 2
		} else {
			step *= 2
		}
	}
	var list []int64
	for ms := int64(0); ms <= end; ms += step {
		list = append(list, ms)
	}
	return list
}
