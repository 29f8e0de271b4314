package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
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
	return faults, notes
}

// faultCode is what a reader's reason begins with, for programs.
var faultCode = regexp.MustCompile(`^[a-z]+_[a-z_]+: `)

// faultLine is a fault or a note in one line: what it is about, what happened, and
// who says so.
func faultLine(f court.Fault) string {
	reason := strings.TrimSuffix(strings.TrimPrefix(f.Reason, faultCode.FindString(f.Reason)), ".")
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

// faults lists what the audit could not do, and what else is to be known of it.
func (s *summary) faults() {
	faults, notes := s.failures()
	s.faultList("FAULTS, which kept the audit from being complete", faults, shownFaults)
	s.faultList("NOTES, which lower no score", notes, shownNotes)
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
