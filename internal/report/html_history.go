package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// historyView is the history on the page: drawn over time, and as a list.
type historyView struct {
	Lead, Cut, Note, Counted string
	W, H, Base               int
	Rules                    []historyRule
	Days                     []historyDay
	Bars                     []historyBar
	Commits                  []commitRow
	Spans                    []spanRow
	Flags                    bool // evidence speaks against some commit
}

// historyRule is a line of the scale, with what it stands for.
type historyRule struct {
	Y    int
	Text string
}

// historyDay is a stretch of the time axis. Every other one is shaded.
type historyDay struct {
	X, W  int
	Shade bool
	Text  string
}

// historyBar is a commit or a span of time.
type historyBar struct {
	X, Y, W, H, Mid    int
	Class, Title, Mark string // Mark: label of evidence against it
	Against            bool
}

// commitRow is a commit in the list.
type commitRow struct {
	ID, Link, At, Subject, Changed string
	Cites                          []citeView
}

// spanRow is a span of time in the list.
type spanRow struct{ From, Commits, Changed string }

// Sizes in the drawing, in points.
const (
	historyLeft  = 46
	historyRoom  = 900 // of the bars at most
	historyTall  = 120 // of the highest bar
	historyTop   = 40  // above it, for marks
	historyBase  = historyTop + historyTall
	historyFull  = historyBase + 26
	mostListed   = 300
	mostBarSpans = 200
	dayTextRoom  = 8 // between two labels of the axis
)

// chronicle turns a past into a view.
type chronicle struct {
	*docket
	past  *court.Past
	about map[string][]*court.Exhibit // evidence by commit, as the past writes it
	most  int                         // lines of the highest bar
}

// history is the section of the history; nil: there is nothing to say.
func (m *pageMaker) history() *historyView {
	if m.rec.Portrait == nil || m.rec.Portrait.History == nil {
		return nil
	}
	h := newChronicle(m.docket, m.rec.Portrait.History)
	v := &historyView{W: historyLeft + historyRoom + 64, H: historyFull, Base: historyBase, Lead: line(h.lead())}
	if h.past.Cut != "" {
		v.Cut = sentence(line(h.past.Cut))
	}
	if h.past.Unit != "" {
		v.Counted = "counted by the " + line(h.past.Unit)
	}
	for _, c := range h.past.Commits[:min(len(h.past.Commits), mostListed)] {
		row := h.row(c)
		for _, x := range h.about[c.ID] {
			row.Cites = append(row.Cites, m.citeView(x.ID))
		}
		v.Commits = append(v.Commits, row)
	}
	if len(h.past.Spans) > 0 {
		h.drawSpans(v)
	} else {
		h.drawCommits(v)
	}
	v.Flags = slices.ContainsFunc(v.Bars, func(b historyBar) bool { return b.Against })
	for lines := 1; lines <= max(h.most, leastScale) && len(v.Bars) > 0; lines *= 10 {
		v.Rules = append(v.Rules, historyRule{historyBase - h.height(lines), thousands(lines)})
	}
	return v
}

// newChronicle finds the evidence about each commit that is listed.
func newChronicle(d *docket, past *court.Past) *chronicle {
	h := &chronicle{docket: d, past: past, about: map[string][]*court.Exhibit{}}
	listed := map[string]bool{}
	for _, c := range h.past.Commits {
		listed[c.ID] = c.ID != ""
	}
	for i := range h.exhibits {
		x := &h.exhibits[i]
		for _, p := range x.At {
			if id := first(p.Commit, 12); listed[id] && x.Stands() && !slices.Contains(h.about[id], x) {
				h.about[id] = append(h.about[id], x)
			}
		}
	}
	return h
}

// lead says in words how long the history is.
func (h *chronicle) lead() string {
	p := h.past
	s := plural(p.Total, "commit")
	if p.Merges > 0 {
		s += ", " + plural(p.Merges, "merge") + " among them"
	}
	if from, to := h.ends(); from != "" {
		s += fmt.Sprintf(", from %s to %s by the authors' clocks (UTC)", from, to)
	}
	if p.Undated > 0 {
		s += fmt.Sprintf("; the times of %d cannot be read", p.Undated)
	}
	return s + "."
}

// ends are the first and the last day.
func (h *chronicle) ends() (from, to string) {
	see := func(day string) {
		if _, ok := moment(day); !ok {
			return
		}
		if day = first(day, 10); from == "" || day < from {
			from = day
		}
		to = max(to, day)
	}
	if len(h.past.Spans) > 0 {
		for _, s := range h.past.Spans {
			see(s.From)
		}
		return from, to
	}
	for _, c := range h.past.Commits {
		see(c.At)
	}
	return from, to
}

// row is a commit in the list.
func (h *chronicle) row(c court.PastCommit) commitRow {
	r := commitRow{ID: line(c.ID), Link: h.link(court.Place{Commit: c.ID}), At: line(shownMoment(c.At)), Subject: line(c.Subject), Changed: line(changed(c))}
	return r
}

// changed is what a commit changed, in words.
func changed(c court.PastCommit) string {
	switch {
	case c.Merge:
		return "merge"
	case c.Partial && c.Files == 0:
		return "not known"
	}
	s := fmt.Sprintf("%s, +%d \u2212%d", plural(c.Files, "file"), c.Added, c.Deleted)
	if c.Partial {
		s += ", not all known"
	}
	return s
}

// against names the evidence that speaks against commits, each once.
func (h *chronicle) against(ids ...string) (labels []string) {
	for _, id := range ids {
		for _, x := range h.about[id] {
			if label := line(cmp.Or(x.Label, x.ID)); (x.Outcome == court.Violation || x.Outcome == court.Partial) && !slices.Contains(labels, label) {
				labels = append(labels, label)
			}
		}
	}
	return labels
}

// flag is against in a few letters.
func (h *chronicle) flag(ids ...string) (text string, up bool) {
	switch labels := h.against(ids...); len(labels) {
	case 0:
		return "", false
	case 1:
		return cut(labels[0], 12), true
	default:
		return fmt.Sprintf("%s +%d", cut(labels[0], 12), len(labels)-1), true
	}
}
