package project

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func fileExists() probe.Probe {
	return probe.Probe{
		ID: "file.exists", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The named files exist",
		Doc:    "Looks for files of the commit whose path fits the glob; case does not matter. Empty files do not count, but for __init__.py and .gitkeep. That a file exists says nothing about what is in it.",
		Remedy: "Add the file that the rubric names.",
		Effort: 15, Recall: court.One,
		Args: []probe.Arg{
			{Name: "glob", Type: "string", Required: true, Form: "glob", Doc: "path relative to the repository root; ** crosses folders"},
			{Name: "min", Type: "int", Default: 1, Doc: "so many at least"},
		},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			glob, err := probe.Glob(a.String("glob"))
			if err != nil {
				return nil, &probe.Unable{Reason: court.NoDetector, Why: err.Error()}
			}
			return []probe.Finding{existing(inv, glob.MatchString, a)}, nil
		},
	}
}

func existing(inv *inventory, fits func(string) bool, a probe.Args) probe.Finding {
	var at []court.Place
	empty := 0
	source := court.Layout
	for _, f := range inv.files {
		switch {
		case f.scope == code.ScopeVendor || !fits(f.path):
		case f.size == 0 && f.base != "__init__.py" && f.base != ".gitkeep":
			empty++
		default:
			at = append(at, court.Place{Path: f.path})
			if f.scope == code.ScopeConfig {
				source = court.Config
			}
		}
	}
	want := max(a.Int("min", 1), 1)
	name := shown(a.String("glob"))
	switch {
	case len(at) >= want:
		return probe.Present(source, at, "%[2]s match %[1]s.", name, court.Count(len(at), "file"))
	case len(at) > 0 && a.Avoid:
		return fewEnough(len(at), want, source, "Files that match "+name)
	case len(at) > 0:
		return probe.Partly(probe.Ratio(len(at), want), source, at, "%[2]s match %[1]s; %[3]d are asked for.", name, court.Count(len(at), "file"), want).Do("Add the files that the rubric names: %s.", name)
	case empty > 0:
		return probe.Missing(court.One, court.Layout, "%[2]s that match %[1]s are empty.", name, court.Count(empty, "file")).Do("Write the files that are empty: %s.", name)
	}
	if _, ok := jobsOf(strings.TrimPrefix(a.String("glob"), "**/")); ok {
		source = court.Config
	}
	return probe.Missing(court.One, source, "No file matches %s.", name).Do("Add the file that the rubric names: %s.", name)
}
