package pdf

import "slices"

// The limits of visible text. A colour difference of 16 of 255 in every channel cannot be seen on paper or screen;
// alpha under 5 % neither. Tiny is under 4 points. The letters of a figure shrink with it, and the one who wants
// to read them enlarges it; under one point nobody does.
const (
	sameChannel = 16
	faintAlpha  = 13
	tinySize    = 4.0
	tinyLabel   = 1.0 // in a figure
)

type colour struct{ r, g, b, a uint }

// textObject is a piece of text as it is drawn, as far as its visibility needs it.
type textObject struct {
	object object
	box    Box
	order  int // position in drawing order
	fill   colour
	known  bool // it has a fill; of a pattern PDFium says that it is white
	mode   int  // text render mode, 0 to 7
	size   float64
	// clipped: it lies outside its clip path; layered: it is on a layer, which may be turned off.
	clipped, layered bool
}

// area is something painted that may lie behind text.
type area struct {
	box    Box
	order  int
	fill   colour
	opaque bool // false: an image, shading or pattern, whose colour is not known
}

// suspect is text that nobody can see, with the reason.
type suspect struct {
	textObject
	why Hidden
}

// doubtful: what the objects say is not sure, and a rendering can settle it.
func (s suspect) doubtful() bool {
	return s.why == SameColour || s.why == Transparent || s.onlyInk()
}

// onlyInk: nobody knows before a rendering tells.
func (s suspect) onlyInk() bool {
	return s.why == Covered || s.why == Clipped || s.why == LayerOff
}

// figures are the boxes of a page's drawings and pictures, but for a picture that is the page's background.
func figures(page *Page) []Box {
	const most = 0.6
	var boxes []Box
	for _, d := range page.Drawings {
		boxes = append(boxes, d.Box)
	}
	for _, i := range page.Images {
		if i.Box.area() <= most*page.Width*page.Height {
			boxes = append(boxes, i.Box)
		}
	}
	return boxes
}

// suspects finds the hidden ones. Text that is stroked or clips is not judged by its fill.
func suspects(texts []textObject, areas []area, page Box, figures []Box) []suspect {
	var found []suspect
	for _, t := range texts {
		if why := t.hidden(areas, page, figures); why != "" {
			found = append(found, suspect{t, why})
		}
	}
	return found
}

func (t textObject) hidden(areas []area, page Box, figures []Box) Hidden {
	const fill, invisible, clip = 0, 3, 7
	switch {
	case t.mode == invisible || t.mode == clip:
		return Invisible
	case !page.near(t.box, 0):
		return OffPage
	case t.tiny(figures):
		return Tiny
	case t.mode == fill && t.known && t.fill.a < faintAlpha:
		return Transparent
	}
	if behind, ok := background(areas, t); ok && t.mode == fill && t.known && near(behind, t.fill) {
		return SameColour
	}
	switch {
	case covered(areas, t):
		return Covered
	case t.clipped:
		return Clipped
	case t.layered:
		return LayerOff
	}
	return ""
}

// tiny: too small to be read, a label of a figure for its part.
func (t textObject) tiny(figures []Box) bool {
	const slack = 2.0 // points: ascenders stand out
	return t.size > 0 && t.size < tinySize && (t.size < tinyLabel || !slices.ContainsFunc(figures, func(f Box) bool {
		return t.box.X0 >= f.X0-slack && t.box.X1 <= f.X1+slack && t.box.Y0 >= f.Y0-slack && t.box.Y1 <= f.Y1+slack
	}))
}

// covered: what is painted later lies over most of a text. Whether one can see through it nobody knows yet.
func covered(areas []area, t textObject) bool {
	const most = 0.6
	over := 0.0
	for i := len(areas) - 1; i >= 0 && areas[i].order > t.order; i-- {
		if a := areas[i]; a.box.near(t.box, 0) && (!a.opaque || a.fill.a >= 255-faintAlpha) {
			over += Box{max(a.box.X0, t.box.X0), max(a.box.Y0, t.box.Y0), min(a.box.X1, t.box.X1), min(a.box.Y1, t.box.Y1)}.area()
		}
	}
	return over > most*t.box.area()
}

// background is the colour behind the middle of a text: white paper, then everything painted before the text. False
// when an image or a pattern makes it unknown.
func background(areas []area, t textObject) (colour, bool) {
	x, y := t.box.centre()
	paper, known := colour{255, 255, 255, 255}, true
	for _, a := range areas {
		if a.order > t.order {
			break
		}
		if !a.box.contains(x, y) {
			continue
		}
		if !a.opaque {
			known = false
			continue
		}
		if a.fill.a >= 255-faintAlpha {
			known = true
		}
		paper = mix(paper, a.fill)
	}
	return paper, known
}

func mix(below, above colour) colour {
	channel := func(b, a uint) uint { return (b*(255-above.a) + a*above.a) / 255 }
	return colour{channel(below.r, above.r), channel(below.g, above.g), channel(below.b, above.b), 255}
}

func near(a, b colour) bool {
	return apart(a.r, b.r) <= sameChannel && apart(a.g, b.g) <= sameChannel && apart(a.b, b.b) <= sameChannel
}

func apart(a, b uint) uint { return max(a, b) - min(a, b) }
