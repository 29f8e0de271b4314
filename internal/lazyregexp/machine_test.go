package lazyregexp

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What a pattern finds is what the standard library's finds.
func FuzzMachine(f *testing.F) {
	for _, seed := range [][2]string{
		{`(?i)\bcach(?:e[sd]?|ing)\b`, "It CACHES all"}, {`(?i)kiss`, "a \u212aiSs, a ki\u017fs"}, {`é error|x{3,}`, "é error xxx"}, {`(a|bcd)*efg`, "abcdefg"},
		{"[\u200b\u200c]{2,}|é+", "a\u200b\u200bé"}, {`(?i)\x{17f}`, "s"}, {`[é-ü]?|\xff`, "\xff"},
		{`(?:abc|abd)?xyz$`, "abdxyz\n"}, {`[ks]elvin`, "kelvin"}, {`(?s)begin.*end`, "begin\nend"}, {`(?i)[k]elvin|[^a]bcd`, "\u212aelvin"}, {`abc\B|\Qa.b\E`, "a.b\xff"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		std, err := regexp.Compile(pattern)
		if err != nil || len(pattern) > 200 {
			t.Skip()
		}
		for _, s := range []string{text, strings.ToUpper(text), "- " + text + pattern} {
			r := MustCompile(pattern)
			if got, want := r.FindAllStringSubmatchIndex(s, -1), std.FindAllStringSubmatchIndex(s, -1); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s in %q: %v, want %v", pattern, s, got, want)
			}
			if r.Match([]byte(s)) != std.MatchString(s) || r.ReplaceAllString(s, "y") != std.ReplaceAllString(s, "y") {
				t.Errorf("%s in %q: it is another pattern", pattern, s)
			}
		}
	})
}
