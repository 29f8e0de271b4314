package llm

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Bounds of an answer.
const (
	maxAnswer = 1 << 20 // bytes
	maxNested = 64
	maxShown  = 200 // characters of what a message quotes
)

// Decode reads a model's answer into a value. Names are case-sensitive; a name
// that stands twice or is not known, data behind the end, bytes that are no
// UTF-8, a depth over 64 and more than 1 MiB are refused, and so is a number
// that the value cannot hold: "5", 4.7 and 1e400 are not integers. The error
// says what to mend, in words for the model. A member that is missing keeps
// its zero value: that is for the one who asked to see.
func Decode(raw []byte, into any) error {
	if len(raw) > maxAnswer {
		return fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return strict(raw, into)
}

// strict is Decode without a bound of the size.
func strict(raw []byte, into any) error {
	if safetext.Nesting(raw, maxNested) > maxNested {
		return fmt.Errorf("the answer nests deeper than %d", maxNested)
	}
	err := json.Unmarshal(raw, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return syntactic(s)
	}
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		return semantic(s)
	}
	return errors.New("the answer is not valid JSON")
}

func syntactic(s *jsontext.SyntacticError) error {
	if errors.Is(s.Err, jsontext.ErrDuplicateName) {
		return fmt.Errorf("%s stands twice", member(s.JSONPointer))
	}
	what := "the JSON is not valid"
	if s.Err != nil {
		what = "the JSON is not valid: " + safetext.Text(s.Err.Error(), maxShown)
	}
	return fmt.Errorf("%s, at byte %d", what, s.ByteOffset)
}

func semantic(s *json.SemanticError) error {
	at := member(s.JSONPointer)
	if errors.Is(s.Err, json.ErrUnknownName) {
		return fmt.Errorf("%s is not a name of the schema", at)
	}
	got := map[jsontext.Kind]string{'n': "null", 't': "true", 'f': "false", '"': "a string", '0': "a number", '{': "an object", '[': "a list"}[s.JSONKind]
	if len(s.JSONValue) > 0 {
		got = safetext.Text(string(s.JSONValue), maxShown)
	}
	if got == "" {
		got = "this"
	}
	if s.GoType == nil {
		return fmt.Errorf("%s: %s does not fit the schema", at, got)
	}
	return fmt.Errorf("%s: %s is not %s", at, got, wanted(s.GoType))
}

// member names a place in an answer: the pointer without its first slash.
func member(p jsontext.Pointer) string {
	if name := strings.TrimPrefix(string(p), "/"); name != "" {
		return safetext.Text(name, maxShown)
	}
	return "the answer"
}

// wanted says in words for a model what a type of ours reads.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer in range"
	case reflect.Float32, reflect.Float64:
		return "a number in range"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "what the schema wants"
}
