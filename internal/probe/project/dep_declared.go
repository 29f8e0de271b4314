package project

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func depDeclared() probe.Probe {
	return probe.Probe{
		ID: "dep.declared", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The named package is a declared dependency",
		Doc:    "Reads the manifests of pip, uv, poetry, npm, Go, Cargo, Maven and Gradle for the name. A package that is only imported counts for half. Manifests of tests, examples and vendored code are left out.",
		Remedy: "Declare the package in the manifest.",
		Effort: 5,
		Args:   []probe.Arg{{Name: "name", Type: "string", Required: true, Doc: "of the package, as its index knows it or as it is imported"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			name := a.String("name")
			all := inv.dependencies()
			for _, n := range spellings(tables.Folded(name)) {
				if at, ok := all[n]; ok {
					return []probe.Finding{probe.Present(court.Config, []court.Place{at}, "A manifest declares %s.", shown(name))}, nil
				}
			}
			p, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			modules, _ := tables.Modules(tables.Folded(name))
			if at := imports(p, append(modules, strings.ReplaceAll(tables.Folded(name), "-", "_")), a.Scope); len(at) > 0 {
				return []probe.Finding{probe.Partly(5000, court.Structure, at, "The code imports %s, but no manifest declares it.", shown(name)).Do("Declare %s in the manifest.", shown(name))}, nil
			}
			return []probe.Finding{probe.Missing(court.One, court.Config, "No manifest declares %s, and nothing imports it.", shown(name)).Do("Declare %s in the manifest, and use it.", shown(name))}, nil
		},
	}
}

// spellings are the names under which a package may be declared: its own, and
// where its import has another name, that of the index.
func spellings(name string) []string {
	out := append([]string{name}, tables.Packages(name)...)
	modules, _ := tables.Modules(name)
	for _, module := range modules {
		out = append(out, tables.Folded(module))
	}
	return out
}

// imports lists where Python code of a scope imports one of the modules.
func imports(p *intree.Program, modules []string, scope string) []court.Place {
	var at []court.Place
	for _, m := range p.Modules {
		if !(file{scope: m.Scope}).inScope(scope) {
			continue
		}
		for _, i := range m.Imports() {
			for _, want := range modules {
				if here := (court.Place{Path: m.Path, Line: i.Node.Line()}); strings.EqualFold(i.Target, want) || strings.HasPrefix(strings.ToLower(i.Target), strings.ToLower(want)+".") {
					if len(at) == 0 || at[len(at)-1] != here {
						at = append(at, here)
					}
				}
			}
		}
	}
	return at
}
