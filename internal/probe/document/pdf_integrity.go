package document

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func pdfIntegrity() probe.Probe {
	return probe.Probe{
		ID: "pdf.integrity", Version: "3", Target: court.PDFReport,
		Title:  "The document can be read",
		Doc:    "Opens the file and counts its pages and their text. Pages that are pictures of text count half: people can read them, programs cannot; with a Markdown file of the same name beside them they count 0.8. A file that is empty, blank, damaged, locked or no document counts as none. Text that nobody sees who looks at the pages, white on white for example, is left out of everything and only told here. A document that is Markdown or plain text has no pages; its lines count. It does not look at what the text says.",
		Remedy: "Export the document again as a PDF with selectable text.", Effort: 15, Recall: court.One,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"readable", "headings", "length", "title", "hidden"}, Default: "readable", Doc: "readable: the file can be opened and has text. headings: three sections with headings. length: 300 words of running text. title: it begins with one. hidden: nothing is written where nobody sees it"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			if aspect := a.String("aspect"); aspect != "" && aspect != "readable" {
				f, err := formal(ctx, s, aspect)
				return []probe.Finding{f}, err
			}
			d, err := s.Document(ctx)
			if err != nil {
				return nil, err
			}
			if s.Written() && d.Status == pdf.Readable {
				return []probe.Finding{writtenIntegrity(ctx, s)}, nil
			}
			return []probe.Finding{integrity(s, d, substitute(ctx, s, d))}, nil
		},
	}
}

// writtenIntegrity answers for a document that is text and no PDF: there are no
// pages to count, and what is not seen is told.
func writtenIntegrity(ctx context.Context, s *probe.Scene) probe.Finding {
	visible, hidden := s.WrittenText(ctx)
	unit := "line"
	if passage.InWord(s.PDFPath()) {
		unit = "paragraph"
	}
	f := probe.Present(court.Structure, []court.Place{s.WrittenAt(1, 1)}, "%s is a text file and not a PDF: %s, %s.", court.Clean(s.PDFPath(), 120),
		court.Count(strings.Count(visible, "\n")+1, unit), court.Count(words(visible), "word"))
	f.Data = map[string]any{"status": pdf.Readable, "lines": strings.Count(visible, "\n") + 1}
	if why := s.PDFChoice(); why != "" {
		f.Rationale += " " + safetext.Capital(why) + "."
	}
	if n := len(hidden); n > 0 {
		const places = 5
		for _, l := range hidden[:min(n, places)] {
			f.Places = append(f.Places, s.WrittenAt(l.Number, l.Number))
		}
		f.Rationale += fmt.Sprintf(" In %s the file holds text that a reader of the rendered page does not see, such as comments. This text counts for nothing.", court.Count(n, "line"))
	}
	return f
}

// besideTwin is what a document of pictures counts whose text stands beside it.
const besideTwin court.Fixed = 8000

// substitute is the Markdown file that was read instead of pages without text;
// "" when there is none.
func substitute(ctx context.Context, s *probe.Scene, d *pdf.Document) string {
	if d.Status != pdf.NoText {
		return ""
	}
	r, err := read(ctx, s)
	if err != nil || len(r.passages) == 0 {
		return ""
	}
	return r.twin
}

