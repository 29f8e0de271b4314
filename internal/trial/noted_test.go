package trial

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// What the reader of a repository left out is told once, with its code; of what
// befell many files, some are named.
func TestWhatWasLeftOutIsTold(t *testing.T) {
	s := miniature(t).Scene(t)
	h := hearing(t, s)
	h.Opened.left = func() []repo.Note {
		notes := []repo.Note{{Code: "limit_log", Text: "more than 20000 commits: the oldest are not read"}}
		for i := range 2 * mostNamed {
			notes = append(notes, repo.Note{Code: "missing_blob", Subject: fmt.Sprintf("a%02d\x1b.py", i), Text: "the content is not in this copy"})
		}
		return notes
	}
	const stage = string(court.RepoInvestigator)
	want := []court.Fault{{Stage: stage, Reason: "limit_log: more than 20000 commits: the oldest are not read"}}
	for i := range mostNamed {
		want = append(want, court.Fault{Stage: stage, Subject: fmt.Sprintf(`a%02d\u{1b}.py`, i), Reason: "missing_blob: the content is not in this copy"})
	}
	want = append(want, court.Fault{Stage: stage, Reason: "missing_blob: the content is not in this copy; so with 20 more"})
	rec := try(t, h)
	if diff := cmp.Diff(want, rec.Faults); diff != "" || rec.Status != court.Complete {
		t.Errorf("status %s, faults (-want +got):\n%s", rec.Status, diff)
	}
}

// Where git's time ran out the audit is partial, and says that another machine
// may come to something else.
func TestTimeThatRanOutIsTold(t *testing.T) {
	for _, code := range []string{"limit_wall", "limit_cpu"} {
		h := hearing(t, miniature(t).Scene(t))
		h.Opened.left = func() []repo.Note { return []repo.Note{{Code: code, Text: "took too long"}} }
		rec := try(t, h)
		if rec.Status != court.Partway || len(rec.Faults) != 1 || !strings.Contains(rec.Faults[0].Reason, "another machine") {
			t.Errorf("%s: status %s, faults %v", code, rec.Status, rec.Faults)
		}
	}
}

// A source file that is too large to be read is said to be, and what might stand
// in it is not said to be absent.
func TestLargeSourceIsTold(t *testing.T) {
	f := miniature(t)
	f.Files["src/large.py"] = "# " + strings.Repeat("x", 1<<20)
	rec := try(t, hearing(t, f.Scene(t)))
	want := []court.Fault{{Stage: string(court.RepoInvestigator), Subject: "src/large.py", Reason: "limit_blob: the source file is too large to be read"}}
	if diff := cmp.Diff(want, rec.Faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// A thing that befell many pages is one fault, and two things are two.
func TestNoted(t *testing.T) {
	got := noted([]pdf.Note{
		{Code: pdf.PagesCapped, Text: "300 of 900 pages were read"},
		{Code: pdf.ObjectsCapped, Page: 7, Text: "drawings were not looked for"},
		{Code: pdf.PageFailed, Page: 8, Text: "the page could not be read"},
		{Code: pdf.ObjectsCapped, Page: 9, Text: "drawings were not looked for"},
	})
	const stage = string(court.DocAnalyst)
	want := []court.Fault{
		{Stage: stage, Subject: "pdf:page 1", Reason: "300 of 900 pages were read"},
		{Stage: stage, Subject: "pdf:page 7", Reason: "drawings were not looked for; so on 2 pages up to page 9"},
		{Stage: stage, Subject: "pdf:page 8", Reason: "the page could not be read"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
