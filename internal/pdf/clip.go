package pdf

import (
	"math"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Bounds of what is asked about one text: a browser nests a few clip paths, mostly rectangles.
const (
	clipPaths    = 8
	clipSegments = 32
	textMarks    = 8
	clipSlack    = 1.0 // points: accents stand out
)

// clipped: the text lies outside one of its clip paths. A path with more segments than are looked at says nothing.
func (w *walk) clipped(object references.FPDF_PAGEOBJECT, box Box, ctm matrix) bool {
	clip, ok := ask(w.s, w.s.FPDFPageObj_GetClipPath, requests.FPDFPageObj_GetClipPath{PageObject: object})
	if !ok {
		return false
	}
	paths, ok := ask(w.s, w.s.FPDFClipPath_CountPaths, requests.FPDFClipPath_CountPaths{ClipPath: clip.ClipPath})
	if !ok {
		return false
	}
	for i := range min(paths.Count, clipPaths) {
		if around, ok := w.clipBox(clip.ClipPath, i, ctm); ok && !around.near(box, clipSlack) {
			return true
		}
	}
	return false
}

// clipBox is the box around one clip path, as displayed.
func (w *walk) clipBox(clip references.FPDF_CLIPPATH, path int, ctm matrix) (Box, bool) {
	count, ok := ask(w.s, w.s.FPDFClipPath_CountPathSegments, requests.FPDFClipPath_CountPathSegments{ClipPath: clip, PathIndex: path})
	if !ok || count.Count <= 0 || count.Count > clipSegments {
		return Box{}, false
	}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range count.Count {
		if !w.budget.clip() {
			w.capped = true
			return Box{}, false
		}
		seg, ok := ask(w.s, w.s.FPDFClipPath_GetPathSegment, requests.FPDFClipPath_GetPathSegment{ClipPath: clip, PathIndex: path, SegmentIndex: i})
		if !ok {
			return Box{}, false
		}
		p, ok := ask(w.s, w.s.FPDFPathSegment_GetPoint, requests.FPDFPathSegment_GetPoint{PathSegment: seg.PathSegment})
		if !ok {
			return Box{}, false
		}
		x, y := float64(p.X), float64(p.Y)
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	return w.frame.box(ctm.bounds(x0, y0, x1, y1)), true
}

// layered: the text is marked as optional content.
func (w *walk) layered(object references.FPDF_PAGEOBJECT) bool {
	marks, ok := ask(w.s, w.s.FPDFPageObj_CountMarks, requests.FPDFPageObj_CountMarks{PageObject: object})
	if !ok {
		return false
	}
	for i := range min(marks.Count, textMarks) {
		mark, ok := ask(w.s, w.s.FPDFPageObj_GetMark, requests.FPDFPageObj_GetMark{PageObject: object, Index: uint64(i)})
		if !ok {
			continue
		}
		name, ok := ask(w.s, w.s.FPDFPageObjMark_GetName, requests.FPDFPageObjMark_GetName{PageObjectMark: mark.Mark})
		if ok && name.Name == "OC" {
			return true
		}
	}
	return false
}
