package history

import (
	"fmt"
	"strings"
	"testing"
)

// What is left of a version beside the one before it has each of its lines that the other has not.
func TestBetween(t *testing.T) {
	for _, c := range []struct{ old, text, want string }{
		{"", "a\nb", "a\nb"},
		{"a\nb\nc\n", "a\nb\nc\n", ""},
		{"a\nb\nc\n", "a\nx\nc\n", "x\n"},
		{"a\nbb\nc\n", "a\nb\nc\n", "b\n"},
		{"a\nc", "a\nb\nc", "b\nc"},
		{"x\n", "x\nx\nx\n", "x\nx\n"},
		{"a\nb", "a\nbc", "bc"},
		{"ab\n", "b\n", "b\n"},
		{"a\nb\n", "a\n", ""},
	} {
		if got := between(c.old, c.text); got != c.want {
			t.Errorf("%q after %q: %q, want %q", c.text, c.old, got, c.want)
		}
	}
}

// plainly is unseen without a look at the version before.
func plainly(lines map[string]bool, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		key := strings.TrimSpace(line)
		if frame := strings.Contains(key, keyFrame); frame || len(key) >= 16 && !lines[key] {
			lines[key] = true
			b.WriteString(line)
		}
	}
	return b.String()
}

// The lines that are searched are those that no version had, whatever the versions are.
func FuzzUnseen(f *testing.F) {
	f.Add("a line that is long enough\n", 3, 7)
	f.Add("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n", 40, 5)
	f.Fuzz(func(t *testing.T, text string, at, size int) {
		k, lines := &known{lines: map[string]bool{}, last: map[string]string{}}, map[string]bool{}
		for i := range 6 {
			from := max(at*i%(len(text)+1), 0)
			to := min(from+max(size%64, 0), len(text))
			v := text[:from] + fmt.Sprintf("\na new line, number %d", i/2) + text[to:]
			if got, want := k.unseen("file", v), plainly(lines, v); got != want {
				t.Fatalf("version %d %q: %q, want %q", i, v, got, want)
			}
		}
	})
}
