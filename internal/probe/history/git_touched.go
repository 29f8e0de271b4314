package history

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func gitTouched() probe.Probe {
	return probe.Probe{
		ID: "git.touched", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "Commits touch the named files",
		Doc:    "Counts the commits, merges apart, that add, change, rename or delete a file whose path fits the glob.",
		Remedy: "Commit work on these files in steps of their own.",
		Effort: 15, Recall: court.One,
		Args: []probe.Arg{
			{Name: "glob", Type: "string", Required: true, Form: "glob", Doc: "paths, relative to the repository root; ** crosses folders"},
			{Name: "min_commits", Type: "int", Default: 1, Doc: "so many commits at least"},
		},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			glob, err := probe.Glob(a.String("glob"))
			if err != nil {
				return nil, &probe.Unable{Reason: court.NoDetector, Why: err.Error()}
			}
			var at []int
			for _, i := range p.Own {
				for _, ch := range p.Commits[i].Changes {
					if glob.MatchString(ch.Path) || ch.From != "" && glob.MatchString(ch.From) {
						at = append(at, i)
						break
					}
				}
			}
			want := max(a.Int("min_commits", 1), 1)
			if len(at) < want {
				return p.holds(probe.Missing(court.One, court.Git, "%s %s files that match %q. At least %d are asked for.", court.Count(len(at), "commit"), court.Agree(len(at), 0, "touches", "touch"), court.Clean(a.String("glob"), 120), want).
					Do("From now on, commit work on files that match %q in steps of their own.", court.Clean(a.String("glob"), 120)))
			}
			return []probe.Finding{probe.Present(court.Git, p.places(at), "%s %s files that match %q.", court.Count(len(at), "commit"), court.Agree(len(at), 0, "touches", "touch"), court.Clean(a.String("glob"), 120))}, nil
		},
	}
}
