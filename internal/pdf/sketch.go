package pdf

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/pdf/pixels"
)

// sketchPixels is the size at which a picture is read: its letters are then about as high as on a screen, and the head of
// an arrow has some ten pixels.
const sketchPixels = 1_200_000

// On is a part of a page at the resolution at which Sketch reads it.
func (b Box) On(page int) View {
	return View{Page: page, Box: b, DPI: fitting(b.width(), b.height(), maxDPI, sketchPixels)}
}

// Sketch reads the boxes and arrows of a part of a page. All of that is done in the worker: no pixel leaves it. An error
// says that nothing was read, and why; the document may still be read.
func (v View) Sketch(ctx context.Context, w Worker, data []byte) (*pixels.Sketch, error) {
	width, height, err := v.size()
	if err == nil && width*height > pixels.MostPixels {
		err = fmt.Errorf("%d by %d pixels, over %d", width, height, pixels.MostPixels)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the picture on page %d: %w", v.Page, err)
	}
	if d := triage(data, Options{}.withDefaults()); d != nil {
		return nil, fmt.Errorf("reading the picture on page %d: %s", v.Page, d.Reason)
	}
	request, err := encodeView(data, v)
	if err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint32(request, binary.BigEndian.Uint32(request)|sketchBit)
	ctx, cancel := context.WithTimeoutCause(ctx, pictureTime, fmt.Errorf("it took longer than %s", pictureTime))
	defer cancel()
	answer, err := w.Do(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("reading the picture on page %d: %w", v.Page, err)
	}
	s, err := decodeSketch(answer, width, height)
	if err != nil {
		return nil, fmt.Errorf("reading the picture on page %d: %w", v.Page, err)
	}
	return s, nil
}

// sketchBit beside pictureBit says that what the picture shows is wanted and not its pixels.
const sketchBit = 1 << 30

func isSketch(request []byte) bool {
	return isView(request) && binary.BigEndian.Uint32(request)&sketchBit != 0
}

// sketch answers a request for what a picture shows: the mark of a picture and a Sketch as JSON, or why there is none.
func (e *engine) sketch(request []byte) ([]byte, error) {
	binary.BigEndian.PutUint32(request, binary.BigEndian.Uint32(request)&^sketchBit)
	_, v, err := decodeView(request)
	if err != nil {
		return nil, err
	}
	answer, err := e.paint(request)
	if err != nil || answer[0] != drawnMark {
		return answer, err
	}
	width, height, err := v.size()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(e.reader.Read(pixels.Picture{Width: width, Height: height, Grey: answer[1:]}))
	if err != nil {
		return nil, fmt.Errorf("encoding sketch: %w", err)
	}
	return append([]byte{drawnMark}, text...), nil
}

// decodeSketch trusts nobody, like decodeAnswer.
func decodeSketch(answer []byte, width, height int) (*pixels.Sketch, error) {
	switch {
	case len(answer) == 0:
		return nil, errors.New("decoding answer: it is empty")
	case answer[0] == unseenMark:
		return nil, errors.New(cutString(string(answer[1:]), 200))
	case answer[0] != drawnMark:
		return nil, errors.New("decoding answer: it is no sketch")
	}
	var s pixels.Sketch
	if err := strict(answer[1:], &s); err != nil {
		return nil, fmt.Errorf("decoding answer: %w", err)
	}
	if !s.Valid(width, height) {
		return nil, errors.New("decoding answer: a sketch that cannot be")
	}
	return &s, nil
}
