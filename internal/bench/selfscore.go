package bench

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// A score that a submission gives itself: a number after such a word, or one
// out of 5, 10 or 100. The number is the first or the second group.
var (
	selfScore = regexp.MustCompile(`(?i)\b(?:scor(?:e[sd]?|ing)|rat(?:ed|ing)|grade[sd]?)\b[^\w\n]{1,6}(?:(?:of|is|was|at|as|with)\b[^\w\n]{1,3})?` +
		`(\d{1,3}(?:[.,]\d+)?(?:\s*(?:/|out of|of)\s*\d{1,3}(?:[.,]\d+)?|\s?%)?)` +
		`|\b(\d{1,3}(?:[.,]\d+)?\s*(?:/|out of)\s*(?:5|10|100)(?:[.,]0+)?)\b`)
	scale = regexp.MustCompile(`^\s*(?:to|-|–|—|\.\.+|…)\s*\d`) // "scores 1 to 5" is no score
)

// unscored is prose with … in the place of each score: a judge leans on nobody's
// judgement, not on the author's own either.
func unscored(s string) string {
	var b strings.Builder
	done := 0
	for _, m := range selfScore.FindAllStringSubmatchIndex(s, -1) {
		from, to := max(m[2], m[4]), max(m[3], m[5])
		if scale.MatchString(s[to:]) {
			continue
		}
		b.WriteString(s[done:from] + "…")
		done = to
	}
	return b.String() + s[done:]
}

// prose tells whether evidence quotes sentences and not code: a commit's subject
// or a page, which have no path, or a text file.
func prose(e court.Evidence) bool {
	return len(e.At) == 0 || slices.Contains([]string{".md", ".markdown", ".rst", ".adoc", ".txt", ".html", ".htm", ".pdf", ""}, strings.ToLower(path.Ext(e.At[0].Path)))
}
