package history

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// What a record shows of a history at most: commits one by one, spans of a
// longer one that is counted, and of that the commits that evidence names.
const (
	mostCommits = 300
	mostSpans   = 200
	mostNamed   = 100
)

const (
	idShown      = 12  // digits of a commit
	subjectShown = 80  // runes
	lastReadable = 4e9 // seconds: times after the year 2096 are none
)

// Portrait is the history for readers, by the authors' clocks. Of a long one
// only the commits of which named tells so are listed, the first hundred.
func Portrait(ctx context.Context, s *probe.Scene, named func(id string) bool) (*court.Past, error) {
	all, err := s.Past(ctx)
	if err != nil {
		return nil, err
	}
	return paint(all, named), nil
}

func paint(all facts.Fact[facts.Past], named func(id string) bool) *court.Past {
	h := all.Value
	p := &court.Past{Total: len(h.Commits), Merges: len(h.Commits) - len(h.Own), Commits: []court.PastCommit{}, Cut: all.Why.Text}
	long := len(h.Commits) > mostCommits
	for i := range h.Commits {
		c := &h.Commits[i]
		if !long || len(p.Commits) < mostNamed && named(c.ID) {
			p.Commits = append(p.Commits, shown(c))
		}
	}
	if long {
		p.Unit, p.Spans, p.Undated = spans(h.Commits)
	}
	return p
}

// when is a commit's time by its author's clock, else its committer's.
func when(c *repo.Commit) (time.Time, bool) {
	for _, t := range []int64{c.Author.Time, c.Committer.Time} {
		if t > 0 && t < lastReadable {
			return time.Unix(t, 0).UTC(), true
		}
	}
	return time.Time{}, false
}

func shown(c *repo.Commit) court.PastCommit {
	out := court.PastCommit{ID: c.ID[:min(idShown, len(c.ID))], Merge: c.Merge(), Partial: c.Partial, Files: len(c.Changes),
		Subject: court.Clean(probe.Mask(strings.Join(strings.Fields(c.Subject), " ")), subjectShown)}
	if t, ok := when(c); ok {
		out.At = t.Format(time.RFC3339)
	}
	out.Added, out.Deleted = lines(c)
	return out
}

func lines(c *repo.Commit) (added, deleted int) {
	for _, ch := range c.Changes {
		added, deleted = added+ch.Added, deleted+ch.Deleted
	}
	return added, deleted
}

// unit is a length of time: the first day of the one that a time lies in, and
// the number of that one.
type unit struct {
	name  string
	first func(t time.Time) time.Time
	index func(t time.Time) int
}

// units of time, the shortest first. No two readable times are 200 years apart.
var units = []unit{
	{"day", func(t time.Time) time.Time { return date(t, t.Month(), t.Day()) }, days},
	{"week", func(t time.Time) time.Time { return date(t, t.Month(), t.Day()-(int(t.Weekday())+6)%7) }, func(t time.Time) int { return (days(t) + 3) / 7 }},
	{"month", func(t time.Time) time.Time { return date(t, t.Month(), 1) }, func(t time.Time) int { return t.Year()*12 + int(t.Month()) }},
	{"year", func(t time.Time) time.Time { return date(t, time.January, 1) }, time.Time.Year},
}

func date(t time.Time, m time.Month, d int) time.Time {
	return time.Date(t.Year(), m, d, 0, 0, 0, 0, time.UTC)
}

func days(t time.Time) int { return int(t.Unix() / (24 * 60 * 60)) }

// spans counts commits by the shortest unit that makes no more spans of the
// whole history than a picture can show, empty ones among them.
func spans(commits []repo.Commit) (by string, out []court.PastSpan, undated int) {
	var first, last time.Time
	for i := range commits {
		t, ok := when(&commits[i])
		switch {
		case !ok:
			undated++
		case first.IsZero():
			first, last = t, t
		case t.Before(first):
			first = t
		case t.After(last):
			last = t
		}
	}
	if first.IsZero() {
		return "", nil, undated
	}
	at := slices.IndexFunc(units, func(u unit) bool { return u.index(last)-u.index(first) < mostSpans })
	spans := map[string]*court.PastSpan{}
	for i := range commits {
		t, ok := when(&commits[i])
		if !ok {
			continue
		}
		from := units[at].first(t).Format(time.DateOnly)
		if spans[from] == nil {
			spans[from] = &court.PastSpan{From: from}
		}
		add(spans[from], &commits[i])
	}
	for _, from := range slices.Sorted(maps.Keys(spans)) {
		out = append(out, *spans[from])
	}
	return units[at].name, out, undated
}

func add(s *court.PastSpan, c *repo.Commit) {
	added, deleted := lines(c)
	s.Commits, s.Added, s.Deleted = s.Commits+1, s.Added+added, s.Deleted+deleted
	if c.Merge() {
		s.Merges++
	}
}
