package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func (m *markdown) breakdown() {
	m.block("## Criterion Breakdown")
	if n, all := len(m.heard()), len(m.rec.Rubric.Criteria); n < all {
		m.block("%d of %d criteria were judged.", n, all)
	}
}

// criterionHead is what is said of a criterion even where room is short.
func (m *markdown) criterionHead(c court.Criterion) {
	m.block("### %s", mdText(nameOf(c)))
	words := ""
	if c.Generic() && len(c.Checks) > 0 {
		words = " " + sentence(safetext.Capital(byWords))
	}
	if why := m.unsettled(c.ID); why != "" {
		words += " " + mdText(why)
	}
	m.block("%s%s %s", m.finalScore(c, m.rulings[c.ID]), words, mdCode(c.ID, false))
}

// criterionBlock is everything about one criterion, complete whatever is known.
func (m *markdown) criterionBlock(c court.Criterion) {
	m.criterionHead(c)
	if m.short == aComment {
		m.remediation(c)
		m.block("<details><summary>The three opinions and the ruling</summary>")
		m.hearing(c)
		m.block("</details>")
		return
	}
	m.hearing(c)
	m.remediation(c)
	m.evidence(c)
}

// hearing is who said what, and what the chief justice made of it.
func (m *markdown) hearing(c court.Criterion) {
	r := m.rulings[c.ID]
	shared, own := m.folded(c.ID)
	if len(shared.text) > 0 {
		m.line("- **All three judges** rest on this: %s", m.argued(shared))
	}
	for _, seat := range seats() {
		m.line("- **%s** %s", seat.Title(), m.opinionLine(c.ID, seat, own[seat]))
		m.rests(c.ID, seat)
	}
	m.line("")
	m.block("**Chief Justice.** %s", m.justice(c, r))
	m.dissent(c, r)
}

func (m *markdown) finalScore(c court.Criterion, r *court.Ruling) string {
	if m.rec.Case.Answer(c.ID) != nil {
		s := fmt.Sprintf("**Final score: %s** (a person decided). %s", m.effectiveOf5(c.ID), sentence(mdText(m.answered(c))))
		if r != nil {
			s += " The court's own score: " + strings.Replace(m.ruled(c, r), "Final score: ", "", 1)
		}
		return s
	}
	if r == nil {
		return "**Final score: " + court.NoScore + "** (" + mdText(m.why(c)) + ")."
	}
	return m.ruled(c, r)
}

// effectiveOf5 is the score that counts.
func (d *docket) effectiveOf5(criterion string) string {
	e := d.rec.Counts(criterion)
	if e == nil {
		return court.NoScore
	}
	return e.Shown() + " of 5"
}

// ruled is the score that the chief justice gave.
func (m *markdown) ruled(c court.Criterion, r *court.Ruling) string {
	span := mdText(string(r.Status))
	if r.Low.Shown() != r.High.Shown() {
		span += ", " + rangeWords(r.Low, r.High)
	}
	if m.rec.LeftOut(c.ID) {
		return fmt.Sprintf("**Final score: %s** (%s; not in the total; %s).", court.NoScore, mdText(m.why(c)), span)
	}
	if r.Final == nil {
		return fmt.Sprintf("**Final score: %s** (%s; in the total with %s; %s).", court.NoScore, mdText(m.why(c)), r.Exact.Shown(), span)
	}
	provisional := ""
	if r.Status == court.Insufficient {
		provisional = ", provisional: too little could be checked"
	}
	s := fmt.Sprintf("**Final score: %d of 5%s** (%s, %s).", *r.Final, provisional, r.Exact.Shown(), span)
	if r.Points != nil {
		s += " " + mdText(pointsOf(r)) + " on the rubric's scale."
	}
	return s + m.besideModels(r)
}

func (m *markdown) opinionLine(criterion string, seat court.Persona, own argued) string {
	o := m.opinion(criterion, seat)
	if o == nil {
		return "gave no opinion."
	}
	score := fmt.Sprint(o.Score)
	if r := m.rulings[criterion]; r != nil && slices.Contains(r.Overruled, seat) {
		score = fmt.Sprintf("%d, overruled, counted as %s", o.Score, m.counted(o).Shown())
	} else if m.moved(o) {
		score = fmt.Sprintf("%d, counted as %s", o.Score, m.counted(o).Shown())
	}
	if m.judged() && o.Substituted == "" {
		score += " (" + mdText(sourceWords(o.Source)) + ")"
	}
	if o.Substituted != "" {
		score += " (a built-in judge took the seat: " + mdText(o.Substituted) + ")"
	}
	if _, argument := m.listed(o); !argument {
		return score + ":"
	}
	return score + ": " + m.argued(own)
}

