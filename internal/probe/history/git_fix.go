package history

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var (
	correction = regexp.MustCompile(`(?i)\b(?:(?:bug|hot)?fix(?:es|ed|ing)?|bugs?|typos?|reverts?|reverted|handl(?:e|es|ed)|correct(?:s|ed|ing|ion|ions)?)\b|^handling\b`)
	// typed is a subject that says that the commit is something else than a correction.
	typed = regexp.MustCompile(`(?i)^\W*(?:feat(?:ure)?|docs?|chore|style|tests?|ci|build)(?:\([^)]*\))?!?\s*:\s*`)
	// besides is where one goes on to say what else it corrects.
	besides = regexp.MustCompile(`(?i)(?:\band|[,;&])\s+(?:fix(?:es|ed)?|correct(?:s|ed)?|revert(?:s|ed)?)\s+\w`)
)

// corrects tells whether a subject speaks of a correction: one of another type must begin
// with it, or name it as a deed of its own.
func corrects(subject string) bool {
	m := typed.FindStringIndex(subject)
	if m == nil {
		return correction.MatchString(subject)
	}
	rest := subject[m[1]:]
	at := correction.FindStringIndex(rest)
	return at != nil && at[0] == 0 || besides.MatchString(rest)
}

func gitFix() probe.Probe {
	return probe.Probe{
		ID: "git.fix", Version: "3", Target: court.GithubRepo,
		Title:  "Mistakes were found and corrected",
		Doc:    "Looks for commits whose subject speaks of a fix, a bug, a typo, a revert, a correction or of handling something, and which modify an older production file. A subject that begins with the type of another change, as feat or docs, must go on with such a word, or say what else was corrected. Corrections that do not say so are not seen.",
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
		if !corrects(p.Commits[i].Subject) {
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
