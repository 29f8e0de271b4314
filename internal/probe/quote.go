package probe

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// A quote holds at most this much of its source.
const (
	quoteLines = 40
	quoteBytes = 4096
	maxPlaces  = 50
)

// quote reads what stands at a place: lines of a file, the subject of a
// commit. Of a page it is the finding's own quote.
func (s *Scene) quote(ctx context.Context, f Finding) (string, error) {
	if len(f.Places) == 0 {
		return "", nil
	}
	text, err := s.at(ctx, f.Places[0], f.Quote)
	if err != nil {
		return "", err
	}
	return bounded(Mask(text)), nil
}

func (s *Scene) at(ctx context.Context, p court.Place, said string) (string, error) {
	switch {
	case p.Path != "" && p.Line > 0:
		return s.Lines(ctx, p.Path, p.Line, min(max(p.EndLine, p.Line), p.Line+quoteLines-1))
	case p.Path != "":
		if _, ok := s.entries[p.Path]; !ok {
			return "", fmt.Errorf("%q is not a file of this commit", p.Path)
		}
		return "", nil
	case p.Commit != "":
		return s.subject(ctx, p.Commit)
	case p.Page > 0:
		return said, s.printed(ctx, p.Page, said)
	}
	return "", fmt.Errorf("a place without path, commit or page")
}

func (s *Scene) subject(ctx context.Context, id string) (string, error) {
	h, err := s.History(ctx)
	if err != nil {
		return "", err
	}
	for i := range h.Commits {
		if h.Commits[i].ID == id {
			return h.Commits[i].Subject, nil
		}
	}
	return "", fmt.Errorf("commit %s is not in this history", id)
}

// printed makes sure that text stands on a page: white space and hyphens at
// line ends apart, since a passage joins lines.
func (s *Scene) printed(ctx context.Context, page int, text string) error {
	d, err := s.Document(ctx)
	if err != nil {
		return err
	}
	if page > d.Total {
		return fmt.Errorf("the document has %d pages, not %d", d.Total, page)
	}
	var all strings.Builder
	for _, p := range d.Pages {
		if p.Number == page || p.Number == page+1 { // a passage may run over to the next page
			for _, l := range p.Lines {
				all.WriteString(l.Text)
			}
		}
	}
	if !strings.Contains(squeeze(all.String()), squeeze(text)) {
		return fmt.Errorf("the quote does not stand on page %d", page)
	}
	return nil
}

// squeeze drops white space and hyphens.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\n', '\r', '\f', '\v', '-', '\u00ad', '\u00a0', '\u2010', '\u2011', 0x02:
			return -1
		}
		return r
	}, s)
}

// bounded cuts a quote at whole lines, or a long line at whole runes.
func bounded(s string) string {
	lines := strings.Split(s, "\n")
	if len(lines) > quoteLines {
		lines = lines[:quoteLines]
	}
	s = strings.Join(lines, "\n")
	if len(s) <= quoteBytes {
		return s
	}
	return strings.ToValidUTF8(s[:quoteBytes], "")
}

// Verify reads again what a piece of evidence quotes and says how it differs.
// Every place must exist at the commit, with the blob that was named.
func Verify(ctx context.Context, s *Scene, e court.Evidence) error {
	for i, p := range e.At {
		if p.Path != "" {
			entry, ok := s.entries[p.Path]
			if !ok || entry.OID != p.Blob {
				return fmt.Errorf("%q is not the file that was examined", p.Path)
			}
		}
		if i > 0 {
			continue
		}
		text, err := s.at(ctx, p, e.Content)
		if err != nil {
			return err
		}
		if bounded(Mask(text)) != e.Content {
			return fmt.Errorf("the quote does not stand at %s", p)
		}
	}
	return nil
}
