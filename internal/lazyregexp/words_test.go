package lazyregexp

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for pattern, want := range map[string][]string{
		`(?i)\bcach(?:e[sd]?|ing)\b`:         {"cache", "cached", "caches", "caching"},
		`\boperator\.add\b`:                  {"operator.add"},
		`(?i)\btime-?outs?\b|\btime limits?`: {"time limit", "time limits", "time-out", "time-outs", "timeout", "timeouts"},
		`\b[A-Z]\w+Error\b`:                  {"error"},
		`(?:abc)+x?[0-9]*def?`:               {"abc"},
		`a+`:                                 nil,
		`\w+`:                                nil,
		`(?:error)?`:                         nil,
		`error|\d`:                           nil,
		`(`:                                  nil,
		`é|error`:                            nil,
		`é error`:                            nil,
		`(?i)kiss[a-z]{9}`:                   {"kiss"},
	} {
		var got []string
		if w := wordsOf(pattern); w != nil {
			got = unique(slices.Concat(w.begin...))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: words %q, want %q", pattern, got, want)
		}
	}
}

func TestForeign(t *testing.T) {
	for pattern, want := range map[string]string{
		"[\u200b-\u200d]{3,}": "\u200b\u200d", `a\x{5d0}b`: "\u05d0\u05d0", `(é|[à-ü]+)x*`: "ééàü",
		"é?": "", "é|e": "", "[a-é]": "", "[^a]": "", `(?i)\x{17f}`: "", "": "",
	} {
		got := ""
		if w := wordsOf(pattern); w != nil {
			got = string(w.foreign)
		}
		if got != want && (want != "ééàü" || got != "àü") { // a parser may make one class of it
			t.Errorf("%s: its signs are %q, want %q", pattern, got, want)
		}
	}
}

// What a pattern finds is what the standard library's finds.
func FuzzWords(f *testing.F) {
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
