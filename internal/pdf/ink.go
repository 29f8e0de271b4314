package pdf

import (
	"image"
	"slices"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
)

// Rendering costs a hundred times what reading does. It settles what the objects leave open, on so many pages of a
// document, of pages with so many objects and pixels of pictures, at so many pixels a side.
const (
	inkPages   = 12
	inkSide    = 1200
	inkObjects = 4_000
	inkPixels  = 16 << 20
)

// settle keeps the suspects that nobody can see. What lies under something that may be transparent, outside a clip path
// or on a layer counts as visible when no rendering says otherwise.
func (c *scan) settle(page *Page, ref requests.Page, found []suspect) []suspect {
	if !slices.ContainsFunc(found, suspect.doubtful) {
		return found
	}
	var visible []bool
	told := false
	if c.bearable(page) {
		c.inks++
		c.drawn = true
		visible, told = c.s.inked(ref, page, found)
	}
	kept := make([]suspect, 0, len(found))
	unsure := false
	for i, t := range found {
		switch {
		case told && visible[i]:
		case !told && t.onlyInk():
			unsure = true
		default:
			kept = append(kept, t)
		}
	}
	if unsure && c.s.dead == nil {
		c.note(ObjectsCapped, page.Number, "text under pictures, outside clip paths or on layers was not looked for")
	}
	return kept
}

// bearable: the page may be rendered.
func (c *scan) bearable(page *Page) bool {
	pixels := 0
	for _, i := range page.Images {
		pixels += i.Width * i.Height
	}
	return !c.rested && c.inks < inkPages && page.Objects <= inkObjects && pixels <= inkPixels
}

// without is the texts that are not among the hidden.
func without(texts []textObject, hidden []suspect) []textObject {
	gone := map[int]bool{}
	for _, s := range hidden {
		gone[s.order] = true
	}
	return slices.DeleteFunc(slices.Clone(texts), func(t textObject) bool { return gone[t.order] })
}

// inked tells which of the doubtful suspects leave ink: the page is rendered with and without them, and where the two
// differ, somebody can see the text. A fill that is a pattern, a picture that is half transparent and a highlighter
// look to a reader of objects as if they hid it. False: it could not be told.
func (s *session) inked(ref requests.Page, page *Page, found []suspect) (visible []bool, ok bool) {
	with, ok := s.render(ref)
	if !ok || page.Width <= 0 {
		return nil, false
	}
	scale := float64(with.Rect.Dx()) / page.Width
	visible = make([]bool, len(found))
	for _, group := range nonOverlapping(found) {
		s.setModes(found, group, true)
		without, ok := s.render(ref)
		s.setModes(found, group, false)
		if !ok || with.Rect != without.Rect {
			return nil, false
		}
		for _, i := range group {
			visible[i] = differs(with, without, found[i].box, scale)
		}
	}
	return visible, s.dead == nil
}

// nonOverlapping parts the doubtful suspects so that those of one do not overlap: the ink of one must not speak for another.
// What is left over stays a suspect.
func nonOverlapping(found []suspect) [][]int {
	const most, edge = 3, 1.0
	parts := make([][]int, 0, most)
	for i := range found {
		if !found[i].doubtful() {
			continue
		}
		overlaps := func(j int) bool { return found[j].box.near(found[i].box, -edge) }
		at := slices.IndexFunc(parts, func(part []int) bool { return !slices.ContainsFunc(part, overlaps) })
		switch {
		case at >= 0:
			parts[at] = append(parts[at], i)
		case len(parts) < most:
			parts = append(parts, []int{i})
		}
	}
	return parts
}

func (s *session) setModes(found []suspect, group []int, away bool) {
	for _, i := range group {
		mode := enums.FPDF_TEXT_RENDERMODE(found[i].mode)
		if away {
			mode = enums.FPDF_TEXTRENDERMODE_INVISIBLE
		}
		s.call("FPDFTextObj_SetTextRenderMode", uint64(found[i].object), uint64(mode))
	}
}

// render draws a page and copies it out of the guest.
func (s *session) render(ref requests.Page) (*image.RGBA, bool) {
	r, ok := ask(s, s.RenderPageInPixels, requests.RenderPageInPixels{Page: ref, Width: inkSide, Height: inkSide})
	if !ok || r.Result.Image == nil {
		return nil, false
	}
	defer r.Cleanup()
	copied := *r.Result.Image
	copied.Pix = append([]byte(nil), r.Result.Image.Pix...)
	return &copied, true
}

// differs: along at least half of the box, in steps as long as it is high, some pixel has another colour on white
// paper, by more than nobody sees. A letter that runs over a rule does not show the rest.
func differs(a, b *image.RGBA, box Box, scale float64) bool {
	area := image.Rect(int(box.X0*scale), int(box.Y0*scale), int(box.X1*scale)+1, int(box.Y1*scale)+1).Intersect(a.Rect)
	step := max(1, min(area.Dx(), area.Dy()))
	steps, seen := 0, 0
	for y := area.Min.Y; y < area.Max.Y; y += step {
		for x := area.Min.X; x < area.Max.X; x += step {
			steps++
			if differ(a, b, image.Rect(x, y, x+step, y+step).Intersect(area)) {
				seen++
			}
		}
	}
	return seen > 0 && 2*seen >= steps
}

func differ(a, b *image.RGBA, area image.Rectangle) bool {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			at := a.PixOffset(x, y)
			if !near(onPaper(a.Pix[at:at+4]), onPaper(b.Pix[at:at+4])) {
				return true
			}
		}
	}
	return false
}

// onPaper lays a pixel, whose colours PDFium does not multiply by its alpha, on white.
func onPaper(p []byte) colour {
	return mix(colour{255, 255, 255, 255}, colour{uint(p[0]), uint(p[1]), uint(p[2]), uint(p[3])})
}
