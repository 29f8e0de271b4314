package graph

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"time"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// A journal file is one line of magic, then one line per record:
//
//	automaton-journal 1
//	LENGTH CRC PAYLOAD
//
// LENGTH is the number of bytes of PAYLOAD in decimal, CRC its CRC-32C in eight
// hexadecimal digits, PAYLOAD one JSON object, {"head": ...} first and then
// {"task": ..., "outcome": ..., "at": ...}. The length finds a line that was cut
// short, the checksum one whose blocks reached the disk in another order.
const magic = "automaton-journal 1\n"

// mostRecord bounds one payload: a full audit's record is allowed 64 MiB.
const mostRecord = 64 << 20

// payload is a Record as the file has it.
type payload struct {
	Head    json.RawMessage `json:"head,omitempty"`
	Task    string          `json:"task,omitempty"`
	Outcome json.RawMessage `json:"outcome,omitempty"`
	At      time.Time       `json:"at,omitzero"`
}

// frame encodes a record as a line.
func frame(r Record) ([]byte, error) {
	if r.Task == "" || len(r.Outcome) == 0 {
		return nil, errNoRecord
	}
	if len(r.Outcome) > mostRecord {
		return nil, fmt.Errorf("an outcome of %d bytes: a record has at most %d", len(r.Outcome), mostRecord)
	}
	p := payload{Task: r.Task, Outcome: r.Outcome, At: r.At.UTC()}
	if r.Task == headTask {
		p = payload{Head: r.Outcome, At: r.At.UTC()}
	}
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false) // outcomes keep their bytes
	if err := enc.Encode(p); err != nil {
		return nil, err
	}
	text := safetext.JSON(body.Bytes()) // ends with the newline
	if len(text)-1 > mostRecord {
		return nil, fmt.Errorf("%d bytes: a record has at most %d", len(text)-1, mostRecord)
	}
	return line(text[:len(text)-1]), nil
}

// line puts length and checksum before a payload and the newline after it.
func line(body []byte) []byte {
	out := fmt.Appendf(nil, "%d %08x ", len(body), checksum(body))
	out = append(out, body...)
	return append(out, '\n')
}

func checksum(b []byte) uint32 {
	return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) // the table is made once
}

var errNoRecord = errors.New("neither a head nor an outcome")

// errTorn is a line that a crash may have left: the journal ends before it.
var errTorn = errors.New("torn line")

// ErrNotJournal says that a file is not a journal of this version. It is left as
// it was.
var ErrNotJournal = errors.New("not a journal of this version")

// readFrames reads a journal up to the first torn line. It returns its records
// and the number of bytes that they and the magic take: 0 when not even the
// magic is whole.
func readFrames(from io.Reader) (recs []Record, good int64, err error) {
	r := bufio.NewReader(from)
	first := make([]byte, len(magic))
	n, err := io.ReadFull(r, first)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		if magic[:n] == string(first[:n]) {
			return nil, 0, nil
		}
		return nil, 0, ErrNotJournal
	}
	if err != nil {
		return nil, 0, err
	}
	if string(first) != magic {
		return nil, 0, ErrNotJournal
	}
	good = int64(len(magic))
	for {
		body, size, err := readFrame(r)
		if errors.Is(err, errTorn) {
			return recs, good, nil
		}
		if err != nil {
			return recs, good, err
		}
		rec, err := recordOf(body)
		if err != nil {
			return recs, good, fmt.Errorf("record %d: %w: %w", len(recs)+1, ErrNotJournal, err)
		}
		recs, good = append(recs, rec), good+int64(size)
	}
}

// readFrame reads one line. Whatever is wrong with it is errTorn; other errors
// are of the reader.
func readFrame(r *bufio.Reader) (body []byte, size int, err error) {
	head := make([]byte, 0, len("67108864 0123abcd "))
	for spaces := 0; spaces < 2; {
		c, err := r.ReadByte()
		if err != nil {
			return nil, 0, tornAtEnd(err)
		}
		if head = append(head, c); len(head) > len("67108864 0123abcd ") {
			return nil, 0, errTorn
		}
		if c == ' ' {
			spaces++
		}
	}
	length, sum, _ := bytes.Cut(head[:len(head)-1], []byte(" "))
	n, err := strconv.Atoi(string(length))
	if err != nil || n < 0 || n > mostRecord || strconv.Itoa(n) != string(length) {
		return nil, 0, errTorn
	}
	body, err = readUpTo(r, n+1)
	if err != nil {
		return nil, 0, tornAtEnd(err)
	}
	if body[n] != '\n' || fmt.Sprintf("%08x", checksum(body[:n])) != string(sum) {
		return nil, 0, errTorn
	}
	return body[:n], len(head) + n + 1, nil
}

// readUpTo reads n bytes. It takes memory as they come: a length is only a
// claim.
func readUpTo(r io.Reader, n int) ([]byte, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func tornAtEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTorn
	}
	return err
}

// recordOf reads a payload whose checksum holds: what is wrong with it, no
// crash explains.
func recordOf(body []byte) (Record, error) {
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		return Record{}, err
	}
	switch {
	case p.Head != nil && p.Task == "" && p.Outcome == nil:
		return Record{Task: headTask, Outcome: p.Head, At: p.At}, nil
	case p.Head == nil && p.Task != "" && p.Task != headTask && p.Outcome != nil:
		return Record{Task: p.Task, Outcome: p.Outcome, At: p.At}, nil
	}
	return Record{}, errNoRecord
}
