package safetext

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// wide is a text as UTF-16.
func wide(text string, big bool) (out []byte) {
	for _, u := range utf16.Encode([]rune(text)) {
		a, b := byte(u), byte(u>>8)
		if big {
			a, b = b, a
		}
		out = append(out, a, b)
	}
	return out
}

func TestTableText(t *testing.T) {
	const want = "id,name\n1,Jürgen 李\n"
	for name, raw := range map[string][]byte{
		"plain": []byte(want), "mark": []byte("\ufeff" + want), "CRLF": []byte("id,name\r\n1,Jürgen 李\r\n"), "CR": []byte("id,name\r1,Jürgen 李\r"),
		"little": wide("\ufeff"+want, false), "big": wide("\ufeff"+want, true), "little without a mark": wide(want, false), "big without a mark": wide(want, true),
	} {
		if got, err := TableText(raw); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for raw, why := range map[string]string{
		"id,name\r\n1,J\xfcrgen\n":             "line 2 is not UTF-8",
		"id\n\n1\n\xe9\n":                      "line 4 is not UTF-8",
		"id,name\n1,a\x00b\n":                  "not text",
		string(wide("id,name\n", false)) + "x": "half a character",
	} {
		if got, err := TableText([]byte(raw)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %q, %v, want %s", raw, got, err, why)
		}
	}
}
