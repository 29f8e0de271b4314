package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// messages hands on the lines of a client that are messages, and answers all others
// itself: the library would end the session over the first of them.
type messages struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of the line that is being read
}

func newMessages(in io.Reader, out io.Writer) *messages {
	return &messages{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

// Read reads from one message at a time.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.line()
		if err != nil {
			return 0, err
		}
		if m.rest = line; len(line) == 0 {
			continue
		}
		if code, why := wrong(line); why != nil {
			if err := m.refuse(code, why); err != nil {
				return 0, err
			}
			m.rest = nil
			continue
		}
		m.rest = append(m.rest, '\n')
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line is the next line without blanks around it. One that is too long is refused and
// passed over, and so is nothing but the line before it ends.
func (m *messages) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		piece, err := m.in.ReadSlice('\n')
		if long = long || len(line)+len(piece) > maxMessage; !long {
			line = append(line, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (long || len(bytes.TrimSpace(line)) == 0): // nobody waits for an answer
			return nil, err
		case long:
			return nil, m.refuse(jsonrpc.CodeInvalidRequest, fmt.Errorf("a message has at most %d bytes", maxMessage))
		}
		return bytes.TrimSpace(line), nil // the end of the stream is met again
	}
}

// wrong says why a line is no message.
func wrong(line []byte) (code int64, why error) {
	switch {
	case safetext.Nesting(line, maxDepth) > maxDepth:
		return jsonrpc.CodeInvalidRequest, fmt.Errorf("a message nests at most %d deep", maxDepth)
	case !json.Valid(line):
		return jsonrpc.CodeParseError, errors.New("a line is one message in JSON")
	case line[0] == '[':
		return jsonrpc.CodeInvalidRequest, errors.New("batches are not taken: send each message on a line of its own")
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return jsonrpc.CodeInvalidRequest, errors.New("it is not a message of JSON-RPC 2.0")
	}
	return 0, nil
}

// refuse answers what cannot be read, and so has no id.
func (m *messages) refuse(code int64, why error) error {
	raw, err := json.Marshal(struct {
		Version string        `json:"jsonrpc"`
		ID      *int          `json:"id"`
		Error   jsonrpc.Error `json:"error"`
	}{"2.0", nil, jsonrpc.Error{Code: code, Message: why.Error()}})
	if err == nil {
		_, err = m.out.Write(append(raw, '\n'))
	}
	return err
}
