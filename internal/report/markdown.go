package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// markdown builds the Markdown report.
type markdown struct {
	*docket
	b       strings.Builder
	anchors map[string]string // of criteria by id, of evidence by id
	short   shortness
}

// writeMarkdown writes the full report: valid CommonMark with GitHub's tables.
// The headings Executive Summary, Criterion Breakdown and Remediation Plan are
// part of the contract: readers look for them.
func writeMarkdown(w io.Writer, rec *court.Record) error {
	return put(w, []byte(whole(newMarkdown(rec, allOfIt).sections())))
}

func newMarkdown(rec *court.Record, short shortness) *markdown {
	m := &markdown{docket: newDocket(rec), short: short}
	m.anchors = m.makeAnchors()
	return m
}

const mdTitle = "Automaton Auditor Report"

// makeAnchors walks the headings in the order in which they will be written.
func (m *markdown) makeAnchors() map[string]string {
	s, anchors := slugs{}, map[string]string{}
	for _, h := range []string{mdTitle, "Executive Summary", "Criterion Breakdown"} {
		s.next(h)
	}
	if m.short == aComment { // GitHub gives the headings of a comment no anchors
		return anchors
	}
	for _, c := range m.heard() {
		anchors[c.ID] = s.next(nameOf(c))
		if m.short != allOfIt {
			continue
		}
		for _, x := range slices.Concat(m.of(c.ID), m.says(c.ID)) {
			anchors[x.ID] = s.next(cmp.Or(x.Label, x.ID))
		}
	}
	return anchors
}

func (m *markdown) line(format string, a ...any) { fmt.Fprintf(&m.b, format+"\n", a...) }

// block writes lines and the empty line that ends a block.
func (m *markdown) block(format string, a ...any) { m.line(format+"\n", a...) }

func (m *markdown) top() {
	m.block("# %s", mdTitle)
	m.block("%s", m.scoreSentence())
	rec := m.rec
	repo := mdText(subject(rec))
	if webBase(rec.Case) == "" {
		repo = mdCode(cmp.Or(rec.Case.RepoURL, rec.Case.Slug), true)
		if rec.Case.Path != "" {
			repo += ": " + mdCode(rec.Case.Path, true)
		}
	}
	repo = mdLink(repo, webBase(rec.Case))
	if rec.Case.Commit != "" {
		repo += " at " + mdLink(mdCode(state(rec.Case), true), treeLink(rec.Case))
	}
	m.line("| | |\n|---|---|")
	m.line("| Repository | %s |", repo)
	m.line("| PDF | %s |", m.pdf())
	m.line("| Rubric | %s, %s |", mdText(strings.TrimSpace(rec.Rubric.Name+" "+rec.Rubric.Version)), mdCode(digest12(rec.Rubric.Digest), true))
	if n := len(rec.Rubric.Notes); n > 0 {
		m.line("| Rubric notes | %d; `automaton rubric lint` prints them |", n)
	}
	m.line("| Judges | %s |", mdText(benchWords(rec)))
	m.modelRows()
	m.line("| Audit | %s |", mdText(m.auditLine()))
	m.line("")
	for _, n := range m.headNotes() {
		m.block("%s", mdText(n))
	}
}

