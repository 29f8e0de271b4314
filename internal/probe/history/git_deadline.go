package history

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func gitDeadline() probe.Probe {
	return probe.Probe{
		ID: "git.deadline", Version: "1", Target: court.GithubRepo,
		Title: "The work was done by the date",
		Doc: "Takes the committers' times of the commits that are not merges, and the lines they add to production code. The share is the smaller one of commits and lines that are not after the date. A day ends where the committer was; a time is a moment everywhere. " +
			"Clocks can be wrong or set, and rebased commits carry the later time. Without a date nothing is asked.",
		Recall: court.One,
		Args:   []probe.Arg{{Name: "date", Type: "string", Required: true, Doc: "2006-01-02, or a moment as 2006-01-02T15:04:05+02:00"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			date := a.String("date")
			if date == "" {
				return nil, &probe.Unable{Reason: court.NoArtifact, Why: "no date was given"}
			}
			over, err := after(date)
			if err != nil {
				return nil, err
			}
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{p.overdue(date, over)}, nil
		},
	}
}

// after tells whether a signature is later than a date.
func after(date string) (func(repo.Signature) (late, known bool), error) {
	if at, err := time.Parse(time.RFC3339, date); err == nil {
		return func(s repo.Signature) (bool, bool) { return s.Time > at.Unix(), s.Time > 0 }, nil
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "the date must have the form 2006-01-02 or 2006-01-02T15:04:05Z: " + court.Clean(date, 40)}
	}
	end := day.AddDate(0, 0, 1).Unix()
	return func(s repo.Signature) (bool, bool) {
		shift, ok := offset(s.Zone)
		if far := s.Time < end-15*3600 || s.Time > end+15*3600; far { // whatever the zone is
			shift, ok = 0, true
		}
		return s.Time+shift >= end, ok && s.Time > 0
	}, nil
}

var zone = regexp.MustCompile(`^([+-])(\d{2}):?(\d{2})$`)

// offset is a zone in seconds. A zone that cannot be is not known.
func offset(text string) (int64, bool) {
	m := zone.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	hours, _ := strconv.ParseInt(m[2], 10, 64) // two digits
	minutes, _ := strconv.ParseInt(m[3], 10, 64)
	shift := hours*3600 + minutes*60
	if shift > 14*3600 {
		return 0, false
	}
	if m[1] == "-" {
		shift = -shift
	}
	return shift, true
}

// overdue is the finding of what was committed after a date.
func (p *past) overdue(date string, over func(repo.Signature) (late, known bool)) probe.Finding {
	var late, open []int
	all, lines, lateLines := p.Own, 0, 0
	for _, i := range all {
		is, known := over(p.Commits[i].Committer)
		if !known {
			open = append(open, i)
			continue
		}
		n := 0
		for _, ch := range p.Commits[i].Changes {
			if regular(ch) && ch.Counted && p.source(ch.Path) {
				n += ch.Added
			}
		}
		lines += n
		if is {
			late = append(late, i)
			lateLines += n
		}
	}
	switch {
	case len(all) == 0:
		return probe.Cannot(court.NoArtifact, nil, "The history has no commit of its own.")
	case len(open) > 0:
		return probe.Cannot(court.Unparsed, p.places(open), "The times of %s cannot be read.", court.Count(len(open), "commit"))
	case len(late) == 0:
		return probe.Present(court.Git, p.places(all[len(all)-1:]), "All %s were made by %s.", court.Count(len(all), "commit"), court.Clean(date, 40))
	}
	share := min(probe.Ratio(len(all)-len(late), len(all)), probe.Ratio(lines-lateLines, lines))
	f := probe.Partly(share, court.Git, p.places(late), "%s", fmt.Sprintf("%s and %s of production code came after %s.",
		safetext.Capital(court.Of(len(late), len(all), "commit")), court.Of(lateLines, lines, "added line"), court.Clean(date, 40)))
	f.Data = map[string]any{"commits": len(all), "late": len(late), "lines": lines, "late_lines": lateLines}
	return f
}
