package probe

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Documents lists the PDFs of a tree, the one that is most likely the final
// report first: names with "final", then "report" without "interim", then
// "interim", then others that are no audits received or made; then the one
// touched by the latest commit; then by path. Documents of tests, vendored
// code and examples do not count, nor do audit reports while there is another.
// touched is the position of the last commit that changed a path, higher is
// later; nil: unknown.
func Documents(entries []repo.Entry, layout *code.Layout, touched func(path string) int) []string {
	type candidate struct {
		path string
		rank int
		when int
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
		if touched != nil {
			c.when = touched(e.Path)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.when, a.when), cmp.Compare(a.path, b.path))
	})
	var paths []string
	for _, c := range all {
		paths = append(paths, c.path)
	}
	return paths
}

// documentRank is lower for what is more likely the final report.
func documentRank(p string) int {
	low := strings.ToLower(p)
	base := path.Base(low)
	switch {
	case receivedAudit(low):
		return 4
	case strings.Contains(base, "final"):
		return 0
	case strings.Contains(base, "report") && !strings.Contains(base, "interim"):
		return 1
	case strings.Contains(base, "interim"):
		return 2
	default:
		return 3
	}
}

// receivedAudit tells an audit report, of this or another submission, from the
// submission's own document.
func receivedAudit(low string) bool {
	for part := range strings.SplitSeq(low, "/") {
		if part == "audit" || part == "audits" {
			return true
		}
	}
	for _, w := range []string{"bypeer", "onpeer", "onself", "by_peer", "on_peer", "on_self"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}
