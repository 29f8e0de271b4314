package analyse

import (
	"regexp"
	"slices"
	"testing"
)

func TestNamesInTexts(t *testing.T) {
	name, dotted := regexp.MustCompile(`[A-Za-z_]\w*`), regexp.MustCompile(`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*`)
	for _, text := range []string{"", "a", "run src.graph:app, 1a.b2._c..d.9x é.f_é g", ".a.b.", "9", "a.9b.c", "x\xffy.z", "_._"} {
		if got, want := slices.Collect(names(text, false)), name.FindAllString(text, -1); !slices.Equal(got, want) {
			t.Errorf("%q: names %q, want %q", text, got, want)
		}
		if got, want := slices.Collect(names(text, true)), dotted.FindAllString(text, -1); !slices.Equal(got, want) {
			t.Errorf("%q: dotted names %q, want %q", text, got, want)
		}
	}
}
