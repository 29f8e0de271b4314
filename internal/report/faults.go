package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// failures are what kept a check from being answered, and what is merely to be
// known. Without a verdict all of them are the former. A side of the submission that
// nobody asked for is neither.
func (d *docket) failures() (faults, notes []court.Fault) {
	for _, f := range d.rec.Faults {
		switch {
		case f.Reason == court.NotAsked:
		case f.Blocks, d.rec.Verdict == nil:
			faults = append(faults, f)
		default:
			notes = append(notes, f)
		}
	}
	slices.SortStableFunc(notes, func(a, b court.Fault) int { return cmp.Compare(rank(a), rank(b)) })
	return faults, notes
}

// rank puts files that could not be parsed before other notes.
func rank(f court.Fault) int {
	if isUnparsed(f) {
		return 0
	}
	return 1
}

// isUnparsed tells whether a fault is a file that could not be parsed.
func isUnparsed(f court.Fault) bool {
	return strings.HasPrefix(f.Reason, string(court.Unparsed)+": ") && f.Subject != ""
}

// unparsed are the places from which files could not be parsed.
func unparsed(list []court.Fault) (at []string) {
	for _, f := range list {
		if isUnparsed(f) {
			at = append(at, f.Subject)
		}
	}
	return at
}

// otherRubric says that the rubric may be the wrong one; empty: it is not.
func (d *docket) otherRubric() string {
	p := d.rec.Portrait
	if n, _ := d.hidden(); n > 0 { // nobody knows what stands in code that cannot be parsed
		return ""
	}
	if s := d.rec.Rubric.Source; s.From != "builtin" || s.Name != "courtroom" || p == nil || p.Graph == nil || p.Graph.Lacking == "" {
		return ""
	}
	return "the rubric courtroom is for LangGraph programs, and no agent graph was found here; -r software judges any repository"
}

// mostUnparsed is how many files the head of a report names.
const mostUnparsed = 5

// headNotes are what has to be known before the score is read.
func (d *docket) headNotes() []string {
	return slices.DeleteFunc(append(d.unseen(), d.overAll(), d.cappedRange()), func(s string) bool { return s == "" })
}

// unseen says what of the submission was not looked at as one would expect.
func (d *docket) unseen() (list []string) {
	if at := unparsed(d.rec.Faults); len(at) > 0 {
		if s := sentence(d.cannotBeParsed(at)); s != d.biggest() { // then it is said as the biggest problem
			list = append(list, s)
		}
	}
	if s := d.otherRubric(); s != "" {
		list = append(list, sentence(safetext.Capital(s)))
	}
	return list
}

// cannotBeParsed says which files these are, and what they hide.
func (d *docket) cannotBeParsed(at []string) string {
	n := len(at)
	names := slices.Clone(at[:min(n, mostUnparsed)])
	if n > mostUnparsed {
		names = append(names, fmt.Sprintf("%d more", n-mostUnparsed))
	}
	it := "it"
	if n > 1 {
		it = "them"
	}
	s := safetext.List(names) + " cannot be parsed"
	switch hidden, _ := d.hidden(); hidden {
	case 0:
		return s + ". A check that needs " + it + " may have no answer"
	default:
		return fmt.Sprintf("%s, so %s could not be answered", s, plural(hidden, "check"))
	}
}

// hidden counts the checks that code which cannot be parsed keeps from being answered, and
// says how much of the whole case they are.
func (d *docket) hidden() (checks int, cost int64) {
	for _, c := range d.heard() {
		h := d.hearings[c.ID]
		if h == nil || d.rec.LeftOut(c.ID) || d.rec.Case.Answer(c.ID) != nil {
			continue
		}
		rows, all := h.Ledger[court.TechLead], int64(0)
		for _, row := range rows {
			all += row.Weight
		}
		for _, row := range rows {
			if row.U > 0 && slices.ContainsFunc(d.of(c.ID), func(x court.Exhibit) bool { return x.Check == row.Check && x.Stands() && illegible(x) }) {
				checks, cost = checks+1, cost+int64(c.Weight)*row.Weight*int64(row.U)/max(all, 1)
			}
		}
	}
	return checks, cost
}

// illegible tells evidence that says no more than that code cannot be parsed.
func illegible(x court.Exhibit) bool {
	return x.Outcome == court.Unknown && x.Reason == court.Unparsed && x.Detective == court.RepoInvestigator
}

// faultCode is what a reader's reason begins with, for programs.
var faultCode = regexp.MustCompile(`^(?:[a-z]+_[a-z_]+|symlink|submodule|unparsed): `)

// faultLine is a fault or a note in one line: what it is about, what happened, and
// who says so.
func faultLine(f court.Fault) string {
	reason := strings.TrimSuffix(strings.TrimPrefix(f.Reason, faultCode.FindString(f.Reason)), ".")
	if f.Stage == "" {
		return safetext.Capital(reason) + "."
	}
	return strings.TrimPrefix(fmt.Sprintf("%s: %s (%s).", f.Subject, reason, f.Stage), ": ")
}

// faultLines are all of a record, for a page.
func (d *docket) faultLines() (list []string) {
	for _, f := range d.rec.Faults {
		list = append(list, line(faultLine(f)))
	}
	return list
}

// passingReason are the words of reasons that another run need not meet.
var passingReason = regexp.MustCompile(`(?i)another machine|time ?out|timed out|out of time|time limit|took too long|deadline|interrupted|canceled|connection|could not resolve|network|unreachable|temporar|rate limit|too many requests`)

// partial says why an audit is partial, and whether running it again can help.
func (d *docket) partial() string {
	faults, _ := d.failures()
	if len(faults) == 0 {
		return "The audit is partial."
	}
	s := fmt.Sprintf("The audit is partial: %s kept it from being complete.", plural(len(faults), "fault"))
	if slices.ContainsFunc(faults, func(f court.Fault) bool { return passingReason.MatchString(f.Reason) }) {
		return s + " Running the audit again can help."
	}
	return s + " Running the audit again does not help until the cause is gone."
}

// Bounds of what the summary lists; the other formats list all.
const (
	shownFaults = 20
	shownNotes  = 5
)

// failures are those of the record and, where no head has said so, that the rubric may be the wrong one.
func (s *summary) failures() (faults, notes []court.Fault) {
	faults, notes = s.docket.failures()
	if words := s.otherRubric(); words != "" {
		notes = slices.Insert(notes, 0, court.Fault{Reason: words})
	}
	return faults, notes
}

// faults lists what the audit could not do, and what else is to be known of it.
func (s *summary) faults() {
	faults, notes := s.failures()
	s.faultList("FAULTS, which kept the audit from being complete", faults, shownFaults)
	s.faultList("NOTES, none of which lowers a score by itself", notes, shownNotes)
}

func (s *summary) faultList(head string, list []court.Fault, most int) {
	if len(list) == 0 {
		return
	}
	s.line("  %s", head)
	for _, f := range list[:min(most, len(list))] {
		s.b.WriteString(hung("  - ", 4, fewLines(clean0(faultLine(f)), s.o.width()-6, 8)))
	}
	if more := len(list) - most; more > 0 {
		s.line("  … %d more in the Markdown report", more)
	}
	s.line("")
}
