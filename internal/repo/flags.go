package repo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxLevels = 64

// pathFlags names what is odd about a path, sorted, each once.
func pathFlags(path string) []string {
	var out []string
	add := func(on bool, flag string) {
		if on {
			out = append(out, flag)
		}
	}
	add(strings.HasPrefix(path, "/"), "absolute")
	add(strings.ContainsFunc(path, isBidi), "bidi")
	add(strings.ContainsFunc(path, unicode.IsControl), "control_char")
	add(strings.Count(path, "/") > maxLevels, "deep")
	add(anySegment(path, isDotGit), "dotgit_or_dots")
	add(!utf8.ValidString(path), "invalid_utf8")
	add(anySegment(path, func(s string) bool { return strings.HasPrefix(s, "-") }), "leading_dash")
	return out
}

func anySegment(path string, is func(string) bool) bool {
	for s := range strings.SplitSeq(path, "/") {
		if is(s) {
			return true
		}
	}
	return false
}

// isDotGit: segments that lead elsewhere, or that some file systems take for .git.
func isDotGit(s string) bool {
	folded := strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1 // HFS+ ignores them
		}
		return r
	}, s))
	folded = strings.TrimRight(folded, ". ") // NTFS ignores them
	return s == "" || s == "." || s == ".." || folded == ".git" || strings.HasPrefix(folded, "git~") || strings.HasPrefix(folded, ".git:")
}

func isBidi(r rune) bool {
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}
