package document

import (
	"context"
	"path"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// hedged keeps a probe from holding against a document what OCR did not find in
// its pictures, as a word may be misread and a line left out, and what was not
// found in a part of it. What was found counts, as much as its source does.
func hedged(run func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error)) func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
	return func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		found, err := run(ctx, s, a)
		if err != nil {
			return found, err
		}
		for _, d := range s.Documents() { // all of them, where the probe looked at all
			r, err := read(ctx, d)
			if err != nil {
				continue // it has no text: the answer is not about any
			}
			r.hedge(found)
		}
		return found, nil
	}
}

// hedge turns what was not found in a document of which nobody read all, or
// which OCR read, into what nobody can tell.
func (r *reading) hedge(found []probe.Finding) {
	for i, f := range found {
		if r.unread != "" && f.Outcome == court.Absent {
			found[i] = probe.Cannot(court.Limit, f.Places, "The document was read in part: %s. The part that was read gives this: %s", r.unread, f.Rationale)
		}
		if r.scan == "" {
			continue // it has text of its own: OCR had no part in the answer
		}
		if f.Outcome == court.Absent || f.Outcome == court.Violation && f.Security == nil {
			found[i] = probe.Cannot(court.NoTextLayer, f.Places, "The text that %s read from the pages' pictures gives this: %s", r.scan, f.Rationale)
			found[i].Quote = f.Quote
		}
	}
}

// Unread says what of the document OCR would read and nobody does: pages without
// text that have no Markdown beside them, and figures that are pictures; "" when
// there is nothing of the kind.
func Unread(ctx context.Context, s *probe.Scene) string {
	d, err := s.Document(ctx)
	if err != nil {
		return ""
	}
	if d.Status == pdf.NoText && !d.Blank && twinOf(s) == "" {
		return "the document's pages, which have no text"
	}
	g, err := figures(ctx, s)
	if err != nil {
		return ""
	}
	if n := len(g.pictures()); n > 0 {
		return "the labels in " + court.Count(n, "figure") + " of the document"
	}
	return ""
}

// likened is the file of the repository that a path misread by OCR must mean:
// the only one with its letters, but for those that look alike and signs that
// get lost; else the path as it was read.
func (a *against) likened(p string) string {
	if _, f := a.locate(p); f == holds {
		return p
	}
	key := alike(p)
	if len(alike(strings.TrimSuffix(p, path.Ext(p)))) < 4 {
		return p
	}
	found := ""
	for _, e := range a.entries {
		whole := e.Path
		for {
			if alike(whole) == key {
				if found != "" && found != e.Path {
					return p
				}
				found = e.Path
			}
			_, rest, ok := strings.Cut(whole, "/")
			if !ok {
				break
			}
			whole = rest
		}
	}
	if found == "" {
		return p
	}
	return found
}

var lookAlike = strings.NewReplacer("rn", "m", "vv", "w", "i", "1", "l", "1", "|", "1", "o", "0")

// alike is a text in small letters without signs, with one letter for those
// that look alike.
func alike(s string) string {
	return lookAlike.Replace(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '|' {
			return unicode.ToLower(r)
		}
		return -1
	}, s))
}
