package pdf

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"time"
)

// View names a part of a page and how finely it is drawn.
type View struct {
	Page int `json:"page"` // 1-based
	Box  Box `json:"box"`
	DPI  int `json:"dpi"` // pixels an inch, 18 to 600
}

// Picture is a part of a page as grey pixels.
type Picture struct {
	View
	Width  int // pixels
	Height int
	PNG    []byte // encoded here and not by the worker: no byte of it is the document's own
	Digest string // sha256 of PNG, in hex
}

// Bounds of one picture: a design choice.
const (
	picturePixels = 25_000_000
	pictureTime   = 3 * time.Minute // a fence, with a worker's start; a page of a report takes under two seconds on a busy machine
	minDPI        = 18
	maxDPI        = 600
)

// size is the picture's width and height in pixels, or why it is not drawn. It is known before anything is drawn.
func (v View) size() (w, h int, err error) {
	if v.Page < 1 || v.DPI < minDPI || v.DPI > maxDPI {
		return 0, 0, fmt.Errorf("page %d at %d dpi", v.Page, v.DPI)
	}
	for _, side := range []float64{v.Box.X0, v.Box.Y0, v.Box.X1, v.Box.Y1} {
		if math.IsNaN(side) || math.Abs(side) > 1e6 {
			return 0, 0, errors.New("a box beyond every page")
		}
	}
	fw, fh := math.Ceil(v.pixels(v.Box.width())), math.Ceil(v.pixels(v.Box.height()))
	if fw < 1 || fh < 1 {
		return 0, 0, errors.New("an empty box")
	}
	if fw*fh > picturePixels {
		return 0, 0, fmt.Errorf("%.0f by %.0f pixels, over %d", fw, fh, picturePixels)
	}
	return int(fw), int(fh), nil
}

const pointsPerInch = 72.0

func (v View) pixels(points float64) float64 { return points * float64(v.DPI) / pointsPerInch }

// Render draws a part of a page. It takes at most 25 million pixels and 15 seconds. An error says that there is no
// picture, and why; the document may still be read.
func Render(ctx context.Context, w Worker, data []byte, v View) (*Picture, error) {
	width, height, err := v.size()
	if err != nil {
		return nil, fmt.Errorf("drawing page %d: %w", v.Page, err)
	}
	if d := triage(data, Options{}.withDefaults()); d != nil {
		return nil, fmt.Errorf("drawing page %d: %s", v.Page, d.Reason)
	}
	request, err := encodeView(data, v)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, pictureTime, fmt.Errorf("it took longer than %s", pictureTime))
	defer cancel()
	answer, err := w.Do(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("drawing page %d: %w", v.Page, err)
	}
	pixels, err := decodePixels(answer, width*height)
	if err != nil {
		return nil, fmt.Errorf("drawing page %d: %w", v.Page, err)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, &image.Gray{Pix: pixels, Stride: width, Rect: image.Rect(0, 0, width, height)}); err != nil {
		return nil, fmt.Errorf("drawing page %d: %w", v.Page, err)
	}
	sum := sha256.Sum256(out.Bytes())
	return &Picture{View: v, Width: width, Height: height, PNG: out.Bytes(), Digest: hex.EncodeToString(sum[:])}, nil
}

// pictureBit in the length of a request's options says that a picture is wanted and not the text.
const pictureBit = 1 << 31

func encodeView(data []byte, v View) ([]byte, error) {
	view, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encoding view: %w", err)
	}
	request := make([]byte, 0, 4+len(view)+len(data))
	request = binary.BigEndian.AppendUint32(request, pictureBit|uint32(len(view)))
	request = append(request, view...)
	return append(request, data...), nil
}

func isView(request []byte) bool {
	return len(request) >= 4 && binary.BigEndian.Uint32(request)&pictureBit != 0
}

func decodeView(request []byte) (data []byte, v View, err error) {
	n := binary.BigEndian.Uint32(request) &^ pictureBit
	rest := request[4:]
	if n > optionsMax || int(n) > len(rest) {
		return nil, v, fmt.Errorf("decoding request: a view of %d bytes", n)
	}
	if err := strict(rest[:n], &v); err != nil {
		return nil, v, fmt.Errorf("decoding view: %w", err)
	}
	return rest[n:], v, nil
}

// An answer to a view is one byte, then the pixels row by row, or why there are none.
const (
	drawnMark  = 'p'
	unseenMark = 'n'
)

// decodePixels trusts nobody, like decodeAnswer: the size is what was asked for.
func decodePixels(answer []byte, want int) ([]byte, error) {
	switch {
	case len(answer) == 0:
		return nil, errors.New("decoding answer: it is empty")
	case answer[0] == unseenMark:
		return nil, errors.New(cutString(string(answer[1:]), 200))
	case answer[0] != drawnMark || len(answer)-1 != want:
		return nil, fmt.Errorf("decoding answer: %d bytes for %d pixels", len(answer)-1, want)
	}
	return answer[1:], nil
}
