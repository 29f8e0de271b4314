package probe

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// reports lists the files of a tree without PDF that may be the report all the same:
// DOCX, HTML and Markdown whose names say so. A README is none, nor is what lies in a hidden folder, what a program
// wrote, an audit by or of others, or a page of a site. The name goes first as it does
// for PDFs, then the longer file, then the path. why says so.
func reports(entries []repo.Entry, layout *code.Layout) (paths []string, why string) {
	var all []repo.Entry
	for _, e := range entries {
		if (e.Kind == repo.File || e.Kind == repo.Executable) && e.Size >= shortReport && mayReport(e.Path, layout) {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b repo.Entry) int {
		return cmp.Or(cmp.Compare(nameRank(a.Path), nameRank(b.Path)), cmp.Compare(b.Size, a.Size), cmp.Compare(a.Path, b.Path))
	})
	for _, e := range all {
		paths = append(paths, e.Path)
	}
	if len(paths) == 0 {
		return nil, ""
	}
	why = "there is no PDF; it was taken because its name says that it is a report"
	if len(paths) > 1 {
		var others []string
		for _, p := range paths[1:min(len(paths), 6)] {
			others = append(others, court.Clean(p, 100))
		}
		if n := len(paths) - 6; n > 0 {
			others = append(others, fmt.Sprintf("and %d more", n))
		}
		why += ", and of those the most final, then the longest; the others are " + strings.Join(others, ", ")
	}
	return paths, why
}

// shortReport is how many bytes a report has at least; a design choice.
const shortReport = 500

var (
	reportName = regexp.MustCompile(`(?i)(?:^|[_\-. ])(?:final|interim|report|submission)(?:$|[_\-. \d])`)
	sitePage   = regexp.MustCompile(`(?i)(?:^|/)(?:templates?|static|public|assets|frontend|web|site|src|app|lib|components)/`)
)

// mayReport tells by its path whether a file may be the report.
func mayReport(p string, layout *code.Layout) bool {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case !passage.Written(p) || strings.HasPrefix(p, ".") || strings.Contains(p, "/.") || // a form of the forge, or settings of a tool
		strings.EqualFold(path.Ext(p), ".txt") || !reportName.MatchString(stem),
		strings.HasPrefix(strings.ToLower(base), "readme"),
		amongAudits.MatchString(p) || documentRank(p) >= names,
		passage.InHTML(p) && sitePage.MatchString(p):
		return false
	}
	switch layout.Scope(p) {
	case code.ScopeTest, code.ScopeVendor, code.ScopeExample, code.ScopeGenerated:
		return false
	default:
		return true
	}
}
