package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// What a document that explains a program has at least. Design choices: a page
// of running text holds some 300 words and parts into three sections.
const (
	enoughHeadings = 3
	enoughWords    = 300
)

// formal answers the aspects of a document's form that need its text.
func formal(ctx context.Context, s *probe.Scene, aspect string) (probe.Finding, error) {
	if aspect == "hidden" {
		d, err := s.Document(ctx)
		if err != nil {
			return probe.Finding{}, err
		}
		return hiddenText(d, s.PDFDigest()), nil
	}
	r, err := read(ctx, s)
	if err != nil {
		return probe.Finding{}, err
	}
	switch aspect {
	case "headings":
		return r.headings(), nil
	case "title":
		return r.title(), nil
	}
	return r.length(), nil
}

// headings counts the sections by their headings.
func (r *reading) headings() probe.Finding {
	seen := map[string]bool{}
	var at []court.Place
	quote := ""
	for i := range r.passages {
		p := &r.passages[i]
		key := strings.Join(p.Section, "\x1f")
		if len(p.Section) == 0 || seen[key] {
			continue
		}
		seen[key] = true
		if len(at) < 5 {
			place, said := r.cite(p, p.Text)
			if len(at) == 0 {
				quote = said
			}
			at = append(at, place)
		}
	}
	if len(seen) == 0 {
		return probe.Missing(court.One, r.source(court.Layout), "No section of the document has a heading that can be told apart from its text.")
	}
	f := probe.Partly(probe.Ratio(min(len(seen), enoughHeadings), enoughHeadings), r.source(court.Layout), at, "%s under a heading; %d are enough.", court.Count(len(seen), "section"), enoughHeadings)
	f.Quote = quote
	return f
}

// title is what stands above everything, or what the file calls itself.
func (r *reading) title() probe.Finding {
	const first = 3 // passages: a title, perhaps with a line above and below it
	for i := range r.passages[:min(len(r.passages), first)] {
		p := &r.passages[i]
		if n := words(p.Text); n > 0 && n <= 20 && !strings.HasSuffix(strings.TrimSpace(p.Text), ".") {
			at, said := r.cite(p, p.Text)
			f := probe.Present(r.source(court.Layout), []court.Place{at}, "The document begins with a title.")
			f.Quote = said
			return f
		}
	}
	return probe.Missing(court.One, r.source(court.Layout), "The document does not begin with a title.")
}

// length counts the words of running text.
func (r *reading) length() probe.Finding {
	n := 0
	var at []court.Place
	quote := ""
	for i := range r.passages {
		p := &r.passages[i]
		if !prose(p) {
			continue
		}
		if n == 0 {
			place, said := r.cite(p, sentenceWith(p, anyText))
			at, quote = []court.Place{place}, said
		}
		n += words(p.Text)
	}
	if n == 0 {
		return probe.Missing(court.One, r.source(court.Structure), "The document has no running text.")
	}
	f := probe.Partly(probe.Ratio(min(n, enoughWords), enoughWords), r.source(court.Structure), at, "The document has %s of running text; %d are enough.", court.Count(n, "word"), enoughWords)
	f.Quote = quote
	return f
}

// hiddenText says whether there is text that nobody sees. Programs that make
// PDFs leave such text behind, so that it counts half.
func hiddenText(d *pdf.Document, digest string) probe.Finding {
	f := probe.Partly(court.One/2, court.Structure, nil, "Some text of the document cannot be seen.")
	unseen(&f, d, digest)
	if len(f.Places) == 0 {
		return probe.Clean(court.One, court.Structure, "All text that the file holds can be seen on its pages.")
	}
	return f
}
