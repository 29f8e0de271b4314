package query

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MaxQuery bounds a query, in bytes.
const MaxQuery = 4 << 10

// Worker turns one request into one answer: a pool of sandboxed workers that
// run Service, or Inline.
type Worker interface {
	Do(ctx context.Context, request []byte) ([]byte, error)
}

// Span is a stretch of a text, by bytes.
type Span struct{ From, To int }

// Matches is where a query fits.
type Matches struct {
	Spans []Span // of the first capture of each match, in the order of the text
	More  bool   // there may be others: a bound was reached
}

// Refused says why a query cannot be asked, and where in it.
type Refused struct {
	Line, Col int // 1-based, in the query
	Why       string
}

// Error is the reason with its place.
func (e *Refused) Error() string {
	return fmt.Sprintf("at %d:%d of the query: %s", e.Line, e.Col, e.Why)
}

// answer is what a worker says.
type answer struct {
	Refused *Refused `json:"refused,omitempty"`
	Spans   [][2]int `json:"spans,omitempty"`
	More    bool     `json:"more,omitempty"`
}

// Compile tells whether a query can be asked of a language. The error is
// *Refused when the query is at fault, else that no worker could be had.
func Compile(ctx context.Context, w Worker, language, query string) error {
	known := false
	for i, d := range dialects {
		if d.language != language {
			continue
		}
		known = true
		if _, err := ask(ctx, w, i, query, ""); err != nil {
			return err
		}
	}
	if !known {
		return &Refused{Line: 1, Col: 1, Why: fmt.Sprintf("no grammar of %q; there is one of %s", language, strings.Join(Languages(), ", "))}
	}
	return nil
}

// Find asks a query of one file's text. The path chooses between the grammars
// of a language.
func Find(ctx context.Context, w Worker, language, query, path, text string) (Matches, error) {
	i := dialectOf(language, path)
	if i < 0 {
		return Matches{}, fmt.Errorf("asking a query: no grammar of %q", language)
	}
	return ask(ctx, w, i, query, text)
}

func ask(ctx context.Context, w Worker, dialect int, query, text string) (Matches, error) {
	if len(query) > MaxQuery {
		return Matches{}, &Refused{Line: 1, Col: 1, Why: fmt.Sprintf("it is longer than %d bytes", MaxQuery)}
	}
	request := append([]byte{byte(dialect)}, binary.BigEndian.AppendUint16(nil, uint16(len(query)))...)
	raw, err := w.Do(ctx, append(append(request, query...), text...))
	if err != nil {
		return Matches{}, fmt.Errorf("asking a query: %w", err)
	}
	return read(raw, len(text))
}

// read checks what a worker said: it saw strangers' bytes.
func read(raw []byte, size int) (Matches, error) {
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return Matches{}, fmt.Errorf("reading a worker's answer: %w", err)
	}
	if a.Refused != nil {
		return Matches{}, a.Refused
	}
	m := Matches{More: a.More}
	for _, s := range a.Spans {
		if s[0] < 0 || s[1] < s[0] || s[1] > size || len(m.Spans) == maxMatches {
			return Matches{}, errors.New("reading a worker's answer: a place outside of the text")
		}
		m.Spans = append(m.Spans, Span{s[0], s[1]})
	}
	return m, nil
}
