package history

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func gitAuthorship() probe.Probe {
	return probe.Probe{
		ID: "git.authorship", Version: "1", Target: court.GithubRepo,
		Title: "The authors of the commits are visible",
		Doc:   "Counts authors by name and address, co-author lines, and traces of programming assistants that were left openly (their folders, instruction files, trailers). This is disclosure, not blame; undisclosed help is not seen.",
		Run:   probe.Of(read, authorship),
	}
}

var (
	coAuthor  = regexp.MustCompile(`(?im)^co-authored-by:\s*(.+)$`)
	assistant = regexp.MustCompile(`(?i)\b(claude|copilot|cursor|codex|gemini|aider|devin|windsurf)\b`)
	toolPath  = regexp.MustCompile(`(?i)(?:^|/)(?:\.(cursor|cursorrules|specify|claude|windsurf|aider[^/]*|copilot)(?:$|/)|(claude|agents|gemini)\.md$|(copilot)-instructions\.md$)`)
)

func authorship(p *past) probe.Finding {
	people := authors(p.Commits)
	own := p.Own
	largest, credited := 0, []int{}
	for _, who := range people {
		largest = max(largest, who.commits)
	}
	tools := map[string]bool{}
	for _, i := range own {
		lines := coAuthor.FindAllStringSubmatch(p.Commits[i].Body, -1)
		if len(lines) > 0 {
			credited = append(credited, i)
		}
		for _, l := range lines {
			if m := assistant.FindString(l[1]); m != "" {
				tools[strings.ToLower(m)] = true
			}
		}
		for _, ch := range p.Commits[i].Changes {
			if m := toolPath.FindStringSubmatch(ch.Path); m != nil {
				tools[strings.TrimSuffix(strings.ToLower(m[1]+m[2]+m[3]), "rules")] = true
			}
		}
	}
	disclosed := slices.Sorted(maps.Keys(tools))
	at := credited
	if len(at) == 0 && len(own) > 0 {
		at = own[len(own)-1:]
	}
	f := probe.Present(court.Git, p.places(at), "%s made the commits, one of them %s; %s credit a co-author. Assistants disclosed: %s.",
		court.Count(len(people), "author"), percent(probe.Ratio(largest, max(len(own), 1))), court.Count(len(credited), "commit"), orNone(disclosed))
	f.Data = map[string]any{"authors": len(people), "largest_bp": int(probe.Ratio(largest, max(len(own), 1))), "co_authored": len(credited), "assistants": disclosed}
	return f
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
