package store

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/automaton-auditor/automaton/internal/court"
)

// MaxRecord bounds a record, and a page that holds one, in bytes.
const MaxRecord = 64 << 20

var errTooLarge = fmt.Errorf("it has more than %d MiB", MaxRecord>>20)

// maxDepth bounds how deep a record's JSON nests.
const maxDepth = 64

// ErrNotRecord says that something is not a record of a version that this reader
// knows.
var ErrNotRecord = errors.New("not a record")

// Decode reads a record from the bytes of a record.json or of a report.html.
// It refuses what is too large, nests too deep, repeats a name, is not UTF-8 or
// goes on after its end, and in a record of this very version every unknown
// name; newer versions of the same major one may have more names. Errors name
// the place as a JSON pointer; whether the record is sound is for Verify.
func Decode(raw []byte) (*court.Record, error) {
	if len(raw) > MaxRecord {
		return nil, errTooLarge
	}
	text, err := recordText(raw)
	if err != nil {
		return nil, err
	}
	if err := shallow(text); err != nil {
		return nil, err
	}
	var peek struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &peek); err != nil {
		return nil, decodeError(err)
	}
	exact, err := known(peek.Schema)
	if err != nil {
		return nil, err
	}
	rec := new(court.Record)
	if err := json.Unmarshal(text, rec, json.RejectUnknownMembers(exact)); err != nil {
		return nil, decodeError(err)
	}
	return rec, nil
}

// known tells whether a schema is this version exactly; a later minor version
// is read, too.
func known(schema string) (exact bool, err error) {
	if schema == court.SchemaRecord {
		return true, nil
	}
	minor, ok := strings.CutPrefix(schema, court.SchemaRecord+".")
	if ok && minor != "" && len(minor) <= 6 && strings.Trim(minor, "0123456789") == "" {
		return false, nil
	}
	return false, fmt.Errorf("%w: its schema is %q (have %s)", ErrNotRecord, court.Clean(schema, 80), court.SchemaRecord)
}

// recordText is the JSON itself: all of a file, or what a page holds.
func recordText(raw []byte) ([]byte, error) {
	start := bytes.TrimLeft(raw, " \t\r\n")
	switch {
	case len(start) == 0:
		return nil, fmt.Errorf("%w: it is empty", ErrNotRecord)
	case start[0] == '{':
		return start, nil
	case start[0] == '<':
		return fromPage(start)
	default:
		return nil, fmt.Errorf("%w: neither JSON nor a report", ErrNotRecord)
	}
}

// shallow refuses nesting beyond maxDepth, whatever else is in the text.
func shallow(text []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("it nests deeper than %d at byte %d", maxDepth, i)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// decodeError says where the JSON is wrong, without the types of this program.
func decodeError(err error) error {
	if sem, ok := errors.AsType[*json.SemanticError](err); ok {
		at := pointer(sem.JSONPointer)
		if errors.Is(err, json.ErrUnknownName) {
			return fmt.Errorf("%s: unknown name", at)
		}
		if sem.Err != nil {
			return fmt.Errorf("%s: %w", at, sem.Err)
		}
		return fmt.Errorf("%s: a JSON %s does not belong here", at, sem.JSONKind)
	}
	if syn, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return fmt.Errorf("%s: the name is there twice", pointer(syn.JSONPointer))
		}
		return fmt.Errorf("%s, byte %d: %w", pointer(syn.JSONPointer), syn.ByteOffset, syn.Err)
	}
	return fmt.Errorf("reading JSON: %w", err)
}

func pointer(p jsontext.Pointer) string {
	if p == "" {
		return "/"
	}
	return court.Clean(string(p), 200)
}
