package history

import (
	"context"
	"path"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// An atomic commit touches at most so many files and folders.
const (
	atomicFiles   = 10
	atomicFolders = 3
)

func gitAtomic() probe.Probe {
	return probe.Probe{
		ID: "git.atomic", Version: "1", Target: court.GithubRepo,
		Title:  "Each commit has one subject",
		Doc:    "Takes the share of commits with at most ten files in at most three folders; the first commit, merges, lock files and generated files are left out. Whether what a small commit holds belongs together is not asked.",
		Remedy: "From now on, split work on several subjects into several commits (git add -p).",
		Effort: 10, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			return p.holds(atomic(p), court.Present, court.Partial, court.Absent)
		},
	}
}

func atomic(p *past) probe.Finding {
	var large, small []int
	idle := 0
	for _, i := range p.Own {
		c := &p.Commits[i]
		if len(c.Parents) == 0 || c.Partial && len(c.Changes) == 0 {
			continue
		}
		files, folders := 0, map[string]bool{}
		for _, ch := range c.Changes {
			if p.layout.Scope(ch.Path) == code.ScopeGenerated {
				continue
			}
			files++
			folders[path.Dir(ch.Path)] = true
		}
		switch {
		case files == 0:
			idle++
		case files <= atomicFiles && len(folders) <= atomicFolders:
			small = append(small, i)
		default:
			large = append(large, i)
		}
	}
	all := len(large) + len(small)
	if all == 0 {
		return probe.Nothing(court.One, court.Git, "There is no commit after the first that changes files.")
	}
	at := large
	if len(large) == 0 {
		at = small[len(small)-1:]
	}
	others := ""
	if idle > 0 {
		others = " This leaves out " + court.Count(idle, "commit") + " with lock files, generated files or nothing."
	}
	f := probe.Partly(probe.Ratio(len(small), all), court.Git, p.places(at), "%s after the first %s at most %d files in %d folders.%s",
		safetext.Capital(court.Of(len(small), all, "commit")), court.Agree(len(small), all, "changes", "change"), atomicFiles, atomicFolders, others)
	f.Data = map[string]any{"commits": all, "atomic": len(small)}
	return f
}
