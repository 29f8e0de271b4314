package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	*pageMaker
	past  *court.Past
	about map[string][]*court.Exhibit // evidence by commit, as the past writes it
	most  int                         // lines of the highest bar
}

// history is the section of the history; nil: there is nothing to say.
func (m *pageMaker) history() *historyView {
	if m.rec.Portrait == nil || m.rec.Portrait.History == nil {
		return nil
	}
	h := &chronicle{pageMaker: m, past: m.rec.Portrait.History, about: map[string][]*court.Exhibit{}}
	h.collect()
	v := &historyView{W: historyLeft + historyRoom + 64, H: historyFull, Base: historyBase}
	h.lead(v)
	for _, c := range h.past.Commits[:min(len(h.past.Commits), mostListed)] {
		v.Commits = append(v.Commits, h.row(c))
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

// collect finds the evidence about each commit that is listed.
func (h *chronicle) collect() {
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
}

func against(x *court.Exhibit) bool {
	return x.Outcome == court.Violation || x.Outcome == court.Partial
}

// lead says in words how long the history is, and what it is not.
func (h *chronicle) lead(v *historyView) {
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
	v.Lead = line(s) + "."
	if p.Cut != "" {
		v.Cut = sentence(line(p.Cut))
	}
	if p.Unit != "" {
		v.Counted = "counted by the " + line(p.Unit)
	}
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
	r := commitRow{ID: line(c.ID), Link: permalink(h.rec.Case, court.Place{Commit: c.ID}), At: line(shownMoment(c.At)), Subject: line(c.Subject), Changed: line(changed(c))}
	for _, x := range h.about[c.ID] {
		r.Cites = append(r.Cites, h.citeView(x.ID))
	}
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

// labels names the evidence about commits, what speaks against them first.
func (h *chronicle) labels(ids ...string) (text string, bad bool) {
	var list []string
	for _, id := range ids {
		for _, x := range h.about[id] {
			if label := cut(h.citeView(x.ID).Label, 12); against(x) && !slices.Contains(list, label) {
				list = append(list, label)
			}
		}
	}
	if len(list) == 0 {
		return "", false
	}
	if len(list) > 2 {
		return fmt.Sprintf("%s +%d", list[0], len(list)-1), true
	}
	return cmp.Or(strings.Join(list, " "), "!"), true
}
