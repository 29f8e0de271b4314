package probe

import (
	"regexp"
	"slices"
	"testing"
)

// What is found line by line, and by hand, is what the patterns find in the whole.
func FuzzCommands(f *testing.F) {
	whole := regexp.MustCompile(start.String())
	names := regexp.MustCompile("\\b([A-Za-z_]\\w*)(?:\\(|`)")
	for _, seed := range []string{
		"run it:\n\n    python3.12 -m app\r\n. ./env\nsee ./go.sh and py x", "(uv run a.py) `flask run`\n$python a.py", "a py b. c\n.\n./",
		"\u2028python a.py\nnohup  \t\n\n\npoetry\tx", "f(x) `g` 3h( _i(é( j`k(\xff(l", "python a python b.py\fpython c\vpython d",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first := func(all [][]string) (out []string) {
			for _, m := range all {
				out = append(out, m[1])
			}
			return out
		}
		if got, want := starts(text), first(whole.FindAllStringSubmatch(text, -1)); !slices.Equal(got, want) {
			t.Errorf("%q starts %q, want %q", text, got, want)
		}
		if got, want := called(text), first(names.FindAllStringSubmatch(text, -1)); !slices.Equal(got, want) {
			t.Errorf("%q calls %q, want %q", text, got, want)
		}
	})
}
