package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteComparison writes what changed as text: a line per score, and the
// evidence behind it.
func WriteComparison(w io.Writer, c Comparison, o TextOptions) error {
	p := paint(o.Color)
	var b strings.Builder
	for _, s := range c.Warnings {
		fmt.Fprintf(&b, "%s\n", p.amber("warning: "+clean(s)))
	}
	for _, text := range c.supposed() {
		for _, l := range wrap(clean0(text), o.width()) {
			b.WriteString(l + "\n")
		}
	}
	all := append(slices.Clone(c.Criteria), c.Overall)
	room := len("CRITERION")
	for _, x := range all {
		room = max(room, cells(clean(x.Name)))
	}
	room = min(room, 40)
	fmt.Fprintf(&b, "%s  BEFORE   NOW  CHANGE\n", left("CRITERION", room))
	for _, x := range all {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s  %s -> %s  %s", left(cut(clean(x.Name), room), room), right(shown(x.Old), 4), right(shown(x.New), 4), p.delta(x)), " ") + "\n")
		for _, note := range x.notes() {
			for _, l := range wrap(note, o.width()-4) {
				b.WriteString("    " + x.linked(l, o) + "\n")
			}
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
	for _, text := range c.supposed() {
		fmt.Fprintf(&b, "%s\n\n", mdText(text))
	}
	b.WriteString("| Criterion | Before | Now | Change | Why |\n|---|---|---|---|---|\n")
	for _, x := range append(c.Criteria, c.Overall) {
		var why []string
		for _, n := range x.Note {
			why = append(why, mdText(n))
		}
		why = append(why, x.told(3, 3, moved.markdown)...)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", mdText(x.Name), shown(x.Old), shown(x.New), strings.TrimSpace(shownDelta(x)), strings.Join(why, " "))
	}
	return put(w, []byte(b.String()))
}

// notes are the sentences that stand below a score: what became of the evidence,
// and of the rules.
func (c Change) notes() []string {
	list := c.told(3, 1, moved.text)
	for _, n := range c.Note {
		list = append(list, clean0(n))
	}
	return list
}

// text is one check in words for a terminal. Of several pieces of evidence the
// worst speaks.
func (m moved) text() string {
	return clean0(m.words(func(s string) string { return s }, func(t Trace) string { return t.Location }))
}

// markdown is the same as Markdown.
func (m moved) markdown() string {
	return m.words(mdText, func(t Trace) string { return mdCode(t.Location, true) })
}

// words are the check's sentence, and what was and what is found of it.
func (m moved) words(text func(string) string, place func(Trace) string) string {
	parts := []string{text(inQuotes(cmp.Or(m.goal, m.check)))}
	for _, side := range []struct {
		word string
		list []Trace
	}{{"Before", m.gone}, {"Now", m.came}} {
		switch {
		case len(side.list) == 0:
			parts = append(parts, side.word+": nothing on it.")
		case located(side.list[0].Location):
			parts = append(parts, fmt.Sprintf("%s: %s (%s, %s).", side.word, text(outcomeWord(side.list[0].Outcome)), text(side.list[0].Label), place(side.list[0])))
		default:
			parts = append(parts, fmt.Sprintf("%s: %s (%s).", side.word, text(outcomeWord(side.list[0].Outcome)), text(side.list[0].Label)))
		}
	}
	return strings.Join(parts, " ")
}

// linked lets the places of a line of notes lead to their permalinks. It comes
// after all counting of columns.
func (c Change) linked(line string, o TextOptions) string {
	for _, t := range slices.Concat(c.Gone, c.Came) {
		place := clean0(t.Location)
		head, tail, ok := strings.Cut(" "+line, " "+place+")")
		if ok && t.Link != "" && place != "" {
			return strings.TrimPrefix(" "+c.linked(strings.TrimPrefix(head, " "), o)+" "+o.link(t.Link, place)+")"+c.linked(tail, o), " ")
		}
	}
	return line
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
