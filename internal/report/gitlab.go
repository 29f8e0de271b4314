package report

import (
	"io"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The part of Code Climate's format that GitLab's merge requests read.
type (
	qualityIssue struct {
		Description string       `json:"description"`
		Check       string       `json:"check_name"`
		Fingerprint string       `json:"fingerprint"` // unique in a report
		Severity    string       `json:"severity"`
		Location    qualityPlace `json:"location"`
	}
	qualityPlace struct {
		Path  string       `json:"path"`
		Lines qualityLines `json:"lines"`
	}
	qualityLines struct {
		Begin int `json:"begin"`
	}
)

// qualitySeverity are the levels in GitLab's words.
var qualitySeverity = map[level]string{levelError: "critical", levelWarning: "major", levelNote: "info"}

// writeGitLab writes the findings in files of the repository for the code quality of
// a merge request, worst first. GitLab reads none without a line: what is about a
// whole file stands at its first.
func writeGitLab(w io.Writer, rec *court.Record) error {
	found, _ := newDocket(rec).findings()
	issues, seen := []qualityIssue{}, map[string]int{}
	for _, f := range found {
		issues = append(issues, qualityIssue{f.text(), f.rule(), f.fingerprint(seen), qualitySeverity[f.level],
			qualityPlace{rooted(rec.Case, f.at), qualityLines{max(1, f.at.Line)}}})
	}
	return putJSON(w, issues)
}