// argued is an argument with its evidence linked where it is named, and behind it
// what else it rests on. A link needs no brackets.
func (m *markdown) argued(a argued) string {
	var s strings.Builder
	parts, rest := m.labelled(a.text, a.cited)
	for i, p := range parts {
		if p.id != "" {
			s.WriteString(m.cite(p.id))
			continue
		}
		text := p.text
		if i > 0 {
			text = strings.TrimPrefix(text, "]")
		}
		if i < len(parts)-1 {
			text = strings.TrimSuffix(text, "[")
		}
		if i > 0 {
			s.WriteString(leading(text))
		}
		s.WriteString(mdText(text) + trailing(text))
	}
	for _, id := range rest {
		s.WriteString(" " + m.cite(id))
	}
	return s.String()
}

// cite links evidence by its label; where the evidence itself is left out, to
// its place in the repository.
func (m *markdown) cite(id string) string {
	x := m.byID[id]
	if x == nil {
		return mdCode(id, true)
	}
	to := m.anchors[x.ID]
	if m.short != allOfIt {
		to = firstLink(m.rec.Case, x.At)
	}
	return mdLink(mdText(cmp.Or(x.Label, x.ID)), to)
}

func (m *markdown) cites(ids []string) string {
	var list []string
	for _, id := range ids {
		list = append(list, m.cite(id))
	}
	return strings.Join(list, " ")
}

// justice is what the chief justice did: the score, each rule that fired with
// its effect, and the names of those that did not.
func (m *markdown) justice(c court.Criterion, r *court.Ruling) string {
	if r == nil {
		return mdText(m.noRuling(c)) + "."
	}
	var s strings.Builder
	s.WriteString(rulingSentence(r))
	quiet := map[court.RuleOutcome][]string{}
	for _, h := range r.Holdings {
		if h.Outcome != court.Fired {
			quiet[h.Outcome] = append(quiet[h.Outcome], mdCode(h.Rule, false))
			continue
		}
		fmt.Fprintf(&s, " %s fired", mdCode(h.Rule, false))
		if h.Before != h.After {
			fmt.Fprintf(&s, " (%s to %s)", h.Before.Shown(), h.After.Shown())
		}
		if h.Text != "" {
			s.WriteString(": " + mdText(strings.TrimSuffix(h.Text, ".")))
		}
		rest := slices.DeleteFunc(slices.Clone(h.Evidence), func(id string) bool { return len(unnamed(h.Text, m.labels([]string{id}))) == 0 })
		if cites := m.cites(rest); cites != "" {
			s.WriteString(" " + cites)
		}
		s.WriteString(".")
	}
	for _, outcome := range []court.RuleOutcome{court.Idle, court.Off} {
		if len(quiet[outcome]) > 0 {
			fmt.Fprintf(&s, " %s: %s.", map[court.RuleOutcome]string{court.Idle: "Rules that changed nothing", court.Off: "Rules that do not apply here"}[outcome], strings.Join(quiet[outcome], ", "))
		}
	}
	return s.String()
}

// rulingSentence says how the score came about.
func rulingSentence(r *court.Ruling) string {
	mean, words := r.Uncapped(), "The mean of the three opinions is"
	if h := holding(r, "functionality_weight"); h != nil && h.Outcome == court.Fired {
		words = "The mean of the opinions with their weights is"
	}
	final := "No score"
	if r.Final != nil {
		final = fmt.Sprintf("Score %d", *r.Final)
	}
	s := fmt.Sprintf("%s. %s %s.", final, words, mean.Shown())
	if r.Reheard {
		s += fmt.Sprintf(" Re-evaluated: the spread was %d before and is %d now.", r.FirstSpread, r.Spread)
	}
	return s
}

func (m *markdown) dissent(c court.Criterion, r *court.Ruling) {
	text := m.parting(c.ID)
	if r == nil || text == "" && !r.Dissent {
		return
	}
	word := "Disagreement"
	if r.Dissent {
		word = "Dissent"
	}
	m.block("**%s.** %s", word, sentence(mdText(cmp.Or(text, fmt.Sprintf("the spread was %d", max(r.Spread, r.FirstSpread))))))
	if !r.Dissent || len(r.Parted) == 0 {
		return
	}
	for _, p := range r.Parted {
		parts := []string{fmt.Sprintf("- %s %s", mdText(inQuotes(m.checkText(c.ID, p.Check))), sentence(mdText(safetext.Capital(partingWords(p.Because)))))}
		for _, side := range sides(p) {
			if len(side.ids) > 0 {
				parts = append(parts, side.word+": "+m.cites(side.ids)+".")
			}
		}
		if p.Settles != "" {
			parts = append(parts, "What would settle it: "+mdText(strings.TrimSuffix(p.Settles, "."))+".")
		}
		m.line("%s", strings.Join(parts, " "))
	}
	m.line("")
}

