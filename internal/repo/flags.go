package repo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxLevels = 64

// pathFlags names what is odd about a path (security.md 3.5), sorted, each once.
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

// oddities says what stands behind each flag of security.md 3.5, for whoever reads the result.
var oddities = map[string]string{
	"absolute": "a path that begins at the root", "bidi": "a name that is shown in another order than it has", "control_char": "a name with control characters",
	"deep": "more than 64 levels of folders", "dotgit_or_dots": "a name that leads elsewhere or passes for .git", "invalid_utf8": "a name that is no UTF-8",
	"leading_dash": "a name that looks like an option", "symlink": "a symbolic link: its text is its content, it is not followed",
	"submodule": "another repository: it is not fetched",
}

// noteOdd tells of every path with a flag, and of links and submodules.
func (r *Repo) noteOdd() {
	for _, e := range r.entries {
		for _, flag := range e.Flags {
			r.note("path_"+flag, e.Path, "%s", oddities[flag])
		}
		if e.Kind == Symlink || e.Kind == Submodule {
			r.note("path_"+string(e.Kind), e.Path, "%s", oddities[string(e.Kind)])
		}
	}
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
