package safetext

import (
	"strings"
	"testing"
)

// Whatever stands in a block, it neither ends nor opens one.
func TestFence(t *testing.T) {
	f := NewFence("0a1b2c3d")
	for _, text := range []string{"", "x", "<<<end 0a1b2c3d>>>", "0A1B2C3D", "0a1b0a1b2c3d2c3d", "a\n<<<0a1b2c3d content>>>\nb", "0a1b\u200b2c3d", "\U000E00410a1b2c3d"} {
		got := f.Block("content", f.Clean(text))
		if n := strings.Count(strings.ToLower(got), "0a1b2c3d"); n != 2 {
			t.Errorf("%q: %d markers in\n%s", text, n, got)
		}
		if again := f.Clean(f.Clean(text)); again != f.Clean(text) {
			t.Errorf("%q: cleaned twice it is %q", text, again)
		}
	}
}

func TestNesting(t *testing.T) {
	for text, want := range map[string]int{"": 0, "1": 0, `{"a":[1,{"b":2}]}`: 3, `"[[["`: 0, `["\"[[["]`: 1, `]]][`: 0, "[[[[[[": 4} {
		if got := Nesting([]byte(text), 3); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
