package history

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/probe"
)

// Sections fills the facts of the history.
func Sections() []probe.Section {
	return []probe.Section{{Name: "git", Fill: fill}}
}

func fill(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	p, err := read(ctx, s)
	if err != nil {
		return err
	}
	g := &sheet.Git
	g.Commits, g.SingleCommit = new(len(p.Commits)), new(len(p.Commits) == 1)
	sheet.Prove("git.commits", "there is no commit")
	if n := len(p.Commits); n > 0 {
		sheet.Prove("git.commits", "commit:%s", p.Commits[n-1].ID)
		sheet.Prove("git.single_commit", "from commit:%s to commit:%s", p.Commits[0].ID, p.Commits[n-1].ID)
	}
	if b, err := p.bulk(); err != nil {
		sheet.Prove("git.bulk_upload", "%v", err)
	} else {
		g.BulkUpload = new(b.share() >= bulkShare)
		sheet.Prove("git.bulk_upload", "no commit adds lines of production code")
		if b.at >= 0 {
			sheet.Prove("git.bulk_upload", "commit:%s adds %d %% of all production lines ever added, more than any other", p.Commits[b.at].ID, int(b.share())/100)
		}
	}
	t := p.pace()
	if is, known := t.clustered(p); known {
		g.Clustered = new(is)
		sheet.Prove("git.clustered", "%s from first to last", duration(t.span))
	} else {
		sheet.Prove("git.clustered", "not all times can be read")
	}
	return progression(ctx, s, p, sheet)
}

func progression(ctx context.Context, s *probe.Scene, p *past, sheet *probe.Sheet) error {
	steps, err := phases(ctx, s, p)
	if err != nil {
		sheet.Prove("git.progression", "%v", err)
		return nil
	}
	if f := hiddenGraph(ctx, s, steps); f != nil {
		sheet.Prove("git.progression", "%s", f.Rationale)
		return nil
	}
	if err := p.allRead(); err != nil && !rises(steps) {
		sheet.Prove("git.progression", "%v", err)
		return nil
	}
	sheet.Git.Progression = new(rises(steps))
	var words []string
	for _, a := range steps {
		if a.At < 0 {
			words = append(words, a.Name+" never")
		} else {
			words = append(words, a.Name+" commit:"+p.Commits[a.At].ID)
		}
	}
	sheet.Prove("git.progression", "%s", strings.Join(words, ", "))
	return nil
}
