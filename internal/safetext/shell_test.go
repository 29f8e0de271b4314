package safetext

import "testing"

func TestShell(t *testing.T) {
	for in, want := range map[string]string{
		"out/a-b": "out/a-b", "été/x": "été/x", "a b": "'a b'", "": "''", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "a;b": "'a;b'",
	} {
		if got := Shell(in); got != want {
			t.Errorf("%q became %s, want %s", in, got, want)
		}
	}
}
