// Package pixels reads boxes and arrows in a picture of grey pixels: areas of one shade with the outline of a box, lines
// between them, and the heads of arrows at the ends of the lines.
//
// It is strict: a line counts as an arrow only where both of its ends are known. It uses whole numbers only, so that it
// reads the same on every machine, and its work grows with the number of pixels. It must not read words, and it does
// not say what a figure means (package figure) nor that something is not there.
package pixels

// Picture is a picture row by row, 0 is black and 255 is white.
type Picture struct {
	Width, Height int
	Grey          []byte
}

// Bounds of one picture. What has more boxes or ends than a person draws is not a drawing of boxes and arrows.
const (
	MostPixels = 4 << 20
	leastSide  = 60
	leastBoxes = 3
	mostBoxes  = 250
	mostEnds   = 4_000
)

// Sketch is what was read of a picture, in pixels from its upper left corner.
type Sketch struct {
	Boxes  []Box   `json:"boxes,omitempty"`
	Arrows []Arrow `json:"arrows,omitempty"`
	Lines  []Arrow `json:"lines,omitempty"` // between two boxes, without a direction that could be read
	// Loose counts the lines at boxes that were not read: where they lead could not be told.
	Loose int `json:"loose,omitempty"`
	// Ink is how many pixels outside of boxes differ from the ground that they lie on, Unread how many of them belong to
	// no arrow: words, ornaments, and lines that were not read.
	Ink    int `json:"ink,omitempty"`
	Unread int `json:"unread,omitempty"`
}

// Form is the outline of a box.
type Form string

// The forms.
const (
	Rectangle Form = "rectangle" // with sharp or round corners
	Diamond   Form = "diamond"
	Round     Form = "round" // circles, ellipses, and outlines with slanted sides
)

// Box is an area with an outline.
type Box struct {
	X0    int  `json:"x0"`
	Y0    int  `json:"y0"`
	X1    int  `json:"x1"` // the last pixel
	Y1    int  `json:"y1"`
	Form  Form `json:"form"`
	In    int  `json:"in"`              // the smallest group around it, by its place in Sketch.Boxes; -1 without
	Group bool `json:"group,omitempty"` // it has boxes in it
}

// Arrow leads from a box to another, by their places in Sketch.Boxes.
type Arrow struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Reader reads pictures one after another in the same memory: twenty bytes for each pixel of the largest. The zero
// Reader is ready.
type Reader struct {
	ground  ground
	drawing drawing
}

// Read reads a picture. It gives an empty Sketch for one that is too small or too large, that has hardly any box or more
// than a person draws, or is a sequence of messages.
func (r *Reader) Read(p Picture) Sketch {
	if p.Width < leastSide || p.Height < leastSide || p.Width > MostPixels/p.Height || len(p.Grey) != p.Width*p.Height {
		return Sketch{}
	}
	r.ground.lay(p)
	boxes := r.ground.boxes()
	if len(boxes) < leastBoxes || len(boxes) > mostBoxes || isSequence(boxes) {
		return Sketch{}
	}
	r.drawing.begin(&r.ground, boxes)
	r.drawing.trace()
	return r.drawing.sketch()
}

// sized is a list of so many zeros, in the memory of one that is no longer needed.
func sized[T any](of []T, n int) []T {
	if cap(of) < n {
		return make([]T, n)
	}
	of = of[:n]
	clear(of)
	return of
}

// Valid tells whether a Sketch can be of a picture of that size: a worker that a document has taken over may say anything.
func (s Sketch) Valid(width, height int) bool {
	n := len(s.Boxes)
	if n > mostBoxes || len(s.Arrows)+len(s.Lines) > mostEnds || s.Loose < 0 || s.Unread < 0 || s.Ink < s.Unread || s.Ink > width*height {
		return false
	}
	for _, b := range s.Boxes {
		if b.X0 < 0 || b.Y0 < 0 || b.X1 < b.X0 || b.Y1 < b.Y0 || b.X1 >= width || b.Y1 >= height || b.In < -1 || b.In >= n {
			return false
		}
	}
	for _, list := range [][]Arrow{s.Arrows, s.Lines} {
		for _, a := range list {
			if a.From < 0 || a.From >= n || a.To < 0 || a.To >= n || a.From == a.To {
				return false
			}
		}
	}
	return true
}
