package project

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func depsPinned() probe.Probe {
	return probe.Probe{
		ID: "deps.pinned", Version: "1", Target: court.GithubRepo,
		Title: "Versions of dependencies are bounded",
		Doc: "Reads the direct dependencies in the manifests of pip, uv, poetry, npm, Go, Cargo, Maven and Gradle, and counts those with a pin or a lower bound in one of them. " +
			"Upper bounds alone, * and latest are none. Dependencies beside the project, and those whose version a parent or a platform gives, are left out; lock files are another question.",
		Remedy: "Give every dependency the lowest version that works, or pin it.",
		Effort: 10, Recall: 9500,
		Run: probe.Of(files, func(inv *inventory) probe.Finding { return pins(inv.requirements()) }),
	}
}

func pins(all []requirement) probe.Finding {
	fixed := map[string]bool{}
	for _, r := range all {
		fixed[tables.Folded(r.name)] = fixed[tables.Folded(r.name)] || r.bounds()
	}
	if len(fixed) == 0 {
		return probe.Nothing(court.One, court.Config, "No manifest declares a dependency that could be bounded.")
	}
	var open []court.Place
	seen := map[string]bool{}
	first := ""
	for _, r := range all {
		name := tables.Folded(r.name)
		if fixed[name] || seen[name] {
			continue
		}
		seen[name] = true
		open = append(open, r.file.place(r.line))
		if first == "" {
			first = r.name
		}
	}
	if len(open) == 0 {
		return probe.Present(court.Config, []court.Place{all[0].file.place(all[0].line)}, "The manifests give a pin or a lower bound for %s, which is all.", deps(len(fixed)))
	}
	return probe.Partly(probe.Ratio(len(fixed)-len(open), len(fixed)), court.Config, open, "The manifests give neither a pin nor a lower bound for %d of %s. The first is %s.", len(open), deps(len(fixed)), shown(first)).
		Do("Give %s, and the others without one, the lowest version that works, or a pin.", shown(first))
}

func deps(n int) string {
	if n == 1 {
		return "1 direct dependency"
	}
	return fmt.Sprintf("%d direct dependencies", n)
}
