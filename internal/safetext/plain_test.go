package safetext

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	cases := map[string]struct {
		in   string
		max  int
		want string
	}{
		"plain":         {"a b", 10, "a b"},
		"escape":        {"\x1b[2Jx", 20, `\u{1b}[2Jx`},
		"newline, tab":  {"a\n\tb", 20, `a\n b`},
		"invalid":       {"a\xffb", 20, `a\xffb`},
		"c1 and del":    {"\u009b\x7f", 20, `\u{9b}\u{7f}`},
		"bidi":          {"\u202egpj", 20, `\u{202e}gpj`},
		"zero width":    {"a\u200bb", 20, `a\u{200b}b`},
		"variation":     {"a\ufe0fb\U000e0101", 20, `a\u{fe0f}b\u{e0101}`},
		"tag":           {"\U000e0041", 20, `\u{e0041}`},
		"fillers":       {"a\u3164b\uffa0\u115f\u034f\u17b5", 60, `a\u{3164}b\u{ffa0}\u{115f}\u{34f}\u{17b5}`},
		"line sep":      {"a\u2028b", 20, `a\u{2028}b`},
		"private":       {"\ue000", 20, `\u{e000}`},
		"cut":           {"abcdef", 3, "ab…"},
		"fits":          {"abc", 3, "abc"},
		"whole escapes": {"ab\x1bc", 6, "ab…"},
		"no limit":      {"abc", 0, "abc"},
		"room for none": {"abc", 1, "…"},
		"other scripts": {"Größe 数", 20, "Größe 数"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Text(c.in, c.max); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a\x1b[31m", "\xff\xfe", "\u202e\u2066", "…", "abc…", strings.Repeat("x\n", 9), "\U000e0041\ufe0f"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, max int) {
		max = 1 + min(max&0xff, 200)
		out := Text(s, max)
		if !utf8.ValidString(out) || utf8.RuneCountInString(out) > max {
			t.Fatalf("%q, %d: got %q", s, max, out)
		}
		for _, r := range out {
			if acts(r) {
				t.Fatalf("%q: %U comes out", s, r)
			}
		}
		if again := Text(out, max); again != out {
			t.Fatalf("%q: cleaned twice is %q, once %q", s, again, out)
		}
	})
}

// acts tells whether a rune does something without being seen.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// Every value comes back, and nothing that acts on a terminal is left.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{"", "a\x1b[31m", "\u009b2J\x7f", "\u202egpj\u2066", "\U000e0041\ufe0f\U000e0100", "\ue000\U000f0000", "\u2028<&>\\u009b\\", "größe 数", "\u3164"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		raw, err := json.MarshalIndent(map[string]any{s: []string{s, "x"}}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		out := JSON(raw)
		for _, r := range string(out) {
			if acts(r) && r != '\n' {
				t.Fatalf("%q: %U comes out", s, r)
			}
		}
		var back map[string][]string
		if err := json.Unmarshal(out, &back); err != nil || len(back[s]) != 2 || back[s][0] != s {
			t.Fatalf("%q: reads back as %q, %v", s, back, err)
		}
		if again := JSON(out); string(again) != string(out) {
			t.Fatalf("%q: twice is %q, once %q", s, again, out)
		}
	})
}
