package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// WriteComparison writes what changed as text: a line per score, and the
// evidence behind it.
func WriteComparison(w io.Writer, c Comparison, o TextOptions) error {
	p := paint(o.Color)
	var b strings.Builder
	for _, s := range c.Warnings {
		fmt.Fprintf(&b, "%s\n", p.amber("warning: "+clean(s)))
	}
	room := len(court.OverallID)
	for _, x := range c.Criteria {
		room = max(room, cells(clean(x.ID)))
	}
	room = min(room, 40)
	for _, x := range append(c.Criteria, c.Overall) {
		line := fmt.Sprintf("%s  %s -> %s  %s", left(cut(clean(x.ID), room), room), shownScore(x.Old), shownScore(x.New), p.delta(x))
		notes := strings.Join(x.notes(), "; ")
		if notes == "" || room+23+cells(notes) <= o.width() {
			b.WriteString(strings.TrimRight(line+"  "+x.linked(notes, o), " ") + "\n")
			continue
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		for _, l := range wrap(notes, o.width()-4) {
			b.WriteString("    " + x.linked(l, o) + "\n")
		}
	}
	return put(w, []byte(b.String()))
}

// MarkdownComparison writes what changed as a table, and below it the evidence
// that is gone and that came.
func MarkdownComparison(w io.Writer, c Comparison) error {
	var b strings.Builder
	for _, s := range c.Warnings {
		fmt.Fprintf(&b, "**Warning**: %s\n\n", mdText(s))
	}
	b.WriteString("| Criterion | Before | After | Change | Why |\n|---|---|---|---|---|\n")
	for _, x := range append(c.Criteria, c.Overall) {
		var why []string
		for _, n := range x.Note {
			why = append(why, mdText(n))
		}
		why = append(why, x.told(3, 3, moved.markdown)...)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", mdText(x.Name), shownScore(x.Old), shownScore(x.New), strings.TrimSpace(shownDelta(x)), strings.Join(why, "; "))
	}
	return put(w, []byte(b.String()))
}

// notes are the few words that stand behind a score: what became of the
// evidence, and of the rules.
func (c Change) notes() []string {
	list := c.told(3, 1, moved.text)
	for _, n := range c.Note {
		list = append(list, clean(n))
	}
	return list
}

// text is one check in words for a terminal. Of several pieces of evidence the
// worst speaks.
func (m moved) text() string {
	said := func(t Trace) string {
		if located(t.Location) {
			return fmt.Sprintf("(%s, %s)", outcomeWord(t.Outcome), t.Location)
		}
		return fmt.Sprintf("(%s)", outcomeWord(t.Outcome))
	}
	switch {
	case len(m.came) == 0:
		return clean(m.gone[0].Label + " gone " + said(m.gone[0]))
	case len(m.gone) == 0:
		return clean(m.came[0].Label + " new " + said(m.came[0]))
	}
	return clean(fmt.Sprintf("%s %s -> %s %s", m.gone[0].Label, said(m.gone[0]), m.came[0].Label, said(m.came[0])))
}

// markdown is text as Markdown, with the check's id.
func (m moved) markdown() string {
	said := func(t Trace) string {
		return strings.TrimSpace(mdText(outcomeWord(t.Outcome)) + " " + mdCode(t.Location, true))
	}
	switch {
	case len(m.came) == 0:
		return fmt.Sprintf("%s gone: %s %s", mdText(m.gone[0].Label), mdText(m.check), said(m.gone[0]))
	case len(m.gone) == 0:
		return fmt.Sprintf("%s new: %s %s", mdText(m.came[0].Label), mdText(m.check), said(m.came[0]))
	}
	return fmt.Sprintf("%s: %s %s -> %s %s", mdText(m.check), mdText(m.gone[0].Label), said(m.gone[0]), mdText(m.came[0].Label), said(m.came[0]))
}

// linked lets the places of a line of notes lead to their permalinks. It comes
// after all counting of columns.
func (c Change) linked(line string, o TextOptions) string {
	for _, t := range slices.Concat(c.Gone, c.Came) {
		place := clean(t.Location)
		if head, tail, ok := strings.Cut(line, ", "+place+")"); ok && t.Link != "" {
			return c.linked(head, o) + ", " + o.link(t.Link, place) + ")" + c.linked(tail, o)
		}
	}
	return line
}

func shownScore(f *court.Fixed) string {
	if f == nil {
		return "   -"
	}
	return f.Shown()
}

// shownDelta is a change with its sign in five columns.
func shownDelta(c Change) string {
	d, sign := c.Delta(), "+"
	switch {
	case d == 0:
		return "     "
	case d < 0:
		d, sign = -d, "-"
	}
	return sign + d.Shown()
}

func (p paint) delta(c Change) string {
	s := shownDelta(c)
	switch {
	case c.Delta() > 0:
		return p.green(s)
	case c.Delta() < 0:
		return p.red(s)
	default:
		return s
	}
}
