package history

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// enoughRework is the share of reworked files that counts as full.
const enoughRework court.Fixed = 5000

func gitChurn() probe.Probe {
	return probe.Probe{
		ID: "git.churn", Version: "2", Target: court.GithubRepo,
		Title:  "Later commits rework earlier files",
		Doc:    "Takes the share of today's production files that at least two commits changed; half of them is enough. Renames are followed and are not changes by themselves. What merges changed by themselves is not seen.",
		Remedy: "From now on, commit improvements of existing files as they are made.",
		Effort: 30, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			entries, err := s.Entries()
			if err != nil {
				return nil, err
			}
			return p.holds(churn(p, entries), court.Present)
		},
	}
}

func churn(p *past, entries []repo.Entry) probe.Finding {
	touched := p.touches()
	files, once := 0, []court.Place(nil)
	var often []court.Place
	for _, e := range entries {
		if (e.Kind != repo.File && e.Kind != repo.Executable) || e.Size == 0 || !p.source(e.Path) {
			continue
		}
		files++
		if touched[e.Path] >= 2 {
			often = append(often, court.Place{Path: e.Path})
		} else {
			once = append(once, court.Place{Path: e.Path})
		}
	}
	if files == 0 {
		return probe.Nothing(court.One, court.Git, "There is no production code that could have been reworked.")
	}
	share := probe.Ratio(len(often), files)
	at := often
	if share < enoughRework {
		at = once
	}
	enough := ""
	if files > 1 {
		enough = "; half is enough"
	}
	f := probe.Partly(min(court.One, probe.Ratio(int(share), int(enoughRework))), court.Git, at,
		"%s of production code %s changed by more than one commit%s.", safetext.Capital(court.Of(len(often), files, "file")), court.Agree(len(often), files, "was", "were"), enough)
	f.Data = map[string]any{"files": files, "reworked": len(often)}
	return f
}

// touches counts, by today's path, the commits that changed a file's content,
// under all its names.
func (p *past) touches() map[string]int {
	ids := map[string]int{} // path, now or before, to file
	var counts, last []int
	for _, i := range p.Own {
		for _, ch := range p.Commits[i].Changes {
			id, ok := ids[ch.Path]
			if from, was := ids[ch.From]; was && ch.Status == repo.Renamed {
				id, ok = from, true
			}
			if !ok {
				id = len(counts)
				counts, last = append(counts, 0), append(last, -1)
			}
			ids[ch.Path] = id
			moved := ch.Status == repo.Renamed && ch.Added+ch.Deleted == 0
			if moved || ch.Status == repo.Deleted || last[id] == i {
				continue
			}
			counts[id]++
			last[id] = i
		}
	}
	out := make(map[string]int, len(ids))
	for path, id := range ids {
		out[path] = counts[id]
	}
	return out
}
