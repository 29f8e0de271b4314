package bench

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Limits in characters for text that is said in an argument. A submission's
// own words enter as path, symbol or short quote only.
const (
	checkLimit     = 160
	rationaleLimit = 240
	placeLimit     = 120
)

// point is one row that a judge speaks of.
type point struct {
	check   posed
	row     court.Row
	item    item
	against bool
	parent  *posed // the check that it falls with
}

// text is the sentence for the point, without the evidence's label.
func (p point) text(j court.Persona) string {
	if p.parent != nil {
		return fmt.Sprintf("%s falls with %s", p.name(), quoteName(p.parent.Check))
	}
	switch held := p.row.Held > p.row.D; {
	case held && j == court.Defense:
		return "Not disproven, but withheld: " + p.name() + p.why()
	case held:
		return "Withheld: " + p.name() + p.why()
	}
	switch j {
	case court.Prosecutor:
		return p.charge()
	case court.Defense:
		return p.plea()
	default:
		return p.finding()
	}
}

// charge is how the Prosecutor speaks.
func (p point) charge() string {
	switch {
	case !p.against && p.row.B < court.One && p.item.Outcome == court.Partial:
		return "Conceded in part: " + p.name() + p.because()
	case !p.against:
		return "Conceded: " + p.name()
	case p.check.clash() > 0:
		return "Not shown: " + p.name() + "; the findings contradict each other"
	case p.row.D > 0 && p.item.pro > 0:
		return "Charge: " + p.name() + " holds only in part" + p.because()
	case p.row.D > 0:
		return "Charge: " + p.name() + " does not hold" + p.because()
	case p.item.pro > 0 && len(p.check.asked) == 0:
		return fmt.Sprintf("Only %s points to it: %s; that is not proof", source(p.item.Source), p.name())
	default:
		return "Not shown: " + p.name() + p.why()
	}
}

// plea is how the Defense speaks.
func (p point) plea() string {
	switch {
	case p.against && p.item.pro > 0:
		return "Conceded: " + p.name() + " holds only in part" + p.where() + "; it does not reach further"
	case p.against:
		return "Conceded: " + p.name() + " fails" + p.where() + "; it does not reach further"
	case p.check.clash() > 0:
		return "Not disproven: " + p.name() + "; the findings contradict each other"
	case p.row.B > 0 && p.item.Outcome == court.Partial && p.item.con > 0:
		return "Shown in part: " + p.name() + p.because()
	case p.row.B > 0:
		return "Shown: " + p.name() + p.because()
	default:
		return "Nothing was proven against it: " + p.name()
	}
}

// finding is how the TechLead speaks.
func (p point) finding() string {
	switch {
	case p.check.clash() > 0:
		return "Open: " + p.name() + "; the findings contradict each other"
	case p.row.U > court.One/2:
		return "Open: " + p.name() + p.why()
	case p.against && p.item.pro > 0:
		return "Fails in part: " + p.name() + p.because()
	case p.against:
		return "Fails: " + p.name() + p.because()
	case p.item.con > 0:
		return "Holds in part: " + p.name() + p.because()
	default:
		return "Holds: " + p.name() + p.because()
	}
}

func (p point) name() string { return quoteName(p.check.Check) }

// quoteName is the check's sentence, or its id when it has none.
func quoteName(c court.Check) string {
	if c.Text == "" {
		return c.ID
	}
	return said(c.Text, checkLimit)
}

// because is the finding and its place: ". Rationale (place)".
func (p point) because() string {
	if p.item.Rationale == "" {
		return p.where()
	}
	return ". " + said(p.item.Rationale, rationaleLimit) + p.where()
}

func (p point) where() string {
	if len(p.item.At) == 0 {
		return ""
	}
	return " (" + court.Clean(p.item.At[0].String(), placeLimit) + ")"
}

// why says why a matter is open.
func (p point) why() string {
	switch {
	case p.item.pro > 0 && len(p.check.asked) > 0:
		return "; only part of it was looked into and found"
	case p.item.Rationale != "":
		return "; " + said(p.item.Rationale, rationaleLimit)
	case p.item.Reason != "":
		return "; " + string(p.item.Reason)
	default:
		return ""
	}
}

// said makes a text fit to stand inside a sentence.
func said(text string, limit int) string {
	return strings.TrimRight(strings.TrimSpace(court.Clean(text, limit)), ".")
}

// source is how an instrument is called when it is too weak for a proof.
func source(s court.Source) string {
	switch s {
	case court.ModelQuote:
		return "a quote that a model chose"
	case court.Token:
		return "a word in the code"
	case court.Layout:
		return "the layout"
	case court.Mention:
		return "a mention"
	default:
		return "an incomplete search"
	}
}
