package history

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Shares of all production lines ever added that one commit may bring, in
// basis points: from bulkShare on it is a bulk upload,
// up to calmShare it is not. The median of 59 repositories is 2500.
const (
	bulkShare court.Fixed = 6000
	calmShare court.Fixed = 4000
)

func gitBulk() probe.Probe {
	return probe.Probe{
		ID: "git.bulk", Version: "1", Target: court.GithubRepo,
		Title:  "No single commit brings most of the code",
		Doc:    "Adds up the lines of production code that each commit brings, renames and copies followed, and takes the largest share. In a history of at least 200 commits over half a year such a commit may be an import and counts half. Work that was done elsewhere and brought in many commits is not seen.",
		Remedy: "From now on, commit each step on its own: the share of the largest commit falls as the code grows.",
		Effort: 30, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			b, err := p.bulk()
			if err != nil {
				return nil, err
			}
			return []probe.Finding{b.finding(p)}, nil
		},
	}
}

// bulk is the commit that brings most production lines.
type bulk struct {
	at           int // of the commit; -1: nothing was ever added
	lines, total int
}

func (b bulk) share() court.Fixed {
	if b.total == 0 {
		return 0
	}
	return probe.Ratio(b.lines, b.total)
}

// bulk adds up the lines. Where objects are missing and the lines of a source
// file are not known, nobody can tell the shares.
func (p *past) bulk() (bulk, error) {
	b := bulk{at: -1}
	for _, i := range p.Own {
		c := &p.Commits[i]
		lines := 0
		if c.Partial && len(c.Changes) == 0 {
			return b, unreadable(p, i)
		}
		for _, ch := range c.Changes {
			if ch.Status == repo.Deleted || !p.source(ch.Path) {
				continue
			}
			if !ch.Counted && !ch.Binary {
				return b, unreadable(p, i)
			}
			lines += ch.Added
		}
		b.total += lines
		if lines > b.lines {
			b.at, b.lines = i, lines
		}
	}
	return b, nil
}

func unreadable(p *past, i int) error {
	return &probe.Unable{Reason: court.MissingBlob, Why: "what " + p.name(i) + " changed could not be read"}
}

// A history of so many commits over so many seconds is long: what one commit
// brings, and how fast others follow, says little of it. Design choices.
const (
	longCommits = 200
	longSpan    = 180 * 24 * 3600
)

func (p *past) longLived() bool { return len(p.Own) >= longCommits && p.pace().span >= longSpan }

func (b bulk) finding(p *past) probe.Finding {
	if b.at < 0 {
		return probe.Nothing(court.One, court.Git, "No commit brings lines of production code.")
	}
	share := b.share()
	data := map[string]any{"commit": p.Commits[b.at].ID, "lines": b.lines, "total": b.total}
	words := "%s brings %s of production code that %s ever added (%s)."
	args := []any{"The largest commit, " + p.short(b.at) + ",", court.Of(b.lines, b.total, "line"), court.Agree(b.total, b.total, "was", "were"), percent(share)}
	at := []court.Place{p.place(b.at)}
	f := probe.Present(court.Git, at, words, args...)
	switch {
	case share >= bulkShare && p.longLived():
		f = probe.Partly(halfway, court.Git, at, words+" The history is long, so the commit may bring code that was made elsewhere.", args...)
	case share >= bulkShare:
		f = probe.Against(court.Git, at, words, args...)
	case share > calmShare:
		f = probe.Partly(probe.Ratio(int(bulkShare-share), int(bulkShare-calmShare)), court.Git, at, words, args...)
	}
	f.Data = data
	return f
}
