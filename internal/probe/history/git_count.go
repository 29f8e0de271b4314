package history

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

func gitCount() probe.Probe {
	return probe.Probe{
		ID: "git.count", Version: "1", Target: court.GithubRepo,
		Title:  "The history has more than three commits of its own",
		Doc:    "Counts the commits that the audited one descends from; merges are counted apart. Commits of other branches, and those squashed away, are not seen.",
		Remedy: "From now on, commit each step of the work on its own.",
		Effort: 30, Recall: court.One,
		Args: []probe.Arg{{Name: "min", Type: "int", Default: facts.FewCommits + 1, Doc: "so many at least"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{counted(p, max(a.Int("min", facts.FewCommits+1), 1))}, nil
		},
	}
}

func counted(p *past, want int) probe.Finding {
	own := p.Own
	merges := len(p.Commits) - len(own)
	data := map[string]any{"commits": len(p.Commits), "merges": merges, "authors": len(authors(p.Commits))}
	if len(own) >= want {
		ends := []court.Place{p.place(own[0]), p.place(own[len(own)-1])}
		f := probe.Present(court.Git, ends, "The history has %s and %s by %s.", court.Count(len(own), "commit"), court.Count(merges, "merge"), court.Count(len(authors(p.Commits)), "author"))
		f.Data = data
		return f
	}
	if want != facts.FewCommits+1 {
		f := probe.Partly(probe.Ratio(len(own), want), court.Git, p.places(own), "The history has %s and %s. At least %d commits are asked for.",
			court.Count(len(own), "commit"), court.Count(merges, "merge"), want)
		f.Data = data
		return f
	}
	f := probe.Against(court.Git, p.places(own), "The history has %s and %s. A development in steps has more than %d commits.",
		court.Count(len(own), "commit"), court.Count(merges, "merge"), facts.FewCommits)
	f.Data = data
	return f
}

// person is one author, under all names and addresses that go together.
type person struct {
	commits int
}

// authors unites the signatures of non-merge commits that have a name or an
// address in common. The order is that of the first commits.
func authors(commits []repo.Commit) []*person {
	var all []*person
	known := map[string]*person{}
	for i := range commits {
		if commits[i].Merge() {
			continue
		}
		sig := commits[i].Author
		name := "name:" + strings.Join(strings.Fields(strings.ToLower(sig.Name)), " ")
		mail := "mail:" + strings.ToLower(sig.Email)
		who := known[name]
		if who == nil {
			who = known[mail]
		}
		if who == nil {
			who = &person{}
			all = append(all, who)
		}
		known[name] = who
		if sig.Email != "" {
			known[mail] = who
		}
		who.commits++
	}
	return all
}
