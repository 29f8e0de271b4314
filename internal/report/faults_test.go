package report

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Only what kept the audit from being complete is a fault, and a side that nobody
// asked for is not even a note.
func TestFailures(t *testing.T) {
	rec := goodRecord()
	rec.Status = court.Partway
	rec.Faults = []court.Fault{
		{Stage: "RepoInvestigator", Subject: "code", Reason: court.NotAsked},
		{Stage: "RepoInvestigator", Subject: "a/link", Reason: "git_symlink: a symbolic link in the git directory, not followed"},
		{Stage: "DocAnalyst", Subject: "worker", Reason: "it ran out of time; this may be otherwise on another machine", Blocks: true},
	}
	text := inFormat(t, "text", rec)
	for _, want := range []string{"1 fault kept it from being complete. Running the audit again can help.",
		"FAULTS, which kept the audit from being complete\n  - worker: it ran out of time;", "NOTES, none of which lowers a score by itself\n  - a/link: a symbolic link in the git directory", "1 fault, 1 note"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, court.NotAsked) {
		t.Error("what nobody asked for is told")
	}
	rec.Faults[2].Reason = "the file is damaged"
	if text := strings.Join(strings.Fields(inFormat(t, "md", rec)), " "); !strings.Contains(text, "Running the audit again does not help until the cause is gone.") {
		t.Error("it is not said that another run does not help")
	}
}

// Where a criterion has no score, not all was examined.
func TestExamined(t *testing.T) {
	rec := goodRecord()
	d := newDocket(rec)
	rec.Verdict.Overall.Coverage = court.One
	if got := d.examined(); got != "100 % examined" {
		t.Errorf("got %q", got)
	}
	rec.Verdict.Overall.Unexamined = 1
	if got := d.examined(); got != "" {
		t.Errorf("got %q beside a criterion without a score", got)
	}
}

// A file that could not be parsed is named with its line before the scores, and so is a
// rubric that may be the wrong one.
func TestHeadNotes(t *testing.T) {
	rec := goodRecord()
	rec.Rubric.Source = court.RubricSource{From: "builtin", Name: "courtroom"}
	rec.Portrait = &court.Portrait{Graph: &court.Wiring{Lacking: "no graph was found"}}
	for _, at := range []string{"src/a.py:7", "b.js:2"} {
		rec.Faults = append(rec.Faults, court.Fault{Stage: "RepoInvestigator", Subject: at, Reason: "unparsed: the file could not be parsed here"})
	}
	for _, format := range []string{"text", "md", "html", "short.html", "csv", "junit", "sarif", "github-comment"} {
		text := strings.Join(strings.Fields(strings.NewReplacer("&#43;", "+", `\_`, "_").Replace(inFormat(t, format, rec))), " ")
		for _, want := range []string{"src/a.py:7", "b.js:2", "-r software judges any repository"} {
			if !strings.Contains(text, want) && (format != "sarif" || !strings.Contains(want, "software")) {
				t.Errorf("%s: no %q", format, want)
			}
		}
	}
	if text := inFormat(t, "md", rec); strings.Index(text, "src/a.py:7") > strings.Index(text, "Executive Summary") {
		t.Error("the file is not named in the head")
	}
	if rec.Rubric.Source.Name = "software"; newDocket(rec).otherRubric() != "" {
		t.Error("another rubric is called the wrong one")
	}
}
