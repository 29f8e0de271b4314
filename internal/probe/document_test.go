package probe

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/repo"
)

func TestDocuments(t *testing.T) {
	tests := map[string]struct {
		paths []string // a later one was touched later
		want  string
	}{
		"final before report":                {[]string{"docs/final.pdf", "docs/report.pdf"}, "docs/final.pdf"},
		"report before interim":              {[]string{"docs/report.pdf", "docs/interim_report.pdf"}, "docs/report.pdf"},
		"own report below a folder of audit": {[]string{"audit/Final_Handin/Final_Report.pdf", "audit/report_bypeer_received/review.pdf"}, "audit/Final_Handin/Final_Report.pdf"},
		"the folder says final":              {[]string{"final/system.pdf", "docs/interim_report.pdf"}, "final/system.pdf"},
		"interim although in final's folder": {[]string{"report.pdf", "final/interim.pdf"}, "report.pdf"},
		"audits after others":                {[]string{"docs/architecture.pdf", "audits/architecture.pdf"}, "docs/architecture.pdf"},
		"received before a dummy":            {[]string{"audit/report_bypeer_received.pdf", "test_report.pdf"}, "audit/report_bypeer_received.pdf"},
		"a dummy by its folder":              {[]string{"overview.pdf", "sample_docs/report.pdf"}, "overview.pdf"},
		"a dummy when there is no other":     {[]string{"dummy_report.pdf", "test_mixed.pdf"}, "dummy_report.pdf"},
		"input for tests is no report":       {[]string{"sample.pdf", "dummy_paper.pdf"}, ""},
		"latest of equals":                   {[]string{"a_report.pdf", "b_report.pdf"}, "b_report.pdf"},
		"tests do not count":                 {[]string{"tests/final_report.pdf"}, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var entries []repo.Entry
			var files []code.File
			touched := map[string]int{}
			for i, p := range tc.paths {
				entries = append(entries, repo.Entry{Path: p, Kind: repo.File})
				files = append(files, code.File{Path: p})
				touched[p] = i
			}
			got, _ := Documents(entries, code.Survey(files), func(p string) int { return touched[p] })
			switch {
			case len(got) == 0 && tc.want != "":
				t.Errorf("no document, want %s", tc.want)
			case len(got) > 0 && got[0] != tc.want:
				t.Errorf("got %s, want %s", got[0], tc.want)
			}
		})
	}
}

// A form of the forge is not a report, whatever its name says.
func TestReportsByName(t *testing.T) {
	for path, want := range map[string]bool{"docs/report.md": true, "final_report.md": true, ".github/ISSUE_TEMPLATE/bug-report.md": false, "docs/.drafts/report.md": false, "README-report.md": false} {
		got, _ := Documents([]repo.Entry{{Path: path, Kind: repo.File, Size: 2 * shortReport}}, code.Survey([]code.File{{Path: path}}), nil)
		if len(got) > 0 != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestChoice(t *testing.T) {
	for want, paths := range map[string][]string{
		"": {"report.pdf"},
		"it was taken because its name says that it is final; the other PDFs are docs/report.pdf":                                                                         {"docs/final.pdf", "docs/report.pdf"},
		"it was taken because by their names the others are audits by or of others, or input of tests; the other PDFs are peer.pdf":                                       {"docs/report.pdf", "peer.pdf"},
		"it was taken because it lies outside of the folders of audits; the other PDFs are audit/report.pdf":                                                              {"report.pdf", "audit/report.pdf"},
		"it was taken because the latest commit that changed a PDF changed it, or its path comes first; the other PDFs are a.pdf, b.pdf, c.pdf, d.pdf, e.pdf, and 1 more": {"x.pdf", "a.pdf", "b.pdf", "c.pdf", "d.pdf", "e.pdf", "f.pdf"},
	} {
		if got := choice(paths); got != want {
			t.Errorf("%v:\n%s", paths, got)
		}
	}
}
