package pdf

import (
	"errors"
	"fmt"
	"math"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
)

// paint answers a request for a picture. What is wrong with the page is in the answer; an error is ours.
func (e *engine) paint(request []byte) ([]byte, error) {
	data, v, err := decodeView(request)
	if err != nil {
		return nil, err
	}
	width, height, err := v.size()
	if err != nil {
		return nil, err
	}
	mend(data)
	c := &scan{engine: e, data: data, doc: &Document{}}
	defer c.close()
	if err := c.open(); err != nil {
		if _, reason := unopened(err); reason != "" {
			return append([]byte{unseenMark}, reason...), nil
		}
		return nil, err
	}
	pixels, err := c.s.paint(v, width, height)
	if err != nil {
		return append([]byte{unseenMark}, cause(err)...), nil
	}
	return append([]byte{drawnMark}, pixels...), nil
}

var errPaint = errors.New("PDFium does not draw this page")

// paint draws without annotations: what others wrote over a page is not the document's.
func (s *session) paint(v View, width, height int) (pixels []byte, err error) {
	defer guard(&err)
	page := s.page(v.Page - 1)
	size, ok := ask(s, s.FPDF_GetPageBoundingBox, requests.FPDF_GetPageBoundingBox{Page: page})
	if !ok {
		return nil, errors.Join(errPage, s.dead)
	}
	turn, _ := ask(s, s.FPDFPage_GetRotation, requests.FPDFPage_GetRotation{Page: page})
	r := size.Rect
	f := frame{left: float64(r.Left), bottom: float64(r.Bottom), right: float64(r.Right), top: float64(r.Top)}
	f.quarter = int(turn.PageRotation-enums.FPDF_PAGE_ROTATION_NONE) & 3
	w, h := f.size()
	if v.pixels(max(w, h)) > 1<<20 { // PDFium counts pixels of the whole page in 32 bits
		return nil, fmt.Errorf("%w: it is %.0f by %.0f points", errPaint, w, h)
	}
	made, ok := ask(s, s.FPDFBitmap_CreateEx, requests.FPDFBitmap_CreateEx{Width: width, Height: height,
		Format: enums.FPDF_BITMAP_FORMAT_GRAY, Pointer: uint64(0)}) // no memory of ours: it makes its own
	if !ok {
		return nil, errors.Join(errPaint, s.dead)
	}
	white := requests.FPDFBitmap_FillRect{Bitmap: made.Bitmap, Width: width, Height: height, Color: 0xFFFFFFFF}
	if _, ok := ask(s, s.FPDFBitmap_FillRect, white); !ok {
		return nil, errors.Join(errPaint, s.dead)
	}
	whole := func(points float64) int { return int(math.Round(v.pixels(points))) }
	draw := requests.FPDF_RenderPageBitmap{Bitmap: made.Bitmap, Page: page, StartX: -whole(v.Box.X0), StartY: -whole(v.Box.Y0),
		SizeX: whole(w), SizeY: whole(h), Flags: enums.FPDF_RENDER_FLAG_GRAYSCALE}
	if _, ok := ask(s, s.FPDF_RenderPageBitmap, draw); !ok {
		return nil, errors.Join(errPaint, s.dead)
	}
	stride, ok := ask(s, s.FPDFBitmap_GetStride, requests.FPDFBitmap_GetStride{Bitmap: made.Bitmap})
	buffer, got := ask(s, s.FPDFBitmap_GetBuffer, requests.FPDFBitmap_GetBuffer{Bitmap: made.Bitmap})
	if !ok || !got || stride.Stride < width || len(buffer.Buffer) < stride.Stride*height {
		return nil, errors.Join(errPaint, s.dead)
	}
	pixels = make([]byte, 0, width*height)
	for y := range height {
		pixels = append(pixels, buffer.Buffer[y*stride.Stride:][:width]...)
	}
	return pixels, nil
}
