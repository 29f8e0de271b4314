package pdf

import "math"

// Bounds of what is asked about one text: a browser nests a few clip paths, mostly rectangles.
const (
	clipPaths    = 8
	clipSegments = 32
	textMarks    = 8
	clipSlack    = 1.0 // points: accents stand out
)

// clipped: the text lies outside one of its clip paths. A path with more segments than are looked at says nothing.
func (w *walk) clipped(o object, box Box, ctm matrix) bool {
	clip, ok := w.s.call("FPDFPageObj_GetClipPath", uint64(o))
	if !ok {
		return false
	}
	paths, ok := w.s.count("FPDFClipPath_CountPaths", clip)
	if !ok {
		return false
	}
	for i := range min(paths, clipPaths) {
		if around, ok := w.clipBox(clip, i, ctm); ok && !around.near(box, clipSlack) {
			return true
		}
	}
	return false
}

// clipBox is the box around one clip path, as displayed.
func (w *walk) clipBox(clip uint64, path int, ctm matrix) (Box, bool) {
	count, ok := w.s.count("FPDFClipPath_CountPathSegments", clip, uint64(path))
	if !ok || count == 0 || count > clipSegments {
		return Box{}, false
	}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range count {
		if !w.budget.clip() {
			w.capped = true
			return Box{}, false
		}
		seg, ok := w.s.call("FPDFClipPath_GetPathSegment", clip, uint64(path), uint64(i))
		if !ok || seg == 0 {
			return Box{}, false
		}
		x, y, ok := w.s.segmentPoint(object(seg))
		if !ok {
			return Box{}, false
		}
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	return w.frame.box(ctm.bounds(x0, y0, x1, y1)), true
}

// layered: the text is marked as optional content.
func (w *walk) layered(o object) bool {
	marks, ok := w.s.count("FPDFPageObj_CountMarks", uint64(o))
	if !ok {
		return false
	}
	for i := range min(marks, textMarks) {
		if mark, ok := w.s.part("FPDFPageObj_GetMark", o, i); ok && w.s.isLayer(mark) {
			return true
		}
	}
	return false
}
