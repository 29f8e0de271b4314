package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// explainText lays one explanation out for a terminal.
type explainText struct {
	e Explanation
	o TextOptions
	p paint
	b strings.Builder
}

func (t *explainText) line(format string, a ...any) { fmt.Fprintf(&t.b, format+"\n", a...) }

// head names the criterion, its score and how much it can be relied on.
func (t *explainText) head() {
	r := t.e.Ruling
	text := clean(t.e.Name) + ": " + court.NoScore + ", " + clean(t.e.NoScore)
	if t.e.NoScore == "" {
		text = fmt.Sprintf("%s: %d of 5 (%s), %s, spread %d", clean(t.e.Name), *r.Final, r.Exact.Shown(), clean(string(r.Status)), r.Spread)
		if r.Status != court.Proven {
			text += ", " + rangeWords(r.Low, r.High)
		}
		if r.Points != nil {
			text += ", " + clean(pointsOf(r))
		}
	}
	if t.e.Answer != "" && r != nil {
		text += "; what counts: " + clean0(t.e.Answer)
	}
	id := clean(t.e.Criterion)
	lines := wrap(text, t.o.width())
	for _, l := range lines[:len(lines)-1] {
		t.line("%s", t.p.bold(l))
	}
	last := lines[len(lines)-1]
	if gap := t.o.width() - cells(last) - cells(id); gap >= 2 {
		t.line("%s%s%s", t.p.bold(last), strings.Repeat(" ", gap), t.p.faint(id))
	} else {
		t.line("%s", t.p.bold(last))
		t.line("%s", t.p.faint(id))
	}
	if t.e.Generic {
		t.line("%s", sentence(safetext.Capital(byWords)))
	}
	if t.e.alone != "" {
		t.line("%s", t.e.alone)
	}
	for _, l := range wrap(clean0(t.e.unsettled), t.o.width()) {
		t.line("%s", l)
	}
	t.line("")
}

// seatCol and indent place an opinion's score and its argument.
const (
	seatCol = 10
	indent  = 2 + seatCol + 2 + 2 + 1 + 4 + 2
)

func (t *explainText) opinions() {
	t.b.WriteString(hung(left("  All three", indent), indent, wrap(clean0(t.e.shared), t.o.width()-indent)))
	for _, v := range t.e.Opinions {
		mark := ""
		if v.Overruled {
			mark = "*"
		} else if v.Substituted != "" {
			mark = "s"
		}
		argument := clean0(v.own)
		if !v.argument {
			argument = ""
		}
		if rest := unnamed(argument, v.rest); len(rest) > 0 && v.argument {
			argument += " " + clean(strings.Join(rest, " "))
		}
		if v.Overruled {
			argument = "Overruled. " + argument
		}
		if v.named {
			argument = "By " + clean(sourceWords(v.Source)) + t.bound(v) + ". " + argument
		}
		start := fmt.Sprintf("  %s  %s %s", left(v.Judge.Title(), seatCol), left(fmt.Sprint(v.Score)+mark, 2), v.Counted.Shown())
		t.b.WriteString(hung(left(start, indent), indent, wrap(argument, t.o.width()-indent)))
		t.claims(v)
	}
	if len(t.e.Opinions) > 0 {
		t.line("")
	}
}

// clean0 is clean for running text, which is wrapped and not cut short.
func clean0(s string) string { return court.Clean(strings.Join(strings.Fields(s), " "), 0) }

// unnamed lists the labels that a text does not speak of itself.
func unnamed(text string, labels []string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" .,;:()[]", r) })
	return slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return slices.Contains(words, l) })
}

func (t *explainText) rules() {
	if t.e.Ruling == nil || len(t.e.Ruling.Holdings) == 0 {
		return
	}
	col := len("variance_re_evaluation")
	t.line("  %s  DID    FROM    TO", left("RULE", col))
	for _, h := range t.e.Ruling.Holdings {
		did := left(clean(string(h.Outcome)), 5)
		if h.Outcome == court.Fired {
			did = t.p.bold(did)
		}
		t.hang(fmt.Sprintf("  %s  %s  %s  %s  ", left(clean(h.Rule), col), did, h.Before.Shown(), h.After.Shown()), col+23, 15, t.ground(h))
	}
	t.legend("DID: fired, idle (nothing to change) or off (not for this criterion). FROM, TO: the exact score before and after the rule.")
	t.line("")
}

func (t *explainText) legend(words string) { t.b.WriteString(legend(words, t.o)) }

// ground is what a rule says, after the evidence that it rests on.
func (t *explainText) ground(h court.Holding) string {
	rest := unnamed(h.Text, t.label(h.Evidence))
	if len(rest) == 0 {
		return h.Text
	}
	return strings.TrimSuffix(strings.Join(rest, " ")+"; "+h.Text, "; ")
}

