package safetext

import "testing"

func TestSmall(t *testing.T) {
	for in, want := range map[string]string{
		"No judge is asked": "no judge is asked", "Of four, one is missing": "of four, one is missing", "At: here": "at: here",
		"Evidence is a model": "Evidence is a model", "all is well": "all is well", "IN is a name": "IN is a name", "": "",
	} {
		if got := Small(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if !Ours("at least two") || Ours("Alles") {
		t.Error("a word of ours is not told from a name")
	}
}
