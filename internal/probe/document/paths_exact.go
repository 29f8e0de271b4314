package document

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// pathsExact asks whether the files that are there are written as the
// repository has them: from its root or the project's, and in their case. A
// bare name is exact where only one file has it.
func pathsExact(l *ledger) probe.Finding {
	var good, loose []claim
	for _, n := range l.paths {
		if n.fate != holds || n.found == "" {
			continue
		}
		c := n.claim
		c.Subject = n.path
		written := strings.TrimPrefix(n.path, "./")
		alone := !strings.Contains(written, "/") && written == path.Base(n.found) && len(l.repo.present[strings.ToLower(written)]) == 1
		if written == n.found || path.Join(l.repo.layout.Root(), written) == n.found || alone {
			good = append(good, c)
		} else {
			loose = append(loose, c)
		}
	}
	if len(good)+len(loose) == 0 {
		return probe.Nothing(court.One, l.source(court.Crossref), "The document names no existing file that could be written otherwise.")
	}
	f := probe.Partly(probe.Ratio(len(good), len(good)+len(loose)), l.source(court.Crossref), nil, "Of %s that exist, the document writes %d as the repository does.", court.Count(len(good)+len(loose), "file"), len(good))
	if len(loose) > 0 {
		f.Rationale += " It writes these otherwise: " + subjects(loose) + "."
		return l.cited(f, loose[:min(len(loose), 5)]...)
	}
	return l.cited(f, good[:min(len(good), 5)]...)
}

// pathsStale asks for files that were there once.
func pathsStale(l *ledger, claims []claim) probe.Finding {
	old := with(renamed, claims)
	if len(claims) == 0 {
		return probe.Nothing(court.One, l.source(court.Crossref), "The document names no file.")
	}
	if len(old) == 0 {
		return probe.Clean(court.One, l.source(court.Crossref), "The document names no file that only an earlier commit had. It names %s as existing.", court.Count(len(claims), "file"))
	}
	f := probe.Partly(probe.Ratio(len(claims)-len(old), len(claims)), l.source(court.Crossref), nil, "Only earlier commits, or other places, have %s.", subjects(old))
	return l.cited(rename(f, old), old...)
}

// pointed weighs what the document points at by number: lines and commits.
func pointed(l *ledger, claims []claim, noun, holding string) probe.Finding {
	good, bad := with(holds, claims), gone(claims)
	switch {
	case len(good)+len(bad) == 0:
		return probe.Nothing(court.One, l.source(court.Crossref), "The document gives no %s that could be looked up.", noun)
	case len(bad) == 0:
		return l.cited(probe.Present(l.source(court.Crossref), nil, "All that the document gives %s: %s.", holding, subjects(good)), good[:min(len(good), 5)]...)
	}
	f := probe.Partly(probe.Ratio(len(good), len(good)+len(bad)), l.source(court.Crossref), nil, "Of %s that the document gives, %d %s. These do not: %s.", court.Count(len(good)+len(bad), noun), len(good), holding, subjects(bad))
	return l.cited(f, bad...)
}

// The folders that hold so much of the code are the ones that a document of it
// should lead to; half of them is enough. Design choices.
const (
	mainFolders               = 6
	enoughBreadth court.Fixed = 5000
)

// pathsBreadth asks whether the document leads to where the code is.
func pathsBreadth(l *ledger) probe.Finding {
	lines := map[string]int{}
	for _, e := range l.repo.entries {
		if lang := (code.File{Path: e.Path}).Language(); lang.Code() && l.repo.layout.Scope(e.Path) == code.ScopeProduction {
			lines[path.Dir(e.Path)] += int(e.Size)
		}
	}
	dirs := slices.SortedFunc(maps.Keys(lines), func(a, b string) int { return cmp.Or(lines[b]-lines[a], strings.Compare(a, b)) })
	dirs = dirs[:min(len(dirs), mainFolders)]
	if len(dirs) == 0 {
		return probe.Cannot(court.NoArtifact, nil, "There is no code that the document could lead to.")
	}
	var reached []claim
	var open []string
	for _, dir := range dirs {
		at := slices.IndexFunc(l.paths, func(n named) bool {
			return n.fate == holds && (path.Dir(n.found) == dir || n.found == dir || strings.HasPrefix(dir+"/", n.found+"/"))
		})
		if at < 0 {
			open = append(open, dir)
			continue
		}
		c := l.paths[at].claim
		c.Subject = dir
		reached = append(reached, c)
	}
	share := min(court.One, probe.Ratio(len(reached)*int(court.One), len(dirs)*int(enoughBreadth)))
	if len(reached) == 0 {
		return probe.Missing(court.One, l.source(court.Crossref), "The document names no file in the folders that hold most of the code: %s.", court.Clean(strings.Join(open, ", "), 200))
	}
	f := probe.Partly(share, l.source(court.Crossref), nil, "The document names files in %s that %s most of the code; half is enough.", court.Of(len(reached), len(dirs), "folder"), court.Agree(len(dirs), len(dirs), "holds", "hold"))
	return l.cited(f, reached[:min(len(reached), 5)]...)
}
