package report

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// numbered is a remedy with its place in the remediation list, by which whatif
// takes it.
type numbered struct {
	n int
	court.Remedy
	then string // the criterion's score with it
}

// remedyLines lists remedies for a terminal: the number, what is reached, the
// check and the place, and below it what to do.
func remedyLines(list []numbered, reached string, score func(numbered) string, o TextOptions) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  FIX  %s  EFFORT  CHECK\n", reached)
	for _, m := range list {
		mark, place := " ", ""
		if m.Blocking {
			mark = "!"
		}
		if located(m.Location) {
			place = clean(m.Location)
		}
		start := fmt.Sprintf("%s %3d  %s  %s  ", mark, m.n, right(score(m), len(reached)), right(effort(m.Effort), len("EFFORT")))
		check := left(clean(m.Check), 24) + "  "
		room := o.width() - cells(start) - cells(check)
		b.WriteString(strings.TrimRight(start+check+cutLeft(place, max(room, 1)), " ") + "\n")
		for _, l := range wrap(clean0(sentence(m.Text)), o.width()-len("  FIX  ")) {
			b.WriteString("       " + l + "\n")
		}
	}
	return b.String()
}

// tryFix is the command that computes what remedies are worth.
func (o TextOptions) tryFix() string {
	record := ""
	if o.Record != "" {
		record = safetext.Shell(court.Clean(o.Record, 0)) + " "
	}
	return "To compute the total with a fix or a check: automaton whatif " + record + "--fix NUMBER or CHECK."
}

// remediation is the whole list, for the terminal.
func (d *docket) remediation(o TextOptions) string {
	var list []numbered
	for i, m := range d.rec.Remedies {
		list = append(list, numbered{n: i + 1, Remedy: m})
	}
	text := remedyLines(list, d.totalHead(), func(m numbered) string { return d.totalAfter(m.n, m.Remedy) }, o)
	if text == "" {
		return ""
	}
	return text + legend(strings.Join(d.fixSigns(d.rec.Remedies), " "), o) + legend(o.tryFix(), o)
}

// fixes are the remedies of one criterion.
func (t *explainText) fixes() {
	t.b.WriteString(remedyLines(t.e.fixes, t.e.thenHead, func(m numbered) string { return m.then }, t.o))
	if len(t.e.fixes) > 0 {
		t.legend(t.e.thenSign + " EFFORT: an estimate. !: lifts a cap.")
		t.legend(t.o.tryFix())
		t.line("")
	}
}
