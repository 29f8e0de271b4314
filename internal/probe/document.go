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
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Documents lists the PDFs of a tree, the one that is most likely the final
// report first: names with "final", then "report" without "interim", then
// "interim", then others; then audit reports received or made for others, then
// papers to test a program with, which count only where their name says report. Among equals those outside of folders of
// audits come first, then the one touched by the latest commit, then the first
// path. Documents of tests, vendored code and examples do not count. touched is
// the position of the last commit that changed a path, higher is later; nil:
// unknown. why says why the first one is, and which others there are; "" when
// there was nothing to choose.
func Documents(entries []repo.Entry, layout *code.Layout, touched func(path string) int) (paths []string, why string) {
	type candidate struct {
		path  string
		rank  int
		aside int
		when  int
	}
	var all []candidate
	for _, e := range entries {
		if e.Kind != repo.File && e.Kind != repo.Executable || !strings.EqualFold(path.Ext(e.Path), ".pdf") {
			continue
		}
		if sc := layout.Scope(e.Path); sc == code.ScopeTest || sc == code.ScopeVendor || sc == code.ScopeExample {
			continue
		}
		c := candidate{path: e.Path, rank: documentRank(e.Path)}
		if c.rank == 2*names+names-1 {
			continue // input for tests, and nothing in its name says that it is more
		}
		if amongAudits.MatchString(e.Path) {
			c.aside = 1
		}
		if touched != nil {
			c.when = touched(e.Path)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.aside, b.aside), cmp.Compare(b.when, a.when), cmp.Compare(a.path, b.path))
	})
	for _, c := range all {
		paths = append(paths, c.path)
	}
	if len(paths) == 0 {
		return reports(entries, layout)
	}
	return paths, choice(paths)
}

var (
	amongAudits = regexp.MustCompile(`(?i)(?:^|/)audits?/`)
	// An audit of or by somebody else, or one that the program made.
	ofOthers = regexp.MustCompile(`(?i)peer|on[_-]?self|self[_-]?audit|received|generated`)
	// Input for the program's own tests.
	dummies = regexp.MustCompile(`(?i)(?:^|/)(?:tests?[_\-. ]|samples?|dumm(?:y|ies)|fixtures?|mock)`)
)

// choice says why the first of several was taken.
func choice(paths []string) string {
	const listed = 5
	if len(paths) < 2 {
		return ""
	}
	first, second := paths[0], paths[1]
	why := "the latest commit that changed a PDF changed it, or its path comes first"
	switch {
	case documentRank(first) != documentRank(second):
		why = nameReasons[nameRank(first)]
		if documentRank(second) >= names && documentRank(first) < names {
			why = "by their names the others are audits by or of others, or input of tests"
		}
	case amongAudits.MatchString(second) && !amongAudits.MatchString(first):
		why = "it lies outside of the folders of audits"
	}
	others := make([]string, 0, listed+1)
	for _, p := range paths[1:min(len(paths), 1+listed)] {
		others = append(others, court.Clean(p, 100))
	}
	if n := len(paths) - 1 - listed; n > 0 {
		others = append(others, fmt.Sprintf("and %d more", n))
	}
	return fmt.Sprintf("it was taken because %s; the other PDFs are %s", why, strings.Join(others, ", "))
}

// nameReasons say what each rank of a name means.
var nameReasons = [names]string{"its name says that it is final", "its name says that it is a report", "its name says that it is interim",
	"nothing speaks against its name"}

// names is how many ranks a name can have.
const names = 4

// documentRank is lower for what is more likely the final report.
func documentRank(p string) int {
	switch rank := nameRank(p); {
	case dummies.MatchString(p):
		return 2*names + rank
	case ofOthers.MatchString(p):
		return names + rank
	default:
		return rank
	}
}

// nameRank goes by the file's name. Where it says nothing, its folders may.
func nameRank(p string) int {
	dir, base := path.Split(strings.ToLower(p))
	switch {
	case strings.Contains(base, "final"):
		return 0
	case strings.Contains(base, "interim"):
		return 2
	case strings.Contains(base, "report"):
		return 1
	case strings.Contains(dir, "final"):
		return 0
	case strings.Contains(dir, "interim"):
		return 2
	}
	return 3
}
