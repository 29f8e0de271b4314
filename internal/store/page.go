package store

import (
	"bytes"
	"fmt"
)

// The element of a report.html that holds the record. Inside it there is no
// "<", so that nothing in a record can end it.
const (
	pageOpen  = `<script type="application/json" id="automaton-record">`
	pageClose = `</script>`
)

// fromPage cuts the record out of a report. There must be exactly one.
func fromPage(page []byte) ([]byte, error) {
	if n := bytes.Count(page, []byte(pageOpen)); n != 1 {
		return nil, fmt.Errorf("%w: the page holds %d records", ErrNotRecord, n)
	}
	_, rest, _ := bytes.Cut(page, []byte(pageOpen))
	text, _, ok := bytes.Cut(rest, []byte(pageClose))
	if !ok {
		return nil, fmt.Errorf("%w: the page ends inside it", ErrNotRecord)
	}
	return text, nil
}
