package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func repoEnv() probe.Probe {
	return probe.Probe{
		ID: "repo.env", Version: "1", Target: court.GithubRepo,
		Title:  "An example of the settings names what the code reads",
		Doc:    "Compares the variables that production code reads from the environment with those that an .env.example (or .sample, .template) names, commented ones included. Variables that the machine sets, such as PATH, do not count; names put together at run time are not seen.",
		Remedy: "Add an .env.example that names every variable that the code reads.",
		Effort: 10,
		Args:   []probe.Arg{{Name: "in", Type: "string", Allowed: []string{"example", "documents"}, Default: "example", Doc: "documents: a document of the repository or a tracked file of settings that names the variable explains it, too, and variables of build and test machines are nobody's settings"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			vars, err := environment(ctx, s, "production")
			if err != nil {
				return nil, err
			}
			if a.String("in") == "documents" {
				return []probe.Finding{explained(inv, vars)}, nil
			}
			return []probe.Finding{exampled(inv, vars)}, nil
		},
	}
}

func exampled(inv *inventory, vars []variable) probe.Finding {
	found := inv.envExamples()
	named := map[string]bool{}
	for _, f := range found {
		for _, m := range envLine.FindAllStringSubmatch(f.text, -1) {
			named[m[1]] = true
		}
	}
	var read, open []string
	var at []court.Place
	for _, v := range vars {
		if ambient(v.name) || slices.Contains(read, v.name) {
			continue
		}
		read = append(read, v.name)
		if !named[v.name] {
			open = append(open, v.name)
			at = append(at, v.at)
		}
	}
	switch {
	case len(found) == 0 && len(read) == 0:
		return probe.Nothing(court.One, court.Structure, "The code reads no settings from the environment, so it needs no example.")
	case len(found) == 0:
		return probe.Missing(court.One, court.Config, "There is no example of the settings, but the code reads %s, such as %s.", court.Count(len(read), "variable"), shown(read[0])).Do("Add an .env.example that names the variables that the code reads: %s.", few(read, 6))
	case len(read) == 0:
		return probe.Present(court.Config, []court.Place{found[0].place(1)}, "%s is an example of the settings. No read of the environment was found in the code.", shown(found[0].path))
	case len(open) == 0:
		return probe.Present(court.Config, []court.Place{found[0].place(1)}, "%s names %s that the code reads.", shown(found[0].path), court.Of(len(read), len(read), "variable"))
	}
	return probe.Partly(probe.Ratio(len(read)-len(open), len(read)), court.Config, append([]court.Place{found[0].place(1)}, at...),
		"%s names %s that the code reads. It does not name %s.", shown(found[0].path), court.Of(len(read)-len(open), len(read), "variable"), shown(strings.Join(open[:min(len(open), 6)], ", "))).
		Do("Add to %s: %s.", shown(found[0].path), few(open, 6))
}

var envLine = regexp.MustCompile(`(?m)^\s*#?\s*(?:export\s+)?([A-Za-z_]\w*)\s*=`)

// envExamples lists the examples of settings that are not empty.
func (inv *inventory) envExamples() []file {
	return inv.pick(func(f file) bool {
		return !f.blank() && !f.foreign() && !aside(f) && tables.Meaning(f.base) == "example of settings"
	})
}
