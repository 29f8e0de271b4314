package project

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoLicense() probe.Probe {
	return probe.Probe{
		ID: "repo.license", Version: "1", Target: court.GithubRepo,
		Title:  "The repository says under which licence it is",
		Doc:    "Looks for a licence file with text at the project or repository root. Whether its text is a known licence is not asked; a line in a manifest or README is none.",
		Remedy: "Add a LICENSE file.",
		Effort: 5, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			found := inv.licenses()
			if len(found) == 0 {
				return []probe.Finding{probe.Missing(court.One, court.Config, "There is no licence file at the root.")}, nil
			}
			return []probe.Finding{probe.Present(court.Config, []court.Place{found[0].place(1)}, "%s holds a licence.", shown(found[0].path))}, nil
		},
	}
}

// licenses lists the licence files with text at the roots.
func (inv *inventory) licenses() []file {
	return inv.pick(func(f file) bool {
		if f.blank() || f.dir() != "" && f.dir() != inv.layout.Root() {
			return false
		}
		name := strings.TrimSuffix(f.base, path.Ext(f.base))
		for _, w := range []string{"license", "licence", "copying", "unlicense"} {
			if name == w || strings.HasPrefix(name, w+"-") || strings.HasPrefix(name, w+"_") {
				return !f.lang.Code()
			}
		}
		return false
	})
}

// pick lists the files that fit.
func (inv *inventory) pick(is func(file) bool) []file {
	return slices.DeleteFunc(slices.Clone(inv.files), func(f file) bool { return !is(f) })
}
