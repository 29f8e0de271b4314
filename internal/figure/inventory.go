package figure

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

// Inventory lists the figures of a PDF by page and place: pictures and vector drawings that are more than
// decoration, drawings of characters, and printed sources of diagrams. A document without text layer has page
// pictures, and what figures are in them nobody can say: the list is empty then.
func Inventory(doc *pdf.Document) []Figure {
	if doc == nil || doc.Status != pdf.Readable {
		return nil
	}
	repeated := repetitions(doc)
	var found []Figure
	for i := range doc.Pages {
		p := &doc.Pages[i]
		figures := append(rasters(p, repeated), vectors(p, repeated)...)
		for j := range figures {
			figures[j].Caption = captionNear(p, figures[j].Box)
		}
		if p.Number == 1 && isCover(p) {
			figures = slices.DeleteFunc(figures, func(f Figure) bool { return f.Caption == "" })
		}
		found = append(found, figures...)
	}
	found = append(found, texts(doc)...)
	slices.SortStableFunc(found, func(a, b Figure) int {
		return cmp.Or(cmp.Compare(a.Page, b.Page), cmp.Compare(a.Box.Y0, b.Box.Y0), cmp.Compare(a.Box.X0, b.Box.X0))
	})
	for i := range found {
		if found[i].Caption == "" {
			found[i].Title = titleAbove(doc, found[i])
		}
	}
	return found
}

// coverWords is below how many words a first page is a title page, whose pictures are logos unless they have a
// caption.
const coverWords = 60

func isCover(p *pdf.Page) bool {
	words := 0
	for _, l := range p.Lines {
		words += len(strings.Fields(l.Text))
	}
	return words < coverWords
}

// What a figure of a report measures at least. Smaller ones are icons, badges and letters.
const (
	minPixels = 120.0 // of a raster's longer side; its shorter one may have half of that
	minLong   = 72.0  // points, one inch
	minShort  = 36.0
	maxAspect = 10.0 // a longer one is a rule or a banner
)

func bigEnough(b pdf.Box) bool {
	w, h := b.X1-b.X0, b.Y1-b.Y0
	long, short := max(w, h), min(w, h)
	return long >= minLong && short >= minShort && long <= maxAspect*short
}

func rasters(p *pdf.Page, repeated map[string]bool) []Figure {
	var found []Figure
	for _, img := range p.Images {
		w, h := float64(img.Width), float64(img.Height)
		switch {
		case max(w, h) <= minPixels || min(w, h) <= minPixels/2 || !bigEnough(img.Box):
		case img.Digest != "" && repeated[img.Digest]:
		case isPagePicture(p, img.Box):
		default:
			found = append(found, Figure{Origin: Raster, Page: p.Number, Box: img.Box, Digest: img.Digest})
		}
	}
	return found
}

// isPagePicture: a page without visible text that is one picture across all of its width, as scanners make it.
func isPagePicture(p *pdf.Page, b pdf.Box) bool {
	const whole = 0.9
	for _, l := range p.Lines {
		if l.Hidden == "" {
			return b.X1-b.X0 >= whole*p.Width && b.Y1-b.Y0 >= whole*p.Height // a background
		}
	}
	return b.X1-b.X0 >= whole*p.Width
}

// repetitions are the pictures and drawings of running headers and backgrounds: at the same place on three pages, or
// on more than a third of all pages.
func repetitions(doc *pdf.Document) map[string]bool {
	type place struct {
		digest string
		box    pdf.Box
	}
	const pages = 3
	at := map[place]int{}
	on := map[string]int{}
	repeated := map[string]bool{}
	for _, p := range doc.Pages {
		seen := map[string]bool{}
		note := func(digest string, box pdf.Box) {
			if digest == "" {
				return
			}
			at[place{digest, box}]++
			if !seen[digest] {
				seen[digest] = true
				on[digest]++
			}
			if at[place{digest, box}] >= pages || on[digest] >= pages && 3*on[digest] > len(doc.Pages) {
				repeated[digest] = true
			}
		}
		for _, img := range p.Images {
			note(img.Digest, img.Box)
		}
		for _, d := range p.Drawings {
			note(d.Digest, d.Box)
		}
	}
	return repeated
}

// minLabels is how many lines of text a drawing has at least to be a diagram and no ornament.
const minLabels = 2

// vectors takes the drawings with text in them; those that nearly touch are one.
func vectors(p *pdf.Page, repeated map[string]bool) []Figure {
	const gap = 40.0 // points
	var found []Figure
	for _, d := range p.Drawings {
		if repeated[d.Digest] {
			continue
		}
		f := Figure{Origin: Vector, Page: p.Number, Box: d.Box, Digest: d.Digest}
		if n := len(found); n > 0 && near(found[n-1].Box, d.Box, gap) {
			found[n-1].Box = union(found[n-1].Box, d.Box)
			found[n-1].Digest = digest(found[n-1].Digest + d.Digest)
			continue
		}
		found = append(found, f)
	}
	found = slices.DeleteFunc(found, func(f Figure) bool { return !bigEnough(f.Box) || labels(p, f.Box) < minLabels })
	for i := range found {
		found[i].Graph, found[i].Readable = drawn(p, found[i].Box)
	}
	return found
}

func labels(p *pdf.Page, b pdf.Box) int {
	n := 0
	for _, l := range p.Lines {
		x, y := (l.Box.X0+l.Box.X1)/2, (l.Box.Y0+l.Box.Y1)/2
		if l.Hidden == "" && x > b.X0 && x < b.X1 && y > b.Y0 && y < b.Y1 {
			n++
		}
	}
	return n
}

func near(a, b pdf.Box, gap float64) bool {
	return a.X0-gap < b.X1 && b.X0-gap < a.X1 && a.Y0-gap < b.Y1 && b.Y0-gap < a.Y1
}

func union(a, b pdf.Box) pdf.Box {
	return pdf.Box{X0: min(a.X0, b.X0), Y0: min(a.Y0, b.Y0), X1: max(a.X1, b.X1), Y1: max(a.Y1, b.Y1)}
}
