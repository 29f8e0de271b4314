package document

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docFresh() probe.Probe {
	return probe.Probe{
		ID: "doc.fresh", Version: "1", Target: court.PDFReport,
		Title:  "The document is not older than the code that it describes",
		Doc:    "Takes the files of code that the document names, and the share of them that no commit changed after the last one that changed the document; and the statements about features that the code contradicts now and did not when the document was last changed. A document that is not in the history has no date that could be trusted. A later change may be one that the document need not mention.",
		Remedy: "Bring the document up to date with the code.", Effort: 45,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			old, err := overtaken(ctx, s, l)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{fresh(l, s.PDFPath(), old)}, nil
		},
	}
}

// overtaken lists the claims that are contradicted by the code as it is, or without an effect in it, and
// were true of it when the document was last changed.
func overtaken(ctx context.Context, s *probe.Scene, l *ledger) ([]claim, error) {
	when, ok := l.repo.lastChanges()[s.PDFPath()]
	bad := once(slices.DeleteFunc(l.of(ofCapability), func(c claim) bool { return c.Fate != untrue && l.repo.mends[c.Why] == "" }))
	if !ok || len(bad) == 0 || !l.repo.history.Complete() || when == len(l.repo.history.Commits)-1 {
		return nil, nil
	}
	then, err := s.At(ctx, when)
	if err != nil {
		return nil, err
	}
	old, err := repository(ctx, then)
	if err != nil {
		return nil, err
	}
	var out []claim
	for _, c := range capabilities() {
		for _, b := range bad {
			if b.Subject != c.name {
				continue
			}
			if f, _, _ := c.truth(ctx, then, old); f == holds {
				out = append(out, b)
			}
		}
	}
	return out, nil
}

func fresh(l *ledger, doc string, old []claim) probe.Finding {
	if !l.repo.history.Complete() {
		return probe.Cannot(court.ShallowHistory, nil, "The history is not complete.")
	}
	last := l.repo.lastChanges()
	when, ok := last[doc]
	if !ok {
		return probe.Cannot(court.NoArtifact, nil, "The document is not in the history, so its age is not known.").Do("Commit the document, so that its age can be compared with that of the code.")
	}
	var current, stale []claim
	for _, n := range l.paths {
		if n.fate != holds || !l.repo.source(n.found) {
			continue
		}
		c := n.claim
		c.Subject = n.found
		if last[n.found] > when {
			stale = append(stale, c)
		} else {
			current = append(current, c)
		}
	}
	if len(old) > 0 {
		share := max(probe.Ratio(len(current), len(current)+len(stale)+len(old)), 1)
		f := probe.Partly(share, court.Git, nil, "The document was right when it was last changed and is not any more: %s. Of %s of code that the document names, %d changed after the document.",
			subjects(old), court.Count(len(current)+len(stale), "file"), len(stale)).
			Do("Bring what the document says of %s up to date with the code.", subjects(old))
		f = l.cited(f, old...)
		f.Places = append(f.Places, court.Place{Commit: l.repo.history.Commits[when].ID})
		return f
	}
	if len(current)+len(stale) == 0 {
		return probe.Cannot(court.NoArtifact, nil, "The document names no file of code whose age could be compared.")
	}
	if len(stale) == 0 {
		f := probe.Present(court.Git, nil, "None of the %s of code that the document names was changed after the document.", court.Count(len(current), "file"))
		return l.cited(f, current[0])
	}
	share := max(probe.Ratio(len(current), len(current)+len(stale)), 1) // older, but not therefore wrong
	f := probe.Partly(share, court.Git, nil,
		"Of %s of code that the document names, %d changed after the document: %s.", court.Count(len(current)+len(stale), "file"), len(stale), subjects(stale)).
		Do("Read what the document says of %s again, and commit the document when it agrees with the code.", subjects(stale))
	f = l.cited(f, stale...)
	f.Places = append(f.Places, court.Place{Commit: l.repo.history.Commits[last[stale[0].Subject]].ID})
	return f
}

// lastChanges is the position of the last commit that changed each path.
func (a *against) lastChanges() map[string]int {
	last := map[string]int{}
	for i := range a.history.Commits {
		for _, ch := range a.history.Commits[i].Changes {
			last[ch.Path] = i
		}
	}
	return last
}

// source tells code from documents and settings.
func (a *against) source(file string) bool {
	if a.program.Module(file) != nil {
		return true
	}
	lang := code.File{Path: file}.Language()
	return lang.Code() && lang != "python" && a.layout.Scope(file) == code.ScopeProduction
}
