package pdf

import (
	"errors"
	"testing"
)

func TestCause(t *testing.T) {
	for given, want := range map[string]string{
		"wasm error: unreachable\nwasm stack trace:\n\t.$87()": "the PDF reader ended itself, most likely at its limit of 128 MiB of memory",
		"wasm error: out of bounds memory access\nwasm stack":  "the PDF reader crashed (out of bounds memory access)",
		"could not open the page\nat once":                     "could not open the page",
	} {
		if got := cause(errors.New(given)); got != want {
			t.Errorf("cause(%q) is %q, want %q", given, got, want)
		}
	}
}
