package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// A quote holds at most this much of its source.
const (
	quoteLines = 40
	quoteBytes = 4096
	maxPlaces  = 50
)

// Quote reads what stands at a place of a file or commit, bounded and masked.
func (s *Scene) Quote(ctx context.Context, p court.Place) (string, error) { return s.quote(ctx, p, "") }

// quote reads what stands at a place, bounded and masked: lines of a file, the
// subject of a commit. Of a page it is what the finding said stands there.
func (s *Scene) quote(ctx context.Context, p court.Place, said string) (string, error) {
	switch {
	case p.Path != "" && p.Line > 0:
		q, err := s.quotableAt(ctx, p)
		if err != nil {
			return "", err
		}
		return bounded(s.o.Veil.Hide(q.masked(p.Line, quoted(p)))), nil
	case p.Path != "":
		return "", nil
	case p.Commit != "":
		subject, err := s.subject(ctx, p.Commit)
		return bounded(s.mask(subject)), err
	case p.Page == 0 || said == "":
		return "", nil
	default:
		d, err := s.in(p)
		if err != nil {
			return "", err
		}
		on, err := d.page(ctx, p.Page)
		if err == nil && !strings.Contains(on, passage.Squeeze(said)) {
			err = fmt.Errorf("the quote does not stand on page %d", p.Page)
		}
		return bounded(s.mask(said)), err
	}
}

// quotableAt is the file that a place is in, or the document.
func (s *Scene) quotableAt(ctx context.Context, p court.Place) (*quotable, error) {
	if ofWritten(p) {
		d, err := s.in(p)
		if err != nil {
			return nil, err
		}
		return d.writtenQuotable(ctx, p)
	}
	return s.quotable(ctx, p.Path)
}

// quoted is the last line of a place that its quote holds.
func quoted(p court.Place) int { return min(max(p.EndLine, p.Line), p.Line+quoteLines-1) }

// exists says what is wrong with a place: the file, its lines, the commit or
// the page must be there.
func (s *Scene) exists(ctx context.Context, p court.Place) error {
	switch {
	case p.Path != "":
		e, ok := s.entries[p.Path]
		if ofWritten(p) {
			e, ok = repo.Entry{}, true // it is told by its digest
		}
		if !ok || p.Blob != "" && e.OID != p.Blob {
			return fmt.Errorf("%q is not the file that was examined", p.Path)
		}
		if p.Line == 0 && p.EndLine == 0 && !ofWritten(p) {
			return nil
		}
		q, err := s.quotableAt(ctx, p)
		if err != nil {
			return err
		}
		if n := len(q.starts); p.Line < 1 || p.Line > n || p.EndLine > n {
			return fmt.Errorf("%q has %d lines, not %d", p.Path, n, max(p.Line, p.EndLine))
		}
		return nil
	case p.Commit != "":
		_, err := s.subject(ctx, p.Commit)
		return err
	case p.Page > 0 || p.Digest != "":
		d, err := s.in(p)
		if err != nil || p.Page == 0 {
			return err
		}
		_, err = d.paged(ctx, p.Page)
		return err
	}
	return errors.New("a place without path, commit or page")
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

// paged is the document, if it has this page.
func (s *Scene) paged(ctx context.Context, page int) (*pdf.Document, error) {
	d, err := s.Document(ctx)
	if err != nil {
		return nil, err
	}
	if page < 1 || page > d.Total {
		return nil, fmt.Errorf("the document has %d pages, not %d", d.Total, page)
	}
	return d, nil
}

// page is the text of a page and of the next, to which a passage may run over,
// squeezed. Of pages without text it is what OCR read, when that was asked for.
func (s *Scene) page(ctx context.Context, page int) (string, error) {
	d, err := s.paged(ctx, page)
	if err != nil {
		return "", err
	}
	pages := d.Pages
	if d.Status == pdf.NoText && s.o.OCR != nil {
		read, _, err := s.Scanned(ctx)
		if err != nil {
			return "", err
		}
		pages = slices.Concat(pages, read)
	}
	var all strings.Builder
	for _, p := range pages {
		if p.Number == page || p.Number == page+1 {
			for _, l := range p.Lines {
				all.WriteString(l.Text)
			}
		}
	}
	return passage.Squeeze(all.String()), nil
}

// bounded cuts a quote at whole lines, or a long line at whole runes, and not
// within the mark of a secret.
func bounded(s string) string {
	lines := strings.Split(s, "\n")
	if len(lines) > quoteLines {
		lines = lines[:quoteLines]
	}
	s = strings.Join(lines, "\n")
	if len(s) <= quoteBytes {
		return s
	}
	s = strings.ToValidUTF8(s[:quoteBytes], "")
	if i := strings.LastIndex(s, "[redacted:"); i >= 0 && !strings.Contains(s[i:], "]") {
		s = s[:i]
	}
	return s
}

// Lines are the lines of the text that a place is in, a file or a written document, without secrets.
func (s *Scene) Lines(ctx context.Context, p court.Place) ([]string, error) {
	q, err := s.quotableAt(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := q.mustBeText(p.Path); err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(s.mask(q.text), "\n"), "\n"), nil
}

// Pages are the lines of the document's pages as a reader sees them, by the number of the page, without secrets.
func (s *Scene) Pages(ctx context.Context) (map[int][]string, error) {
	_, pages, err := s.print(ctx)
	for n, lines := range pages {
		pages[n] = strings.Split(s.mask(strings.Join(lines, "\n")), "\n")
	}
	return pages, err
}
