package trial

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
)

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
