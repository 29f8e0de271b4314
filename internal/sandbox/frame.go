package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// Frames between parent and worker: length as u32, big endian, then so many bytes. A request begins with its ticket. The
// first byte of a worker's frame is its kind; behind it answers and errors have the ticket of what they answer.
const (
	frameAnswer byte = iota
	frameError
	frameReady
)

// ticketSize is the length of a request's ticket: random bytes, so that nothing written before a request was seen can
// pass for its answer. One document must not answer for another.
const ticketSize = 8

// maxWorkerFrame is the longest frame of a worker.
const maxWorkerFrame = 1 + ticketSize + MaxFrame

var errFrame = errors.New("frame over the limit")

func writeFrame(w io.Writer, head, body []byte) error {
	buf := make([]byte, 4, 4+len(head))
	binary.BigEndian.PutUint32(buf, uint32(len(head)+len(body)))
	if _, err := w.Write(append(buf, head...)); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}

// readFrame reads one frame. Memory grows with what arrives, not with what the length promises.
func readFrame(r io.Reader, limit int) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int64(binary.BigEndian.Uint32(head[:]))
	if n > int64(limit) {
		return nil, errFrame
	}
	var body bytes.Buffer
	body.Grow(int(min(n, 1<<20)))
	if got, err := io.CopyN(&body, r, n); err != nil {
		if errors.Is(err, io.EOF) && got < n {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return body.Bytes(), nil
}