func (t *explainText) evidence() {
	if len(t.e.Evidence) == 0 {
		return
	}
	out, where := len("OUTCOME"), len("WHERE")
	for _, x := range t.e.Evidence {
		out, where = max(out, len(outcomeWord(x.Outcome))), max(where, cells(clean(placeWords(x.Location))))
	}
	where = min(where, 48)
	t.line("  EVIDENCE  %s  STRENGTH  WHERE", left("OUTCOME", out))
	for _, x := range t.e.Evidence {
		start := fmt.Sprintf("  %s  %s  %s  ", left(clean(cmp.Or(x.Label, x.ID)), 8), left(clean(outcomeWord(x.Outcome)), out), right(strength(x), 8))
		place := left(cutLeft(clean(placeWords(x.Location)), where), where) + "  "
		t.hang(start+t.o.link(firstLink(t.e.of, x.At), place), cells(start+place), 44, t.standing(x))
	}
	t.legend("STRENGTH: how much the evidence weighs, from 0 to 1.")
	t.line("")
}

// strength is how much evidence weighs; what was not checked weighs nothing.
func strength(x court.Exhibit) string {
	if x.Outcome == court.Unknown {
		return court.NoScore
	}
	return x.Strength.Shown()
}

// hang writes a row whose last column goes on below itself or, where it is
// narrower than least, below the row. The columns before it are so many cells
// wide.
func (t *explainText) hang(start string, indent, least int, text string) {
	if t.o.width()-indent < least {
		indent = 12
		t.line("%s", strings.TrimRight(start, " "))
		start = strings.Repeat(" ", indent)
	}
	t.b.WriteString(hung(start, indent, wrap(clean0(text), t.o.width()-indent)))
}

// testimony is what the document says, with the page.
func (t *explainText) testimony() {
	if len(t.e.Testimony) == 0 {
		return
	}
	t.line("  WHAT THE DOCUMENT SAYS (not evidence)")
	for _, x := range t.e.Testimony {
		start := fmt.Sprintf("  %s  %s  ", left(clean(cmp.Or(x.Label, x.ID)), 8), clean(x.Location))
		t.hang(start, cells(start), 44, x.Content)
	}
	t.line("")
}

// standing is what a piece of evidence says and, when it no longer counts, why.
func (t *explainText) standing(x court.Exhibit) string {
	parts := []string{rationale(x)}
	if x.Outcome == court.Unknown {
		parts = []string{sentence(safetext.Capital(whyUnknown(x))), parts[0]}
	}
	if by := t.e.found[x.ID]; by != "" {
		parts = append(parts, sentence(safetext.Capital(by)))
	}
	if unconfirmed(x) {
		parts = append(parts, noCap)
	}
	if x.Superseded != "" {
		parts = append(parts, "Superseded by "+cmp.Or(t.e.labels[x.Superseded], x.Superseded)+".")
	}
	if x.Struck != "" {
		parts = append(parts, "Struck: "+sentence(x.Struck))
	}
	return strings.Join(parts, " ")
}

// parting says where the judges differ and, in a dissent, what would settle it.
func (t *explainText) parting() {
	if t.e.Disagreement == "" && t.e.NoScore == "" {
		return
	}
	word := "Disagreement"
	if t.e.Ruling != nil && t.e.Ruling.Dissent {
		word = "Dissent"
	}
	if t.e.Disagreement != "" {
		t.b.WriteString(hung("  ", 2, wrap(word+": "+clean0(sentence(t.e.parting)), t.o.width()-2)))
	}
	if t.e.Ruling == nil || !t.e.Ruling.Dissent {
		return
	}
	for _, p := range t.e.Ruling.Parted {
		t.b.WriteString(hung("    ", 6, wrap(clean0(t.partingLine(p)), t.o.width()-6)))
	}
}

func (t *explainText) label(ids []string) []string {
	var list []string
	for _, id := range ids {
		list = append(list, cmp.Or(t.e.labels[id], id))
	}
	return list
}

// partingWords says why Prosecutor and Defense disagree about a check.
func partingWords(because string) string {
	switch because {
	case "conflict":
		return "the evidence conflicts"
	case "unknown":
		return "it was not checked"
	case "weak":
		return "the evidence for it is weak"
	case "failure":
		return "both see it fail, and they differ on what that costs"
	case "standard":
		return "the standards of proof differ"
	case "partial":
		return "they weigh partial work differently"
	default:
		return because
	}
}

// partingLine is one check over which Prosecutor and Defense differ, with what
// each relies on and what would settle it.
func (t *explainText) partingLine(p court.Parting) string {
	parts := []string{inQuotes(cmp.Or(t.e.checks[p.Check], p.Check)), sentence(safetext.Capital(partingWords(p.Because)))}
	for _, side := range sides(p) {
		if l := t.label(side.ids); len(l) > 0 {
			parts = append(parts, side.word+": "+strings.Join(l, " ")+".")
		}
	}
	if p.Settles != "" {
		parts = append(parts, "What would settle it: "+sentence(p.Settles))
	}
	return strings.Join(parts, " ")
}

// side is evidence on a check with what it is there: against, for, or, where
// nobody could tell, neither.
type side struct {
	word string
	ids  []string
}

func sides(p court.Parting) []side {
	if p.Because == "unknown" {
		return []side{{"Looked at", p.Against}}
	}
	return []side{{"Against", p.Against}, {"For", p.For}}
}
