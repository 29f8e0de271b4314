package rubric

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestPositionsCountCodePoints(t *testing.T) {
	text := []byte(strings.Repeat("aé€😀\n", 7) + strings.Repeat("xé€😀y", 900) + "\nend" + strings.Repeat("z", chunk-3))
	d := newDocument("t", text)
	for at := range len(text) + 1 {
		if at < len(text) && !utf8.RuneStart(text[at]) {
			continue
		}
		start := bytes.LastIndexByte(text[:at], '\n') + 1
		want := court.Pos{Line: bytes.Count(text[:at], []byte("\n")) + 1, Col: utf8.RuneCount(text[start:at]) + 1}
		if got := d.pos(at); got != want {
			t.Fatalf("byte %d is at %v, want %v", at, got, want)
		}
	}
	whole := newDocument("t", bytes.Repeat([]byte("x"), 2*chunk))
	if got := whole.pos(2 * chunk); got.Col != 2*chunk+1 {
		t.Errorf("the end is at %v", got)
	}
}

func TestErrorsNameTheirPointer(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"type":      {`{"dimensions":[{"id":"a","name":"A"},{"id":"b","name":7}]}`, "/dimensions/1/name"},
		"key":       {`{"dimensions":[{"name":"A"}],"synthesis":{"a/b~c":1}}`, "/synthesis/a~1b~0c"},
		"id":        {`{"dimensions":[{"id":"a b","name":"A"}]}`, "/dimensions/0/id"},
		"syntax":    {`{"a":{"b":[1,x]}}`, "/a/b/1"},
		"duplicate": {`{"a":{"b":1,"b":2}}`, "/a"},
		"document":  {``, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Load("r.json", strings.NewReader(tt.text), catalogue(t))
			errs, ok := err.(Errors) //nolint:errorlint // exactly that type is promised
			if !ok {
				t.Fatalf("got %v", err)
			}
			if diff := cmp.Diff(tt.want, errs[0].Pointer); diff != "" {
				t.Errorf("%v (-want +got):\n%s", errs[0], diff)
			}
		})
	}
}

func TestErrorsAreSortedAndCut(t *testing.T) {
	text := `{"dimensions":[` + strings.TrimSuffix(strings.Repeat(`{"id":"b c","name":1},`, 100), ",") + `]}`
	_, err := Load("r.json", strings.NewReader(text), catalogue(t))
	errs, ok := err.(Errors) //nolint:errorlint // exactly that type is promised
	if !ok || len(errs) != maxErrors {
		t.Fatalf("got %d errors, want %d", len(errs), maxErrors)
	}
	for i, e := range errs[1:] {
		if e.Line == errs[i].Line && e.Col < errs[i].Col {
			t.Errorf("%v stands behind %v", e, errs[i])
		}
	}
	if e, ok := errors.AsType[*Error](err); !ok || e != errs[0] {
		t.Errorf("the first reason is %v", e)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != maxErrors || !strings.HasPrefix(lines[0], "r.json:1:") {
		t.Errorf("printed as %q", lines)
	}
}
