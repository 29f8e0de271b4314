package history

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

func gitFeedback() probe.Probe {
	return probe.Probe{
		ID: "git.feedback", Version: "1", Target: court.GithubRepo,
		Title: "Commits answer the report that was received",
		Doc: "Takes the reports in folders or files that say they were received from a peer, and the files of the repository that they name. Commits after the one that brought the report, merges apart, that touch one of these files are the answer. " +
			"Whether they do what the report asks is not read. Without such a report nothing is asked; a report that is not text names nothing.",
		Remedy: "Go through the report that was received, and correct what it names in commits of its own.",
		Effort: 60, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			texts, err := s.Texts(ctx)
			if err != nil {
				return nil, err
			}
			return p.holds(p.answered(texts), court.Present)
		},
	}
}

var (
	receivedFile = regexp.MustCompile(`(?i)(?:by[_-]?peer|peer[_-]?(?:review|audit|grading)?[_-]?received|received[_-]?(?:from|by)?[_-]?peer)`)
	pathInText   = regexp.MustCompile(`[\w][\w./-]*\.[A-Za-z]{1,5}\b`)
)

// received tells a report from a peer from notes about the folder.
func received(file string) bool {
	base := strings.ToLower(path.Base(file))
	return receivedFile.MatchString(file) && !strings.HasPrefix(base, "readme") && !strings.HasPrefix(base, ".")
}

func (p *past) answered(texts map[string][]byte) probe.Finding {
	named, since, arrived := map[string]bool{}, -1, []court.Place(nil)
	opaque := false
	for i := range p.Commits {
		for _, ch := range p.Commits[i].Changes {
			if ch.Status == repo.Deleted || !received(ch.Path) || slices.ContainsFunc(arrived, func(x court.Place) bool { return x.Path == ch.Path }) {
				continue
			}
			text, ok := texts[ch.Path]
			switch ext := strings.ToLower(path.Ext(ch.Path)); {
			case !ok || ext != ".md" && ext != ".txt" && ext != ".json" && ext != ".html":
				opaque = opaque || ok || ext == ".pdf" || ext == ".docx"
				continue
			}
			arrived = append(arrived, court.Place{Path: ch.Path})
			if since < 0 {
				since = i
			}
			for _, m := range pathInText.FindAllString(string(text), 5000) {
				if m = strings.TrimPrefix(m, "./"); p.layout.Scope(m) != code.ScopeAudit {
					named[m] = true
				}
			}
		}
	}
	switch {
	case len(arrived) == 0 && opaque:
		return probe.Cannot(court.NoDetector, nil, "A report was received, but its text cannot be read.")
	case len(arrived) == 0:
		return probe.Cannot(court.NoArtifact, nil, "The repository has no report from a peer.").Do("Commit the report that a peer gave, and then the changes that answer it.")
	}
	touched := p.touching(named, since)
	files := 0
	for name := range named {
		if p.ever(name) || p.ever(path.Join(p.layout.Root(), name)) {
			files++
		}
	}
	switch {
	case len(touched) > 0:
		return probe.Present(court.Git, append(p.places(touched), arrived...), "%s after the report of %s touch files that the report names.", court.Count(len(touched), "commit"), p.name(since))
	case files == 0:
		return probe.Cannot(court.NoArtifact, arrived, "The report that was received names no file of the repository.")
	}
	return probe.Missing(court.One, court.Git, "No commit after the report of %s touches one of the %s that the report names.", p.name(since), court.Count(files, "file")).
		Do("Answer the report of %s: change the files that it names, and commit the changes.", p.name(since))
}

// touching lists the commits after a position that change a named file.
func (p *past) touching(named map[string]bool, since int) []int {
	var out []int
	for _, i := range p.Own {
		if i <= since {
			continue
		}
		for _, ch := range p.Commits[i].Changes {
			if named[ch.Path] || named[strings.TrimPrefix(ch.Path, p.layout.Root()+"/")] || ch.From != "" && named[ch.From] {
				out = append(out, i)
				break
			}
		}
	}
	return out
}
