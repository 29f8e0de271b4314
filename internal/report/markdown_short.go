package report

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What GitHub takes: the summary of a job over 1 MiB is dropped whole, a
// comment over 65,536 characters refused. Both limits leave room for what
// others write around ours.
const (
	stepSummaryBytes  = 900_000
	commentCharacters = 60_000
)

// shortness is how much of a report Markdown holds.
type shortness int

const (
	allOfIt    shortness = iota
	noEvidence           // what is cited is linked to its place
	aComment             // likewise; what to do comes first, and the opinions are folded away
)

// section is a part of a report that is there whole, in brief or not at all.
type section struct {
	text  string
	brief string // in place of the text when room is short
	turn  int    // when it gives way: the lowest first
}

// The turns. Criteria above 3 come before all others, the best of them first.
const (
	turnLedger    = 10
	turnCriterion = 20 // less the score; less ten above 3
	turnFaults    = 30
	turnCheck     = 31
	turnPlan      = 40
	turnSummary   = 50
	turnOpening   = 51 // of the breakdown
	turnHead      = 60
)

// sections is the report, section by section.
func (m *markdown) sections() []section {
	var list, plan []section
	part := func(to *[]section, turn int, brief string, write func()) {
		m.b.Reset()
		write()
		*to = append(*to, section{m.b.String(), brief, turn})
	}
	gone := func(title string) string {
		return "## " + title + "\n\nThe full report has this part.\n\n"
	}
	part(&list, turnHead, m.headBrief(), m.top)
	part(&list, turnSummary, gone("Executive Summary"), m.summary)
	part(&plan, turnPlan, gone("Remediation Plan"), m.plan)
	if m.short == aComment {
		list, plan = append(list, plan...), nil
	}
	part(&list, turnOpening, "## Criterion Breakdown\n\n", m.breakdown)
	for _, c := range m.heard() {
		turn := turnCriterion
		if r := m.rulings[c.ID]; r != nil && r.Final != nil {
			if turn -= *r.Final; *r.Final > 3 {
				turn -= 10
			}
		}
		m.b.Reset()
		m.criterionHead(c)
		m.block("The full report has the rest.")
		part(&list, turn, m.b.String(), func() { m.criterionBlock(c) })
	}
	list = append(list, plan...)
	part(&list, turnLedger, gone(claimsTitle), m.ledger)
	if m.short != aComment {
		part(&list, turnLedger, "", m.portrait)
	}
	if m.short == allOfIt {
		part(&list, turnLedger, "", m.index)
	}
	part(&list, turnFaults, gone("Faults and notes"), m.faults)
	part(&list, turnCheck, "", m.check)
	return list
}

// headBrief is the head of a report whose names alone are too long.
func (m *markdown) headBrief() string {
	s := "# " + mdTitle + "\n\n"
	if v := m.rec.Verdict; v != nil {
		s += "**" + v.Overall.Shown() + " of 5**.\n\n"
	}
	return s
}

// whole puts sections together.
func whole(list []section) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(s.text)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// writeStepSummary writes the report for the summary of a job: from a size on
// without evidence, then with ever fewer whole sections.
func writeStepSummary(w io.Writer, rec *court.Record) error {
	bytes := func(s string) int { return len(s) }
	list := newMarkdown(rec, allOfIt).sections()
	if len(whole(list)) > stepSummaryBytes {
		list = newMarkdown(rec, noEvidence).sections()
	}
	return put(w, []byte(whole(fitting(list, stepSummaryBytes, bytes))))
}

// writeComment writes the report for a pull request, without evidence. Its
// first line is how the next run finds it.
func writeComment(w io.Writer, rec *court.Record) error {
	mark := commentMark(rec.Rubric.Name) + "\n"
	list := fitting(newMarkdown(rec, aComment).sections(), commentCharacters-len(mark), utf8.RuneCountInString)
	return put(w, []byte(mark+whole(list)))
}

// commentMark tells the comment of one rubric from those of others. A name is
// foreign: what stands in the mark is made from it and can end no mark.
func commentMark(rubric string) string {
	digest := sha256.Sum256([]byte(rubric))
	return fmt.Sprintf("<!-- automaton:%x -->", digest[:8])
}

// fitting shortens sections in their turn, and then leaves them out, until all
// that is left fits. The head stays.
func fitting(list []section, limit int, size func(string) int) []section {
	list = slices.Clone(list)
	order, total := make([]int, len(list)), 0
	for i, s := range list {
		order[i] = i
		total += size(s.text)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[a].turn, list[b].turn) })
	replace := func(i int, text string) {
		total += size(text) - size(list[i].text)
		list[i].text = text
	}
	for _, i := range order {
		if total > limit && size(list[i].brief) < size(list[i].text) {
			replace(i, list[i].brief)
		}
	}
	if total <= limit {
		return list
	}
	rest := section{text: "The full report has more than fits here.\n"}
	total += size(rest.text)
	for _, i := range order[:len(order)-1] {
		if total > limit {
			replace(i, "")
		}
	}
	return append(list, rest)
}
