package safetext

import (
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"code stays":       {"def f():\n\treturn 1\n", "def f():\n\treturn 1\n"},
		"windows lines":    {"a\r\nb\r\n", "a\nb\n"},
		"a lone return":    {"a\rb", `a\u{d}b`},
		"line separators":  {"a\u2028b\u2029c", "a\nb\nc"},
		"escape":           {"\x1b[2Jx", `\u{1b}[2Jx`},
		"bidi is shown":    {"if x\u202e # ", `if x\u{202e} # `},
		"isolates too":     {"\u2066a\u2069", `\u{2066}a\u{2069}`},
		"zero width goes":  {"a\u200b\u200c\u200d\ufeffb", "ab"},
		"tags go":          {"a\U000e0047\U000e0069\U000e007f b", "a b"},
		"variation goes":   {"a\ufe0f\U000e0101b", "ab"},
		"fillers go":       {"a\u3164\u115fb", "ab"},
		"private use goes": {"a\ue000b", "ab"},
		"invalid bytes":    {"a\xff\xfeb", `a\xff\xfeb`},
		"other scripts":    {"Größe 数", "Größe 数"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := Lines(c.in)
			if got != c.want || Lines(got) != got {
				t.Errorf("got %q, then %q; want %q", got, Lines(got), c.want)
			}
		})
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\r\r\n\u200b\r\nb\xff\U000e0041")
	f.Fuzz(func(t *testing.T, s string) {
		got := Lines(s)
		if Lines(got) != got {
			t.Errorf("not the same twice: %q", got)
		}
		for _, r := range strings.NewReplacer("\n", "", "\t", "").Replace(got) {
			if hidden(r) {
				t.Errorf("%q holds %U", got, r)
			}
		}
	})
}
