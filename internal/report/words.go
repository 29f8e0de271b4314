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

// subject is what was audited: the name that was given, OWNER/NAME or a folder's
// name.
func subject(rec *court.Record) string {
	name := cmp.Or(rec.Case.Name, rec.Case.Slug, rec.Case.ID, rec.Case.RepoURL)
	if rec.Case.Path != "" {
		name += ": " + rec.Case.Path
	}
	return name
}

// short is the beginning of a commit as people write it.
func short(commit string) string { return first(commit, 7) }

// state is what was read of the repository: a commit, or files that came without
// git and are named by their tree.
func state(c court.Case) string {
	if c.Snapshot != "" {
		return "files " + short(c.Commit) + ", no history"
	}
	return short(c.Commit)
}

// digest12 is the beginning of a digest as reports print it.
func digest12(s string) string {
	return first(strings.TrimPrefix(s, "sha256:"), 12)
}

// first is the beginning of s, at most n runes: half a rune is a control byte
// to some terminals.
func first(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// pdfLine says which document was examined, and how it was chosen.
func pdfLine(rec *court.Record) string {
	all := []string{firstPDF(rec)}
	for _, d := range rec.Case.Further {
		text := d.Path
		if d.Status != "" && d.Status != "readable" {
			text += " (" + spaced(d.Status) + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func firstPDF(rec *court.Record) string {
	pdf := rec.Case.PDF
	switch {
	case pdf == nil && unasked(rec):
		return "no document asked for"
	case pdf == nil && rec.Case.PDFPath == "":
		return "no PDF found"
	case pdf == nil:
		return "PDF " + rec.Case.PDFPath + " (not available)"
	case pdf.From == "none":
		return "no PDF"
	case pdf.Status != "" && pdf.Status != "readable":
		return fmt.Sprintf("PDF %s (%s, %s)", rec.Case.PDFPath, pdf.From, spaced(pdf.Status))
	default:
		return fmt.Sprintf("PDF %s (%s)", rec.Case.PDFPath, pdf.From)
	}
}

// unasked tells a run none of whose checks is about a document: nobody looked for one.
func unasked(rec *court.Record) bool {
	return slices.ContainsFunc(rec.Faults, func(f court.Fault) bool { return f.Subject == "pdf" && f.Reason == court.NotAsked })
}

// spaced turns a word of the vocabulary into words for people.
func spaced(s string) string { return strings.ReplaceAll(s, "_", " ") }

// plural counts things: 1 fault, 2 faults.
func plural(n int, thing string) string { return plural2(n, thing, thing+"s") }

// plural2 counts things whose plural has a word of its own.
func plural2(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// percent is a share as a whole number, cut like every printed number.
func percent(f court.Fixed) string { return fmt.Sprintf("%d %%", f/100) }

// effort is how long a remedy takes.
func effort(minutes int) string {
	if minutes <= 0 {
		return "-"
	}
	return fmt.Sprintf("%d min", minutes)
}

// statement is what a probe says as a sentence that stands alone: a capital where
// the first word is plainly ours, and one full stop.
func statement(s string) string {
	if safetext.Ours(s) {
		s = safetext.Capital(s)
	}
	return sentence(s)
}

// sentence ends s with one full stop. It leaves the beginning alone: that may
// be a name of the submission.
func sentence(s string) string {
	if s = strings.TrimSuffix(s, "."); s == "" {
		return ""
	}
	return s + "."
}

// nothingToCheck is said of a check, and of a criterion, over which the
// submission has nothing.
const nothingToCheck = "does not apply"

// notChecked is said of what nobody could tell.
const notChecked = "not checked"

// outcomeWord is an outcome as people are told it.
func outcomeWord(o court.Outcome) string {
	switch o {
	case court.NotApplicable:
		return nothingToCheck
	case court.Unknown:
		return notChecked
	default:
		return spaced(string(o))
	}
}

// outcomeWords is the outcome of evidence, and for what was not checked the reason.
func outcomeWords(x court.Exhibit) string {
	if x.Reason == "" {
		return outcomeWord(x.Outcome)
	}
	return outcomeWord(x.Outcome) + ": " + whyUnknown(x)
}

// nowhere is said of what has no place.
const nowhere = "(no location)"

// placeWords is a place as people are told it.
func placeWords(location string) string {
	if !located(location) {
		return nowhere
	}
	return location
}

// whyUnknown says why evidence tells nothing; of code that cannot be parsed, where.
func whyUnknown(x court.Exhibit) string {
	if illegible(x) && located(x.Location) {
		return x.Location + " cannot be parsed"
	}
	return x.Reason.Words(x.Detective)
}

// unknownReason is the reason behind most of what nobody could tell about a
// criterion; of equally frequent ones the first in the court's order.
func (d *docket) unknownReason(criterion string) string {
	type kind struct {
		reason court.Reason
		why    string
	}
	count, best := map[kind]int{}, kind{}
	for _, x := range d.of(criterion) {
		if x.Outcome != court.Unknown || x.Superseded != "" {
			continue
		}
		k := kind{x.Reason, whyUnknown(x)}
		count[k]++
		earlier := slices.Index(court.Reasons(), k.reason) < slices.Index(court.Reasons(), best.reason)
		if count[k] > count[best] || count[k] == count[best] && earlier {
			best = k
		}
	}
	return best.why
}

// unknownBehind is words with that reason behind a colon, where there is one.
func (d *docket) unknownBehind(words, criterion string) string {
	return strings.TrimSuffix(words+": "+d.unknownReason(criterion), ": ")
}

// checkText is what a check of a criterion states.
func (d *docket) checkText(criterion, check string) string {
	c, _ := d.criterion(criterion)
	for _, k := range c.Checks {
		if k.ID == check {
			return cmp.Or(k.Text, k.ID)
		}
	}
	return check
}

// byWords is said of a criterion that no check was written for.
const byWords = "the checks are taken from the words of the instruction"

// why says in a clause why a criterion has no score.
func (d *docket) why(c court.Criterion) string {
	switch {
	case d.rec.Case.Answer(c.ID) != nil:
		return d.answered(c)
	case c.ForPeople():
		return "a person has to decide this"
	case d.rec.Verdict == nil:
		return "not judged"
	case d.unexamined(c.ID):
		return d.unknownBehind(notChecked, c.ID)
	case len(c.Checks) > 0:
		return nothingToCheck + ": the submission has nothing to check here"
	default:
		return notChecked + ": no check is written for it"
	}
}

// unexamined tells whether a criterion is in no total because nobody looked at it.
func (d *docket) unexamined(criterion string) bool {
	return d.rec.LeftOut(criterion) && !d.blind(criterion)
}

// idWord is what may be the id of a check or of a criterion in a text.
var idWord = regexp.MustCompile(`[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)+`)

// inWords puts what a check states in place of its id, and a criterion's name
// in place of its own. Only ids that can't be words of a sentence are looked for.
func (d *docket) inWords(s string) string {
	words := map[string]string{}
	for _, c := range d.rec.Rubric.Criteria {
		words[c.ID] = nameOf(c)
		for _, k := range c.Checks {
			if k.Text != "" {
				words[k.ID] = "“" + strings.TrimSuffix(k.Text, ".") + "”"
			}
		}
	}
	return idWord.ReplaceAllStringFunc(s, func(id string) string {
		if text := words[id]; text != "" {
			return text
		}
		return id
	})
}

// parting is the line on where the judges differ, in words.
func (d *docket) parting(criterion string) string {
	s := d.disagreement(criterion)
	if s == "" {
		return ""
	}
	s = strings.Replace(strings.Replace(s, "TechLead ", "Tech Lead ", 1), ", Defense ", " and Defense ", 1)
	scores, checks, some := strings.Cut(s, ": ")
	if !some {
		return "The scores differ: " + strings.ReplaceAll(scores, " and Defense ", ", Defense ")
	}
	return scores + " disagree about " + d.inWords(checks)
}

// embeddedSeat is a built-in judge.
var embeddedSeat = regexp.MustCompile(`embedded/([0-9]+)`)

// benchWords names who judged.
func benchWords(rec *court.Record) string {
	s := rec.Origin.Seats()
	if m := embeddedSeat.FindStringSubmatch(s); m != nil && m[0] == s {
		return "built-in judges, version " + m[1]
	}
	return strings.ReplaceAll(embeddedSeat.ReplaceAllString(s, "built-in (version $1)"), "TechLead ", "Tech Lead ")
}

// sourceWords names who gave an opinion.
func sourceWords(source string) string {
	return embeddedSeat.ReplaceAllString(source, "built-in, version $1")
}
