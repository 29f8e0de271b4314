package cli

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
)

// look is how the live view looks: pure functions of what is known.
type look struct {
	good, bad, busy, faint, strong lipgloss.Style
	spinner                        []string
	tick, wait                     string
	full, rest                     string
}

// newLook chooses colours and characters.
func newLook(color, utf8 bool) look {
	l := look{spinner: []string{">"}, tick: "ok", wait: ".", full: "=", rest: "-"}
	if utf8 {
		l = look{spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}, tick: "✓", wait: "·", full: "━", rest: "─"}
	}
	plain := lipgloss.NewStyle()
	l.good, l.bad, l.busy, l.faint, l.strong = plain, plain, plain, plain, plain
	if color {
		l.good, l.bad, l.busy = plain.Foreground(lipgloss.Green), plain.Foreground(lipgloss.Red), plain.Foreground(lipgloss.Cyan)
		l.faint, l.strong = plain.Faint(true), plain.Bold(true)
	}
	return l
}

// draw draws the rows, each on a line, and ends with an empty one.
func (l look) draw(rows []*row, width, height int, now time.Time) string {
	var b strings.Builder
	width = min(width, widest)
	for _, r := range l.fitting(rows, height) {
		b.WriteString(l.cut(l.row(r, width, now), width) + "\n")
	}
	return b.String()
}

// spare is how many lines of the terminal are left to what scrolls past.
const spare = 4

// fitting are the rows that a terminal of this height has room for: those at
// work first. How many there are does not change while it runs, so that nothing
// jumps.
func (l look) fitting(rows []*row, height int) []*row {
	room := max(height-1-spare, 1)
	if len(rows) <= room {
		return rows
	}
	var busy, idle []*row
	for _, r := range rows {
		if !r.waiting && r.state == begun {
			busy = append(busy, r)
		} else {
			idle = append(idle, r)
		}
	}
	return append(busy, idle...)[:room]
}

// A row is a mark, the name, the bar, the time and a text.
const (
	nameWidth = 19
	barWidth  = 20
	narrowBar = 10
	roomy     = 76  // columns from which a bar has its full width
	widest    = 100 // longer lines are no better to read, and wrap when the terminal is made narrower
)

func (l look) row(r *row, width int, now time.Time) string {
	bar := barWidth
	if width < roomy {
		bar = narrowBar
	}
	switch {
	case r.waiting:
		return l.faint.Render(fmt.Sprintf(" %-*s %s", l.markWidth(), l.wait, r.name))
	case r.state == begun:
		spent := r.spent + now.Sub(r.began)
		mark := l.spinner[int(spent/beat)%len(l.spinner)]
		return fmt.Sprintf(" %s %-*s %s %s  %s", l.busy.Render(fmt.Sprintf("%-*s", l.markWidth(), mark)), nameWidth, r.name, l.bar(r.done, r.of, bar), seconds(spent), l.faint.Render(r.text))
	}
	return fmt.Sprintf(" %s %-*s %s %s  %s", l.good.Render(l.tick), nameWidth, r.name, l.faint.Render(strings.Repeat(l.full, bar)), seconds(r.spent), r.text)
}

func (l look) markWidth() int { return lipgloss.Width(l.tick) }

// bar shows a share; where nobody knows how much there is, there is no bar.
func (l look) bar(done, of, width int) string {
	if of <= 0 {
		return strings.Repeat(" ", width)
	}
	n := min(max(done, 0), of) * width / of
	return l.busy.Render(strings.Repeat(l.full, n)) + l.faint.Render(strings.Repeat(l.rest, width-n))
}

func seconds(d time.Duration) string {
	if d < 100*time.Second {
		return fmt.Sprintf("%5.1fs", max(d, 0).Seconds())
	}
	return fmt.Sprintf("%2dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}

// finding is a line that stays: the place stands out.
func (l look) finding(text string) string {
	place, rest, _ := strings.Cut(text, "  ")
	return "  " + l.bad.Render(place) + "  " + rest
}

func (l look) fault(step, text string) string { return "  " + l.strong.Render(step) + "  " + text }

// pass is a line that scrolls past, whole: what does not fit goes on below,
// further in where it is one of ours.
func (l look) pass(text string, width int) string {
	if !strings.HasPrefix(text, "  ") {
		return lipgloss.Wrap(text, max(width-1, 1), " ")
	}
	return strings.ReplaceAll(lipgloss.Wrap(text, max(width-5, 1), " "), "\n", "\n    ")
}

// cut leaves the last column free: some terminals wrap a line that fills it.
func (l look) cut(text string, width int) string {
	return lipgloss.NewStyle().MaxWidth(max(width-1, 1)).Render(text)
}
