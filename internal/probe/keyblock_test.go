package probe

import (
	"strings"
	"testing"
)

// keyText is a private key of three lines; its words are put together here, so
// that no scanner finds one in this file.
func keyText(kind, ends string) string {
	line := "MIIEow9xK3vQ7zLm2XcV8bN4tR6yHw1sDe5GjPa9F3kQ7zLm2XcV8bN4tR6yHw1s\n"
	return ends + "BEGIN " + kind + ends + "\n" + strings.Repeat(line, 3) + ends + "END " + kind + ends + "\n"
}

func TestKeyBlocks(t *testing.T) {
	rsa := keyText("RSA PRIVATE"+" KEY", "-----")
	body := strings.SplitAfter(rsa, "\n")
	tests := map[string]struct{ text, want string }{
		"whole":             {"a\n" + rsa + "b\n", "a\n*\nb\n"},
		"of PGP":            {"a\n" + keyText("PGP PRIVATE"+" KEY BLOCK", "-----") + "b\n", "a\n*\nb\n"},
		"of SSH2":           {"a\n" + strings.ReplaceAll(keyText("SSH2 ENCRYPTED PRIVATE"+" KEY ", "----"), "BEGIN", " BEGIN") + "b\n", "a\n*\nb\n"},
		"in a comment":      {"# " + strings.ReplaceAll(strings.TrimSpace(rsa), "\n", "\n# ") + "\nb\n", "# *\nb\n"},
		"in a string":       {`k = "` + strings.ReplaceAll(strings.TrimSpace(rsa), "\n", `\n`) + "\"\n", "k = \"*\"\n"},
		"two":               {rsa + "x()\n" + rsa, "*\nx()\n*\n"},
		"without an end":    {"a\n" + strings.Join(body[:3], "") + "short==\nx(b)\n", "a\n*\nx(b)\n"},
		"without a head":    {"x(a)\n" + strings.Join(body[2:], "") + "b\n", "x(a)\n*\nb\n"},
		"head alone":        {"if '" + strings.TrimSpace(body[0]) + "' in text: y(1)\n", "if '*' in text: y(1)\n"},
		"end alone":         {"if '" + strings.TrimSpace(body[4]) + "' in text: y(1)\n", "if '" + strings.TrimSpace(body[4]) + "' in text: y(1)\n"},
		"a public key":      {strings.ReplaceAll(rsa, "PRIVATE", "PUBLIC"), strings.ReplaceAll(rsa, "PRIVATE", "PUBLIC")},
		"head, code, a key": {"h = '" + strings.TrimSpace(body[0]) + "'\nf(x)\n" + rsa, "h = '*'\nf(x)\n*\n"},
	}
	for name, tc := range tests {
		var got strings.Builder
		at := 0
		for _, b := range keyBlocks(tc.text) {
			got.WriteString(tc.text[at:b.from] + "*")
			at = b.to
		}
		got.WriteString(tc.text[at:])
		if got.String() != tc.want {
			t.Errorf("%s: got %q, want %q", name, got.String(), tc.want)
		}
	}
}

func FuzzKeyBlocks(f *testing.F) {
	rsa := keyText("RSA PRIVATE"+" KEY", "-----")
	for _, s := range []string{rsa, rsa[:90], rsa[40:], strings.Repeat(rsa[:32], 3), strings.Repeat(rsa[len(rsa)-30:], 3)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, b := range keyBlocks(text) {
			if b.from < at || b.to <= b.from || b.to > len(text) {
				t.Fatalf("block %d..%d after %d of %q", b.from, b.to, at, text)
			}
			at = b.to
		}
	})
}
