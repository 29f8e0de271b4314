package probe

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// Verify reads again what a piece of evidence quotes and says how it differs.
// Every place must exist at the commit: the blob that was named, with these
// lines; a commit of its history; a page of the document. What was located has
// a place; only a search that found nothing may have none.
func Verify(ctx context.Context, s *Scene, e court.Evidence) error {
	err := s.verify(ctx, e)
	if err == nil || stopped(err) {
		return err
	}
	return errors.New(s.mask(err.Error())) // it may name a path
}

func (s *Scene) verify(ctx context.Context, e court.Evidence) error {
	if len(e.At) == 0 {
		if e.Security != nil || e.Outcome == court.Violation || e.Outcome == court.Partial || e.Content != "" {
			return errors.New("it has no place")
		}
		return nil
	}
	for i, p := range e.At {
		p, err := s.unmasked(p)
		if err != nil {
			return err
		}
		if err := s.exists(ctx, p); err != nil {
			return err
		}
		if i > 0 {
			continue
		}
		if p.Path == "" && p.Commit == "" && p.Page > 0 {
			err = s.printed(ctx, p, e.Content)
		} else {
			var text string
			if text, err = s.quote(ctx, p, ""); err == nil && text != e.Content {
				err = fmt.Errorf("the quote does not stand at %s", p)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// expose is a place as a record shows it: secrets in its path are masked, and
// bytes that no record can hold are escaped, with the true ones beside it. A line
// of a notebook has its cell beside it.
func (s *Scene) expose(p court.Place) court.Place {
	if cells := s.cells(p.Path); p.Line > 0 {
		p.Cell, _ = slices.BinarySearch(cells, p.Line+1)
	}
	if masked := s.mask(p.Path); masked != p.Path || utf8.ValidString(p.Path) {
		p.Path = strings.ToValidUTF8(masked, "\ufffd")
		return p
	}
	p.Raw = base64.StdEncoding.EncodeToString([]byte(p.Path))
	p.Path = court.Clean(p.Path, 0)
	return p
}

// cells are the lines on which the cells of a notebook begin.
func (s *Scene) cells(path string) []int {
	if !strings.HasSuffix(path, ".ipynb") {
		return nil
	}
	cells, _ := Shared(s, "probe.cells "+path, func() ([]int, error) {
		f, err := s.Text(context.Background(), path)
		return f.Cells(), err
	})
	return cells
}

func (s *Scene) exposeAll(places []court.Place) {
	for i := range places {
		places[i] = s.expose(places[i])
	}
}

// unmasked is a place with the path as it is in the tree. Of a path that was
// masked, the blob tells which file it is.
func (s *Scene) unmasked(p court.Place) (court.Place, error) {
	if p.Path == "" {
		return p, nil
	}
	if ofWritten(p) {
		d, err := s.in(p)
		if err != nil {
			return p, err
		}
		p.Path, p.Raw = d.o.PDFPath, "" // its digest says which it is
		return p, nil
	}
	e, ok := s.entries[p.File()]
	if !ok && s.o.Repo != nil && redacted.MatchString(p.Path) {
		for _, x := range s.o.Repo.Tree() {
			if x.OID == p.Blob && s.expose(court.Place{Path: x.Path}).Path == p.Path {
				e, ok = x, true
				break
			}
		}
	}
	if !ok || e.OID != p.Blob {
		return p, fmt.Errorf("%q is not the file that was examined", p.Path)
	}
	p.Path, p.Raw = e.Path, ""
	return p, nil
}

// redacted is the mark of a secret.
var redacted = regexp.MustCompile(`\[(?:redacted:[a-z_]+|key)\]`)

// printed makes sure that a masked text stands on a page: white space and
// hyphens apart, since a passage joins lines, and where a secret was masked
// something else may stand.
func (s *Scene) printed(ctx context.Context, p court.Place, text string) error {
	if text == "" {
		return nil // the page is there, and nothing is quoted
	}
	page := p.Page
	d, err := s.in(p)
	if err != nil {
		return err
	}
	on, err := d.page(ctx, page)
	if err != nil {
		return err
	}
	if strings.Contains(on, passage.Squeeze(text)) {
		return nil
	}
	if !redacted.MatchString(text) {
		return fmt.Errorf("the quote does not stand on page %d", page)
	}
	var shape strings.Builder
	at := 0
	for _, m := range redacted.FindAllStringIndex(text, -1) {
		shape.WriteString(regexp.QuoteMeta(passage.Squeeze(text[at:m[0]])) + `[^\n]+?`)
		at = m[1]
	}
	shape.WriteString(regexp.QuoteMeta(passage.Squeeze(text[at:])))
	re, err := regexp.Compile(shape.String())
	if err != nil {
		return fmt.Errorf("the quote of page %d: %w", page, err)
	}
	if !re.MatchString(on) {
		return fmt.Errorf("the quote does not stand on page %d", page)
	}
	return nil
}
