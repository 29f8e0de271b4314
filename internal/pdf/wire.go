package pdf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	strictjson "github.com/go-json-experiment/json"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// A request is the length of its options (u32, big endian), the options as JSON, and the file's bytes. An answer is
// a Document as JSON.

// maxFile is what fits into one request beside its options.
const maxFile = sandbox.MaxFrame - 4 - optionsMax

// optionsMax bounds the options of a request, which are four numbers.
const optionsMax = 512

func encodeRequest(data []byte, o Options) ([]byte, error) {
	options, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("encoding options: %w", err)
	}
	request := make([]byte, 0, 4+len(options)+len(data))
	request = binary.BigEndian.AppendUint32(request, uint32(len(options)))
	request = append(request, options...)
	return append(request, data...), nil
}

func decodeRequest(request []byte) (data []byte, o Options, err error) {
	if len(request) < 4 {
		return nil, o, errors.New("decoding request: no header")
	}
	n := binary.BigEndian.Uint32(request)
	rest := request[4:]
	if n > optionsMax || int(n) > len(rest) {
		return nil, o, fmt.Errorf("decoding request: options of %d bytes", n)
	}
	if err := strict(rest[:n], &o); err != nil {
		return nil, o, fmt.Errorf("decoding options: %w", err)
	}
	return rest[n:], o.withDefaults(), nil
}

func encodeAnswer(d *Document) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // it goes to our own decoder, and escapes would make it six times as long
	if err := encoder.Encode(d); err != nil {
		return nil, fmt.Errorf("encoding document: %w", err)
	}
	return b.Bytes(), nil
}

// decodeAnswer trusts nobody: a worker that a document has taken over may answer anything.
func decodeAnswer(answer []byte, o Options) (*Document, error) {
	var d Document
	if err := strict(answer, &d); err != nil {
		return nil, fmt.Errorf("decoding answer: %w", err)
	}
	switch d.Status {
	case Readable, NoText, Empty, Damaged, Encrypted:
	case TooLarge: // of a DOCX file it shows only when it is unpacked
		if !o.Word {
			return nil, fmt.Errorf("decoding answer: status %q", d.Status)
		}
	default:
		return nil, fmt.Errorf("decoding answer: status %q", d.Status)
	}
	if n := len(d.Paragraphs); n > wordParagraphs || n > 0 && !o.Word {
		return nil, fmt.Errorf("decoding answer: %d paragraphs", n)
	}
	if d.Total < 0 || len(d.Pages) > min(d.Total, o.MaxPages) {
		return nil, fmt.Errorf("decoding answer: %d of %d pages", len(d.Pages), d.Total)
	}
	before := 0
	for _, p := range d.Pages {
		if p.Number <= before || p.Number > d.Total {
			return nil, fmt.Errorf("decoding answer: page %d after page %d", p.Number, before)
		}
		before = p.Number
	}
	return &d, nil
}

// strict decodes exactly one JSON value without unknown fields. A field that stands there twice, or in other letters,
// is refused: two readers would take it for two things.
func strict(text []byte, into any) error {
	return strictjson.Unmarshal(text, into, strictjson.RejectUnknownMembers(true))
}
