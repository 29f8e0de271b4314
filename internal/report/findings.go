package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// level is how loud a finding is told, by the words of SARIF.
type level string

const (
	levelError   level = "error"   // caps the score, or is a flaw of severity high
	levelWarning level = "warning" // any other violation
	levelNote    level = "note"    // something that is asked for and missing, in full or in part
)

func levels() []level { return []level{levelError, levelWarning, levelNote} }

// finding is evidence against the submission that has a place in its files.
type finding struct {
	court.Exhibit
	level level
	found string      // by which model; empty: by none
	at    court.Place // a file of the repository; without a line for a page of a document
}

// findings lists what speaks against the submission and stands in a file of
// its repository, worst first, then by criterion, place and label. What stands
// in a document from elsewhere is counted only.
func (d *docket) findings() (list []finding, elsewhere int) {
	for _, c := range d.heard() {
		for _, x := range d.of(c.ID) {
			l := levelOf(x)
			if l == "" || !x.Stands() {
				continue
			}
			switch at, found := d.filePlace(x); {
			case found:
				list = append(list, finding{x, l, d.byModel(x), at})
			case len(x.At) > 0 && (x.At[0].Path == "" || x.At[0].Digest != "") && x.At[0].Commit == "":
				elsewhere++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b finding) int {
		return cmp.Compare(slices.Index(levels(), a.level), slices.Index(levels(), b.level))
	})
	return list, elsewhere
}

// emptyChecks are the checks, each with its criterion, over which the submission
// has nothing.
func (d *docket) emptyChecks() (out []string) {
	for _, c := range d.heard() {
		for _, k := range c.Checks {
			if d.rec.Empty(c.ID, k.ID) {
				out = append(out, c.ID+"."+k.ID)
			}
		}
	}
	return out
}

// Severity is how loud evidence is told, as error, warning or note; "" where it does
// not speak against the submission.
func Severity(x court.Exhibit) string { return string(levelOf(x)) }

func levelOf(x court.Exhibit) level {
	switch {
	case x.Outcome == court.Violation && x.Security != nil && (x.Security.Confirmed || x.Security.Severity == court.High):
		return levelError
	case x.Outcome == court.Violation:
		return levelWarning
	case x.Outcome == court.Absent, x.Outcome == court.Partial:
		return levelNote
	default:
		return ""
	}
}

// filePlace is the first place of evidence in the repository's files. A page of
// a document that lies in the tree is a place in that file.
func (d *docket) filePlace(x court.Exhibit) (court.Place, bool) {
	for _, p := range x.At {
		if p.Path != "" {
			return p, true
		}
	}
	if len(x.At) == 0 || d.rec.Case.PDF == nil {
		return court.Place{}, false
	}
	first := *d.rec.Case.PDF
	first.Path = d.rec.Case.PDFPath
	for _, pdf := range append([]court.PDF{first}, d.rec.Case.Further...) {
		if (pdf.From == "auto" || pdf.From == "tree") && pdf.Path != "" && x.At[0].Digest == pdf.SHA256 {
			return court.Place{Path: pdf.Path}, true
		}
	}
	return court.Place{}, false
}

// text is a finding in one line.
func (f finding) text() string {
	text := rationale(f.Exhibit)
	if unconfirmed(f.Exhibit) {
		text = court.Clean(text, 800) + " " + noCap
	}
	if f.found != "" {
		text = court.Clean(text, 700) + " " + sentence(safetext.Capital(f.found))
	}
	return court.Clean(text, 1000)
}

// rule is the name of the check of a finding, for readers that group by it.
func (f finding) rule() string { return f.Criterion + "." + f.Check }

// fingerprint is made of rule, path and quote, with a number for repeats among those
// seen, so that a finding stays the same when lines move.
func (f finding) fingerprint(seen map[string]int) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.rule(), f.at.File(), strings.Join(strings.Fields(f.Content), " ")}, "\x00")))
	mark := hex.EncodeToString(sum[:8])
	seen[mark]++
	return fmt.Sprintf("%s:%d", mark, seen[mark])
}