// auditLine is how complete the audit is and what was special about it.
func (d *docket) auditLine() string {
	parts := []string{string(d.rec.Status)}
	if n, all := d.scored(); d.rec.Verdict != nil && n != all {
		parts = append(parts, fmt.Sprintf("over %d of %d criteria", n, all))
	}
	if d.rec.Verdict != nil {
		parts = append(parts, d.examined())
		parts = append(parts, d.onScale()...)
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if !d.rec.Rubric.Synthesis.FactSupremacy.On {
		parts = append(parts, "opinions were not bound to the evidence")
	}
	if d.rec.Origin.TrustTree {
		parts = append(parts, "the audited tree was trusted (--trust-tree)")
	}
	return strings.Join(parts, "; ")
}

func (m *markdown) pdf() string {
	c := m.rec.Case
	if c.PDF == nil {
		if unasked(m.rec) {
			return "none asked for"
		}
		if c.PDFPath == "" {
			return "none found"
		}
		return mdCode(c.PDFPath, true)
	}
	if c.PDF.From == "none" {
		return "none"
	}
	s := fmt.Sprintf("%s, %s", mdCode(cmp.Or(c.PDFPath, "document"), true), plural(c.PDF.Pages, "page"))
	if c.PDF.Status != "" && c.PDF.Status != "readable" {
		s += ", " + mdText(spaced(c.PDF.Status))
	}
	if n := len(c.PDF.Others); n > 0 {
		s += fmt.Sprintf("; chosen by %s among %d", mdText(c.PDF.From), n+1)
	}
	all := []string{s}
	for _, d := range c.Further {
		text := mdCode(d.Path, true) + ", " + plural(d.Pages, "page")
		if d.Status != "" && d.Status != "readable" {
			text += ", " + mdText(spaced(d.Status))
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// scoreSentence is the outcome in one line of Markdown.
func (m *markdown) scoreSentence() string {
	v := m.rec.Verdict
	if v == nil {
		return "**No verdict**: " + mistrialWords(m.rec) + "."
	}
	s := "**" + v.Overall.Shown() + " of 5**"
	if rule, _ := m.cap(); rule != "" {
		s += ", " + strings.ReplaceAll(m.capWords(), rule, mdCode(rule, false))
	}
	if m.binds() {
		s += fmt.Sprintf(" (%s before)", v.Overall.BeforeCap.Shown())
	}
	if m.hasInsufficient() {
		s += ", " + rangeWords(v.Overall.Low, v.Overall.High)
	} else if v.Overall.Low.Shown() != v.Overall.Exact.Shown() {
		s += ", at least " + v.Overall.Low.Shown()
	}
	if beside := m.totalBeside(); len(beside) > 0 {
		s += ", " + strings.Join(beside, ", ")
	}
	s += "."
	if m.rec.Status == court.Partway {
		s += " " + mdText(m.partial())
	}
	if line := m.gateSentence(); line != "" {
		s += " " + mdText(line)
	}
	return s
}

// gateSentence is the gate's outcome in one line of plain text.
func (d *docket) gateSentence() string {
	g := d.rec.Gate
	if g == nil {
		return ""
	}
	word := map[string]string{"pass": "Gate passed", "fail": "Gate failed"}[g.Outcome]
	word = cmp.Or(word, "Gate undecided")
	if g.Outcome == "pass" || len(g.Missed) == 0 {
		return word + "."
	}
	return word + ": " + strings.Join(g.Missed, "; ") + "."
}

func (m *markdown) summary() {
	m.block("## Executive Summary")
	if m.rec.Verdict != nil {
		m.block("%s", mdText(m.lead()))
	} else {
		m.block("No verdict: %s. %s lists why.", mistrialWords(m.rec), m.faultsLink())
	}
	head, rule, answers := "", "", len(m.rec.Case.Answers) > 0
	if m.judged() {
		head, rule = " Built-in |", "---|"
	}
	if m.rec.Case.Calibration != nil {
		head, rule = head+" Calibrated |", rule+"---|"
	}
	if answers {
		head, rule = head+" Human | Counts |", rule+"---|---|"
	}
	m.line("| Criterion | P | D | T | Final | Exact |%s Note |\n|---|---|---|---|---|---|%s---|", head, rule)
	for _, c := range m.heard() {
		final, exact := court.NoScore, court.NoScore
		if r := m.rulings[c.ID]; r != nil && r.Final != nil {
			final, exact = fmt.Sprintf("**%d**", *r.Final), r.Exact.Shown()
			if r.Status == court.Insufficient {
				final = fmt.Sprintf("%d?", *r.Final)
			}
		}
		said := func(seat court.Persona) string { return strings.ReplaceAll(m.said(c.ID, seat), "*", `\*`) }
		if m.judged() {
			exact += " | " + cmp.Or(m.alone(c.ID), court.NoScore)
		}
		if m.rec.Case.Calibration != nil {
			exact += " | " + shown(m.calibrated(c.ID))
		}
		if answers {
			exact += " | " + shown(m.human(c.ID)) + " | " + shown(m.rec.Counts(c.ID))
		}
		m.line("| %s | %s | %s | %s | %s | %s | %s |", mdLink(mdText(nameOf(c)), m.anchors[c.ID]), said(court.Prosecutor),
			said(court.Defense), said(court.TechLead), final, exact, mdText(m.note(c)))
	}
	m.line("")
	if m.rec.Verdict != nil {
		m.block("%s", mdText(m.legend()))
		for _, s := range m.firmness() {
			m.line("- %s", mdText(s))
		}
		m.line("")
		if more := m.limits(); len(more) > 0 {
			m.block("%s", mdText(strings.Join(more, " ")))
		}
	}
}

// shout is the head of a column of the terminal.
var shout = regexp.MustCompile(`^[A-Z]{2}[A-Z-]*$`)

// legend explains the columns and signs of the table, in its spelling.
func (m *markdown) legend() string {
	words := m.signs(m.rows())
	for i, w := range words {
		if head, rest, _ := strings.Cut(w, ":"); shout.MatchString(head) {
			words[i] = head[:1] + strings.ToLower(head[1:]) + ":" + strings.ReplaceAll(rest, "EXACT", "Exact")
		}
	}
	return strings.Join(words, " ")
}

func (m *markdown) faultsLink() string {
	if m.short == aComment {
		return "“Faults and notes”"
	}
	return "[Faults and notes](#faults-and-notes)"
}

// plan lists all remedies, those that lift a cap first.
func (m *markdown) plan() {
	m.block("## Remediation Plan")
	switch {
	case m.rec.Verdict == nil:
		m.block("Without a verdict there is nothing to advise.")
		return
	case len(m.rec.Remedies) == 0:
		m.block("Nothing to do.")
		return
	}
	worth := "Each total is the one once that remedy and all before it are done."
	if m.base() != nil {
		worth = m.worthWords()
	}
	m.block("%s %s `automaton whatif record.json --fix 1` takes remedies by these numbers; `record.json` is in the folder of the case.", m.inOrder(), worth)
	for i, x := range m.rec.Remedies {
		bullet, mark := fmt.Sprintf("- [ ] **%d.**", i+1), ""
		if m.short == aComment { // without boxes, which the next run would empty
			bullet = fmt.Sprintf("%d.", i+1)
		}
		if m.short == aComment && i == shownRemedies {
			m.line("\n<details><summary>%d more</summary>\n", len(m.rec.Remedies)-i)
		}
		if x.Blocking {
			mark = "**Blocking.** "
		}
		m.line("%s %s%s", bullet, mark, m.remedy(x, i+1))
	}
	m.line("")
	if m.short == aComment && len(m.rec.Remedies) > shownRemedies {
		m.block("</details>")
	}
}

// shownRemedies is how many a comment shows before it is unfolded.
const shownRemedies = 10

// remedy is one remedy in a line: the nth of the plan, or for 0 one of its
// criterion.
func (m *markdown) remedy(x court.Remedy, n int) string {
	s := sentence(mdText(x.Text))
	if located(x.Location) {
		place := mdCode(x.Location, false)
		if strings.Contains(strings.ToLower(place), "[x]") { // GitHub's reader ticks the box of a line that has this anywhere
			place = mdText(x.Location)
		}
		s += " " + mdLink(place, firstLink(m.rec.Case, x.At))
	}
	var parts []string
	if x.Effort > 0 {
		parts = append(parts, effort(x.Effort))
	}
	if len(x.After) > 0 {
		parts = append(parts, "only after "+mdText(m.inWords(strings.Join(x.After, ", "))))
	}
	if n > 0 {
		parts = append(parts, mdLink(mdText(m.name(x.Criterion)), m.anchors[x.Criterion]), m.totalThen(n, x))
	} else {
		parts = append(parts, m.criterionThen(x))
	}
	return s + " (" + strings.Join(parts, "; ") + ")"
}
