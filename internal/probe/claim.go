package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// maxSubject and maxWhy bound what a claim says of itself, in runes; maxProof
// is how many places speak to one.
const (
	maxSubject = 120
	maxWhy     = 240
	maxProof   = 3
)

// Shown completes a claim for the record: places with their blobs, its words
// and reason bounded and masked. A claim whose words cannot be read again at
// its place is an error.
func (s *Scene) Shown(ctx context.Context, c court.Claim) (court.Claim, error) {
	at, _ := s.places([]court.Place{c.At})
	c.At = at[0]
	if err := s.exists(ctx, c.At); err != nil {
		return c, fmt.Errorf("quoting a claim: %w", err)
	}
	quote, err := s.quote(ctx, c.At, c.Quote)
	if err != nil {
		return c, fmt.Errorf("quoting a claim: %w", err)
	}
	c.Quote = shortened(quote)
	c.Subject, c.Why = Mask(court.Clean(c.Subject, maxSubject)), Mask(court.Clean(c.Why, maxWhy))
	proof, _ := s.places(c.Proof[:min(len(c.Proof), maxProof)])
	c.Proof = slices.DeleteFunc(proof, func(p court.Place) bool { return s.exists(ctx, p) != nil })
	c.At = expose(c.At)
	exposeAll(c.Proof) // a copy: see places
	if len(c.Proof) == 0 {
		c.Proof = nil
	}
	return c, nil
}

// maxClaimQuote bounds what a claim quotes, in bytes.
const maxClaimQuote = 300

// shortened cuts a quote to the length of a claim's, not within the mark of a
// secret.
func shortened(s string) string {
	if len(s) <= maxClaimQuote {
		return s
	}
	s = strings.ToValidUTF8(s[:maxClaimQuote], "")
	if i := strings.LastIndex(s, "[redacted:"); i >= 0 && !strings.Contains(s[i:], "]") {
		s = s[:i]
	}
	return s
}

// VerifyClaim reads again what a claim quotes, and looks for the places that
// speak to it. The error says what differs.
func (s *Scene) VerifyClaim(ctx context.Context, c court.Claim) error {
	e := court.Evidence{Outcome: court.Present, Content: c.Quote, At: append([]court.Place{c.At}, c.Proof...)}
	if c.At.Path != "" { // of lines of a file, as many as are shown
		at, err := s.unmasked(c.At)
		if err != nil {
			return fmt.Errorf("reading a claim again: %s", Mask(err.Error()))
		}
		if e.Content, err = s.quote(ctx, at, ""); err != nil {
			return fmt.Errorf("reading a claim again: %s", Mask(err.Error()))
		}
		if shortened(e.Content) != c.Quote {
			return fmt.Errorf("reading a claim again: the quote does not stand at %s", c.At)
		}
	}
	return Verify(ctx, s, e)
}
