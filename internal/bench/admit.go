package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The stances of a claim.
const (
	For     = "for"
	Against = "against"
	Open    = "open"
)

// Lengths in characters: a quote is at least minQuote, or all there is; the
// bench's own quotes are at most maxQuote; a claim's text is minClaim to
// maxClaim.
const (
	minQuote = 8
	maxQuote = 80
	minClaim = 10
	maxClaim = 600
)

// Admit says why an opinion on a brief cannot enter, or nil. A judge's score
// counts only with a claim that stands, an argument of 50 characters or more,
// and no contradiction between score and claims. Claims of a model that fell
// are struck before it comes here: all that are left must stand. The embedded
// judges' scores follow from the ledger, so that they cannot contradict it. On a
// blind brief there is nothing to claim.
func Admit(b Brief, o court.Opinion) error {
	known := make(map[string]court.Evidence, len(b.Exhibits))
	for _, x := range b.Exhibits {
		known[x.ID] = x.Evidence
	}
	var errs []error
	if o.Criterion != b.Criterion.ID || o.Round != b.Round {
		errs = append(errs, fmt.Errorf("the opinion is on %q, round %d; the brief on %q, round %d", o.Criterion, o.Round, b.Criterion.ID, b.Round))
	}
	if err := o.Validate(known, b.Blind()); err != nil {
		errs = append(errs, err)
	}
	errs = append(errs, admitClaims(b, o)...)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("admitting an opinion of %q: %w", o.Judge, err)
	}
	return nil
}

func admitClaims(b Brief, o court.Opinion) []error {
	var standing []court.Citation
	var errs []error
	for _, c := range o.Citations {
		if err := Stands(b, c); err != nil {
			errs = append(errs, err)
		} else {
			standing = append(standing, c)
		}
	}
	claimed := func(id string) bool {
		return slices.ContainsFunc(standing, func(c court.Citation) bool { return c.ID == id })
	}
	switch {
	case len(standing) == 0 && !b.Blind():
		return append(errs, errors.New("no claim stands"))
	case len(standing) > 0 && o.Source == Speaker:
		errs = nil // claims that fall carry nothing and take nothing with them
	}
	for _, id := range o.Cited {
		if !claimed(id) {
			errs = append(errs, fmt.Errorf("evidence %q is cited without a claim that stands", id))
		}
	}
	if o.Source == Speaker {
		return errs
	}
	for _, c := range standing {
		if !slices.Contains(o.Cited, c.ID) {
			errs = append(errs, fmt.Errorf("evidence %q is quoted and not cited", c.ID))
		}
	}
	if o.Exact != court.Fixed(o.Score)*court.One {
		errs = append(errs, fmt.Errorf("a model's exact score is its integer, not %s", o.Exact))
	}
	if torn(o.Score, standing) {
		errs = append(errs, fmt.Errorf("a score of %d contradicts claims of one side only", o.Score))
	}
	return errs
}

// Stands says why a claim carries nothing, or nil: its evidence must be in the
// brief, its quote in the evidence, its stance on the side of the outcome, and
// its text between 10 and 600 characters.
func Stands(b Brief, c court.Citation) error {
	x, ok := b.exhibit(c.ID)
	switch {
	case !ok:
		return fmt.Errorf("checking a claim: evidence %q is not in the brief", c.ID)
	case !Quoted(x.Evidence, c.Quote):
		return fmt.Errorf("checking a claim: %q does not stand in evidence %s", court.Clean(c.Quote, maxQuote), c.ID)
	case !sided(x.Outcome, c.Stance):
		return fmt.Errorf("checking a claim: evidence %s is %s and cannot speak %q", c.ID, x.Outcome, c.Stance)
	}
	if n := utf8.RuneCountInString(c.Text); n < minClaim || n > maxClaim {
		return fmt.Errorf("checking a claim: its text has %d characters, not %d to %d", n, minClaim, maxClaim)
	}
	return nil
}

func sided(o court.Outcome, stance string) bool {
	switch o {
	case court.Present:
		return stance == For
	case court.Violation, court.Absent:
		return stance == Against
	case court.Partial:
		return stance == For || stance == Against
	default:
		return stance == Open
	}
}

// Quoted tells whether a quote stands in the evidence: in its content, or in
// the statement of the search when nothing was located. White space does not
// count; the quote has at least 8 characters, or is all there is.
func Quoted(e court.Evidence, quote string) bool {
	text, q := collapse(shown(e)), collapse(quote)
	return strings.Contains(text, q) && (utf8.RuneCountInString(q) >= minQuote || q == text)
}

// shown is the text of evidence that a judge can quote.
func shown(e court.Evidence) string {
	if located(e) {
		return e.Content
	}
	return e.Rationale
}

// located tells whether evidence has a content of its own: something was found,
// and here it is.
func located(e court.Evidence) bool { return e.Outcome.Found() && strings.TrimSpace(e.Content) != "" }

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// quote is a verbatim part of the evidence, at most 80 characters: its first
// line that is long enough to be told apart, else its beginning.
func quote(e court.Evidence) string {
	text := strings.TrimSpace(shown(e))
	for line := range strings.Lines(text) {
		if part := cut(strings.TrimSpace(line), maxQuote); utf8.RuneCountInString(collapse(part)) >= minQuote {
			return part
		}
	}
	return cut(collapse(text), maxQuote)
}

// cut keeps the first n characters.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return strings.TrimSpace(s[:i])
		}
		n--
	}
	return s
}
