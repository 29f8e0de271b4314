package bench

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Limits in characters for text that is said in an argument. A submission's
// own words enter as path, symbol or short quote only.
const (
	checkLimit     = 160
	rationaleLimit = 160
	placeLimit     = 120
)

// point is one check that a judge speaks of.
type point struct {
	check   posed
	row     court.Row
	item    item
	against bool
	hang    int    // checks that fail because this one does
	parent  string // the title of the check that this one depends on, when that takes something from it
}

// text is the claim, without the finding where that would be too long.
func (p point) text() string {
	if text := p.whole(); utf8.RuneCountInString(text) <= maxClaim {
		return text
	}
	p.item.Rationale = ""
	return p.whole()
}

// whole is what became of the check, its title, the finding with its place, and
// how much depends on it.
func (p point) whole() string {
	status, reason := p.status()
	text := status + ": " + titled(p.check.Check)
	if reason != "" {
		text += " — " + reason
	}
	if place := p.where(); place != "" && !strings.Contains(reason, place) {
		text += " (" + place + ")"
	}
	switch p.hang {
	case 0:
		return text
	case 1:
		return text + "; 1 other check depends on this one"
	default:
		return fmt.Sprintf("%s; %d other checks depend on this one", text, p.hang)
	}
}

// status is what became of the check under the judge's standard, and why.
func (p point) status() (word, reason string) {
	finding := safetext.Small(clause(p.item.Rationale, rationaleLimit))
	some := p.row.B > 0 && p.row.D > 0
	switch partial := p.item.Outcome == court.Partial; {
	case p.row.Held > p.row.D:
		return "Not checked", strings.TrimPrefix(p.unknown()+"; the check counts as not met", "; ")
	case p.check.clash() > 0, some && !partial && p.parent == "" && len(p.check.witnesses(true)) > 0:
		return "Open", "the findings contradict each other"
	case 2*p.row.U >= court.One && len(p.check.asked) > 0 && p.item.pro > 0:
		return "Not proven", "only a part of this check was looked into and found"
	case 2*p.row.U >= court.One && p.item.pro > 0:
		return "Not proven", "only " + source(p.item.Source) + " speaks for it"
	case 2*p.row.U >= court.One && p.item.con > 0:
		return "Not disproven", "only " + source(p.item.Source) + " speaks against it"
	case 2*p.row.U >= court.One:
		return "Not checked", p.unknown()
	case partial:
		return "Partly met (" + portion(p.item.Rationale, unit(p.item.Share)) + ")", finding
	case p.parent != "" && p.item.con == 0:
		return "Met", strings.TrimPrefix(finding+"; it counts in part only, because it depends on "+p.parent, "; ")
	case p.row.D > 0 && p.item.con > 0:
		return "Not met", finding
	case p.against:
		return "Met", strings.TrimPrefix(finding+"; its evidence counts as "+p.row.B.String()+" of 1", "; ")
	default:
		return "Met", finding
	}
}

// ratio is a count of all in a finding.
var ratio = regexp.MustCompile(`\b([0-9]{1,9}) of (?:the )?([0-9]{1,9})\b`)

// portion is how much of a check is met: as the finding counts it where its numbers are
// those of the share, else in parts of a hundred.
func portion(finding string, share court.Fixed) string {
	for _, m := range ratio.FindAllStringSubmatch(finding, -1) {
		n, _ := strconv.ParseInt(m[1], 10, 64) // nine digits
		all, _ := strconv.ParseInt(m[2], 10, 64)
		for _, met := range []int64{n, all - n} { // of those that comply, or of those that do not
			if all > 0 && 0 < met && met < all && abs(met*int64(court.One)-int64(share)*all) <= all {
				return fmt.Sprintf("%d of %d", met, all)
			}
		}
	}
	return fmt.Sprintf("%d %%", court.Div(100*int64(share), int64(court.One)))
}

// unknown says why nothing is known.
func (p point) unknown() string {
	if p.item.Rationale != "" {
		return safetext.Small(clause(p.item.Rationale, rationaleLimit))
	}
	return p.item.Reason.Words(p.item.Detective)
}

// where is the file or page that the item stands in.
func (p point) where() string {
	if len(p.item.At) == 0 || p.item.At[0].Path == "" && p.item.At[0].Page == 0 {
		return ""
	}
	return court.Clean(p.item.At[0].String(), placeLimit)
}

// titled is the check's name in quotation marks.
func titled(c court.Check) string { return `"` + strings.ReplaceAll(nameOf(c), `"`, "'") + `"` }

// nameOf is the check's title, or its id when it has none.
func nameOf(c court.Check) string { return cmp.Or(said(c.Text, checkLimit), said(c.ID, checkLimit)) }

// said makes a text fit to stand inside a sentence.
func said(text string, limit int) string {
	return strings.TrimRight(strings.TrimSpace(court.Clean(text, limit)), ".")
}

// clause is as much of a finding as there is room for: as far as a sentence or an
// item of a list ends, or all of it if it is not much longer.
func clause(text string, limit int) string {
	text = said(text, 0)
	n := utf8.RuneCountInString(text)
	if n <= limit {
		return text
	}
	head := cut(text, limit)
	for _, end := range []string{". ", "; "} {
		if i := strings.LastIndex(head, end); i > 0 {
			return head[:i]
		}
	}
	if n <= 2*limit {
		return text
	}
	head = cut(text, 2*limit)
	return strings.TrimRight(head[:max(strings.LastIndex(head, " "), len(head)/2)], " ,;:") + " …"
}

// source is how an instrument is called when it is too weak for a proof.
func source(s court.Source) string {
	switch s {
	case court.ModelQuote:
		return "a quote that a model chose"
	case court.Token:
		return "a match of words"
	case court.Layout:
		return "the layout"
	case court.Mention:
		return "a mention"
	default:
		return "an incomplete search"
	}
}
