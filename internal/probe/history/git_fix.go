package history

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var correction = regexp.MustCompile(`(?i)\b(?:(?:bug|hot)?fix(?:es|ed|ing)?|bugs?|reverts?|reverted|handl(?:e|es|ed|ing)|correct(?:s|ed|ing|ion|ions)?)\b`)

func gitFix() probe.Probe {
	return probe.Probe{
		ID: "git.fix", Version: "2", Target: court.GithubRepo,
		Title:  "Mistakes were found and corrected",
		Doc:    "Looks for commits whose subject speaks of a fix, a bug, a revert, a correction or of handling something, and which modify an older production file. Corrections that do not say so are not seen.",
		Remedy: "From now on, commit corrections on their own and name the mistake in the subject.",
		Effort: 15, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			return p.holds(fixes(p), court.Present)
		},
	}
}

func fixes(p *past) probe.Finding {
	var at []int
	for _, i := range p.Own {
		if !correction.MatchString(p.Commits[i].Subject) {
			continue
		}
		for _, ch := range p.Commits[i].Changes {
			edited := ch.Status == repo.Modified || ch.Status == repo.Renamed && ch.Added+ch.Deleted > 0
			if edited && (p.source(ch.Path) || p.notebook(ch.Path)) {
				at = append(at, i)
				break
			}
		}
	}
	if len(at) == 0 {
		return probe.Missing(court.One, court.Git, "%s names a correction of an older production file.", safetext.Capital(court.Of(0, len(p.Commits), "subject")))
	}
	return probe.Present(court.Git, p.places(at), "By the subjects, %s %s older production files.", court.Of(len(at), len(p.Commits), "commit"), court.Agree(len(at), len(p.Commits), "corrects", "correct"))
}
