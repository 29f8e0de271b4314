package pdf

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// Recogniser reads the words in a picture: *OCR.
type Recogniser interface {
	Words(ctx context.Context, p *Picture, sparse bool) (Words, error)
}

// Unscanned is the note of a page whose picture could not be read.
const Unscanned NoteCode = "unscanned"

// Bounds of reading a document by its pictures.
const (
	scannedPages  = 60
	scanTime      = 6 * time.Minute
	scanPixels    = 12_000_000 // a page of letter size at 300 dpi has 8.4 million
	scanDPI       = 300
	leastDPI      = 72
	bodyTolerance = 1.2 // a line no taller is running text: the height of a line depends on its letters
)

// Recognise reads the pages of a document without text layer from pictures of them: at most 60 pages, in at most six
// minutes. The pages hold only lines. Notes say which pages could not be read. An error says that ctx ended.
func Recognise(ctx context.Context, w Worker, r Recogniser, data []byte, d *Document) ([]Page, []Note, error) {
	whole := ctx
	ctx, cancel := context.WithTimeoutCause(ctx, scanTime, fmt.Errorf("the document took longer than %s", scanTime))
	defer cancel()
	var pages []Page
	var notes []Note
	failures := 0
	for i, p := range d.Pages {
		if i >= scannedPages {
			notes = append(notes, Note{Code: Unscanned, Text: fmt.Sprintf("the pictures of %d of %d pages were read", i, len(d.Pages))})
			break
		}
		words, err := recognise(ctx, w, r, data, p)
		if over := whole.Err(); over != nil {
			return nil, nil, over
		}
		if err != nil {
			notes = append(notes, Note{Code: Unscanned, Page: p.Number, Text: cutString(err.Error(), 200)})
			if failures++; failures >= failuresMax {
				notes = append(notes, Note{Code: Unscanned, Text: fmt.Sprintf("no picture after page %d was tried", p.Number)})
				break
			}
			continue
		}
		pages = append(pages, Page{Number: p.Number, Width: p.Width, Height: p.Height, Lines: words.Lines()})
	}
	levelSizes(pages)
	return pages, notes, nil
}

func recognise(ctx context.Context, w Worker, r Recogniser, data []byte, p Page) (Words, error) {
	v := View{Page: p.Number, Box: Box{X1: p.Width, Y1: p.Height}, DPI: fitting(p.Width, p.Height, scanDPI, scanPixels)}
	picture, err := Render(ctx, w, data, v)
	if err != nil {
		return nil, err
	}
	return r.Words(ctx, picture, false)
}

// fitting is the resolution at which a box has at most so many pixels.
func fitting(width, height float64, most int, pixels float64) int {
	inches := max(width*height, 1) / (pointsPerInch * pointsPerInch)
	return max(min(most, int(math.Sqrt(pixels/inches))), leastDPI)
}

// levelSizes makes lines of one kind the same size, as in print: what is not clearly taller than most is running text,
// taller lines go by quarters of its height.
func levelSizes(pages []Page) {
	var heights []float64
	for _, p := range pages {
		for _, l := range p.Lines {
			heights = append(heights, l.Size)
		}
	}
	if len(heights) == 0 {
		return
	}
	slices.Sort(heights)
	body := heights[len(heights)/2]
	for _, p := range pages {
		for i, l := range p.Lines {
			if l.Size <= bodyTolerance*body {
				p.Lines[i].Size = body
			} else {
				p.Lines[i].Size = round(math.Round(4*l.Size/body) / 4 * body)
			}
		}
	}
}

// Resolution is at how many dots an inch the picture of a figure is read: 300, fewer for one that would be too large.
func (b Box) Resolution() int { return fitting(b.width(), b.height(), scanDPI, scanPixels) }