func integrity(s *probe.Scene, d *pdf.Document, twin string) probe.Finding {
	name := court.Clean(s.PDFPath(), 120)
	var file []court.Place
	if e, ok := s.Entry(s.PDFPath()); ok {
		file = []court.Place{{Path: e.Path}}
	}
	facts := map[string]any{"status": d.Status, "pages": d.Total, "producer": d.Meta.Producer, "created": d.Meta.Created, "notes": len(d.Notes)}
	f := probe.Present(court.Structure, file, "%s has %s with text.", name, court.Count(d.Total, "page"))
	switch d.Status {
	case pdf.Readable:
		if len(d.Pages) < d.Total {
			f = probe.Present(court.Structure, file, "%s has %s; %d of them were read and have text.", name, court.Count(d.Total, "page"), len(d.Pages))
		}
		if blank := withoutText(d); 2*blank > len(d.Pages) {
			f = probe.Partly(probe.Ratio(len(d.Pages)-blank, len(d.Pages)), court.Structure, file, "%s has %s, but %d of them have no text.", name, court.Count(d.Total, "page"), blank)
		}
	case pdf.NoText:
		f = probe.Partly(court.One/2, court.Structure, file, "%s has %s, but no text: %s.", name, court.Count(d.Total, "page"), d.Reason)
		if d.Blank && twin == "" {
			return probe.Cannot(court.NotSubmitted, file, "%s is empty: %s.", name, d.Reason)
		}
		if twin != "" {
			f = probe.Partly(besideTwin, court.Structure, append(file, court.Place{Path: twin}), "%s has no text: %s. The Markdown file of the same name has the text.", name, d.Reason)
		}
	case pdf.Empty:
		return probe.Cannot(court.NotSubmitted, file, "%s is empty: %s.", name, court.Clean(d.Reason, 160))
	case pdf.NotPDF:
		return probe.Cannot(court.NotSubmitted, file, "%s is not a document: %s.", name, court.Clean(d.Reason, 160))
	case pdf.Encrypted:
		return probe.Cannot(court.Encrypted, file, "%s is locked: it is encrypted with a password.", name)
	case pdf.TooLarge:
		return probe.Cannot(court.TooLarge, file, "%s is too large to read.", name)
	default:
		return probe.Cannot(court.Unparsed, file, "%s is damaged: %s.", name, court.Clean(d.Reason, 160))
	}
	if len(file) == 0 && d.Total > 0 {
		f.Places = []court.Place{{Page: 1, Digest: s.PDFDigest()}}
	}
	f.Data = facts
	if why := s.PDFChoice(); why != "" {
		f.Rationale += " Of several PDFs, " + why + "."
	}
	unseen(&f, d, s.PDFDigest())
	return f
}

// unseen adds what is hidden to the finding. It is no violation: programs that
// make PDFs leave such text behind, too.
func unseen(f *probe.Finding, d *pdf.Document, digest string) {
	const places = 5
	lines, ways, pages := 0, map[string]bool{}, map[int]bool{}
	var at []court.Place
	for i := range d.Pages {
		p := &d.Pages[i]
		for _, l := range p.Lines {
			if l.Hidden == "" {
				continue
			}
			lines++
			ways[hiddenWords(l.Hidden)], pages[p.Number] = true, true
			if len(at) < places {
				at = append(at, court.Place{Page: p.Number, Digest: digest, Box: box(l.Box.X0, l.Box.Y0, l.Box.X1, l.Box.Y1)})
			}
		}
	}
	if lines == 0 {
		return
	}
	numbers := make([]string, 0, len(pages))
	for _, n := range slices.Sorted(maps.Keys(pages)) {
		numbers = append(numbers, strconv.Itoa(n))
	}
	const listed = 10
	if len(numbers) > listed {
		numbers = append(numbers[:listed], "and others")
	}
	f.Places = append(f.Places, at...)
	f.Rationale += fmt.Sprintf(" The document has %s of text that cannot be seen on the page (%s), on page %s. This text counts for nothing.",
		court.Count(lines, "line"), strings.Join(slices.Sorted(maps.Keys(ways)), ", "), strings.Join(numbers, ", "))
}

func hiddenWords(h pdf.Hidden) string {
	switch h {
	case pdf.SameColour:
		return "in the colour of its background"
	case pdf.Tiny:
		return "smaller than 4 points"
	case pdf.OffPage:
		return "outside of the page"
	case pdf.Covered:
		return "under something painted over it"
	case pdf.Clipped:
		return "outside of its clip path"
	case pdf.LayerOff:
		return "on a layer that is turned off"
	default:
		return string(h)
	}
}

// withoutText counts the pages without a visible character.
func withoutText(d *pdf.Document) int {
	n := 0
	for _, p := range d.Pages {
		seen := false
		for _, l := range p.Lines {
			seen = seen || l.Hidden == ""
		}
		if !seen {
			n++
		}
	}
	return n
}