func (m *markdown) remediation(c court.Criterion) {
	list := m.remedies(c.ID)
	switch {
	case m.rulings[c.ID] == nil:
		m.block("**Remediation.** There is no ruling, so there is no advice.")
	case len(list) == 0:
		m.block("**Remediation.** Nothing to do.")
	case len(list) == 1:
		m.block("**Remediation.** %s", m.remedy(list[0], 0))
	default:
		m.block("**Remediation.**")
		for _, x := range list {
			m.line("- %s", m.remedy(x, 0))
		}
		m.line("")
	}
	m.ownWords(c)
}

// evidence is folded away and complete: every piece with its quote.
func (m *markdown) evidence(c court.Criterion) {
	list := m.of(c.ID)
	if len(list) == 0 {
		m.block("No evidence.")
		return
	}
	if m.short != allOfIt {
		m.block("The full report has the evidence: %s.", plural(len(list), "piece"))
		return
	}
	m.unfolding(fmt.Sprintf("Evidence (%d)", len(list)), list)
	if said := m.says(c.ID); len(said) > 0 {
		m.unfolding(fmt.Sprintf("What the document says about it (%d); it is not evidence", len(said)), said)
	}
}

func (m *markdown) unfolding(summary string, list []court.Exhibit) {
	m.block("<details><summary>%s</summary>", summary)
	for _, x := range list {
		m.block("#### %s", mdText(cmp.Or(x.Label, x.ID)))
		if x.Check == court.Testimony { // neither for nor against anything
			m.block("%s. %s", m.where(x), mdText(x.Rationale))
		} else {
			m.block("%s", m.evidenceLine(x))
		}
		if x.Content != "" {
			m.block("%s", mdFence(x.Content))
		}
	}
	m.block("</details>")
}

// where is the place of evidence, linked when the remote is known.
func (m *markdown) where(x court.Exhibit) string {
	if !located(x.Location) {
		return nowhere
	}
	return mdLink(mdCode(x.Location, false), firstLink(m.rec.Case, x.At))
}

func (m *markdown) evidenceLine(x court.Exhibit) string {
	outcome := outcomeWords(x)
	s := safetext.Capital(mdText(outcome))
	if x.Outcome != court.Unknown {
		s += ", confidence " + x.Confidence.Shown()
	}
	s += ", " + m.where(x) + ". " + mdText(inQuotes(x.Goal)) + " " + mdText(rationale(x))
	if unconfirmed(x) {
		s += " " + noCap
	}
	if n := len(x.At) - 1 + x.More; len(x.At) > 1 || x.More > 0 {
		s += " " + plural(n, "more place") + "."
	}
	if by := m.byModel(x); by != "" {
		s += " " + mdText(safetext.Capital(by)) + "."
	}
	if x.Superseded != "" {
		s += " Superseded by " + m.cite(x.Superseded) + "."
	}
	if x.Struck != "" {
		s += " Struck: " + mdText(x.Struck) + "."
	}
	return s
}

func (m *markdown) index() {
	m.block("## Evidence Index")
	if len(m.exhibits) == 0 {
		m.block("No evidence.")
		return
	}
	m.line("| Evidence | Detective | Goal | Place | Outcome | Confidence |\n|---|---|---|---|---|---|")
	for _, x := range m.exhibits {
		where := nowhere
		if located(x.Location) {
			where = mdLink(mdCode(x.Location, true), firstLink(m.rec.Case, x.At))
		}
		sure := x.Confidence.Shown()
		if x.Outcome == court.Unknown {
			sure = court.NoScore
		}
		m.line("| %s | %s | %s | %s | %s | %s |", m.cite(x.ID), mdText(m.finder(x)), mdText(x.Goal), where, mdText(outcomeWord(x.Outcome)), sure)
	}
	m.line("")
}

func (m *markdown) faults() {
	faults, notes := m.failures()
	if len(faults)+len(notes) == 0 {
		return
	}
	m.block("## Faults and notes")
	m.block("What this audit could not do, and what else is to be known of it. None of it lowers a score by itself.")
	for _, f := range faults {
		m.line("- **Fault.** %s", mdText(faultLine(f)))
	}
	for _, f := range notes {
		m.line("- **Note.** %s", mdText(faultLine(f)))
	}
	m.line("")
}

func (m *markdown) check() {
	m.block("## Check this report")
	tool := m.rec.Origin.Tool
	if m.rec.Origin.OCR != "" {
		tool += " with " + m.rec.Origin.OCR
	}
	m.block("`automaton verify record.json` · digest %s · %s", mdCode(m.rec.Digest, false), mdText(tool))
}
