package rubric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// maxErrors is how many errors of one step are reported: more help nobody.
const maxErrors = 20

// maxCollected is how many errors of one step are looked for.
const maxCollected = 1000

// Error is one reason why a rubric is refused. Lines and columns count from 1,
// columns in code points. Codes are stable: empty, too-large, encoding, syntax,
// control-character, duplicate-key, depth, type, no-criteria, no-text,
// id-invalid, id-duplicate, weight, scale, level, check-probe, check-args,
// check-requires, check-cycle, rule-type, too-many.
type Error struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Code    string `json:"code"`
	Msg     string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Pointer string `json:"pointer,omitempty"` // JSON pointer of the value, when there is one

	at int // byte offset
}

// Error writes e as compilers do: file:line:column: message, with the JSON
// pointer of the value behind it, when there is one.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
	if e.Pointer != "" {
		s += " (" + court.Clean(e.Pointer, 200) + ")"
	}
	return s
}

// Errors are the reasons found in one step, sorted by position, at most 20.
type Errors []*Error

// Error writes one line per reason.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single reasons to errors.Is and errors.AsType.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, one := range e {
		out[i] = one
	}
	return out
}

// worst is e sorted, without repetition, and cut.
func (e Errors) worst() Errors {
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Code, b.Code))
	})
	e = slices.CompactFunc(e, func(a, b *Error) bool { return *a == *b }) // a value can be read for two purposes
	return e[:min(len(e), maxErrors)]
}
