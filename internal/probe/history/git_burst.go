package history

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

const (
	sitting   = 60 * 60                                                   // seconds: all commits within it are one sitting
	shortGap  = 2 * 60                                                    // seconds
	manyShort = court.Fixed(6000)                                         // share of short gaps up to which nothing is lost
	usualGaps = "26 % is the median of 59 repositories of one assignment" // of public submissions
)

func gitBurst() probe.Probe {
	return probe.Probe{
		ID: "git.burst", Version: "1", Target: court.GithubRepo,
		Title:  "The commits are spread over more than one sitting",
		Doc:    "Takes the authors' times: the span from first to last, and the share of gaps under two minutes, which says nothing of a history of at least 200 commits over half a year. Clocks can be wrong or set; the times are taken as they are written.",
		Remedy: "From now on, commit whenever a step is done.",
		Effort: 15, Recall: court.One,
		Run: probe.Of(read, func(p *past) probe.Finding { return p.pace().finding(p) }),
	}
}

// pace is how the commits lie in time, by their authors' clocks.
type pace struct {
	first, last int   // positions of the earliest and latest commit
	span        int64 // seconds
	gaps, short int
	read        int // commits with a readable time
}

func (p *past) pace() pace {
	var at []int
	for i := range p.Commits {
		if p.Commits[i].Author.Time > 0 {
			at = append(at, i)
		}
	}
	when := func(i int) int64 { return p.Commits[i].Author.Time }
	slices.SortStableFunc(at, func(a, b int) int { return int(min(max(when(a)-when(b), -1), 1)) })
	t := pace{read: len(at)}
	if len(at) == 0 {
		return t
	}
	t.first, t.last = at[0], at[len(at)-1]
	t.span = when(t.last) - when(t.first)
	for k := 1; k < len(at); k++ {
		t.gaps++
		if when(at[k])-when(at[k-1]) < shortGap {
			t.short++
		}
	}
	return t
}

// clustered tells whether all commits fall into one sitting; known is false
// when some time cannot be read and could lie outside.
func (t pace) clustered(p *past) (is, known bool) {
	is = len(p.Commits) >= 2 && t.span <= sitting
	return is, !is || t.read == len(p.Commits)
}

func (t pace) finding(p *past) probe.Finding {
	if len(p.Commits) < 2 {
		return probe.Cannot(court.NoArtifact, p.places(p.Own), "The history has %s, so there is no time between commits to examine.", court.Count(len(p.Commits), "commit"))
	}
	if t.read < 2 {
		return probe.Cannot(court.Unparsed, nil, "The times of the commits cannot be read.")
	}
	ends := p.places([]int{t.first, t.last})
	data := map[string]any{"span_seconds": t.span, "gaps": t.gaps, "short_gaps": t.short}
	is, known := t.clustered(p)
	var f probe.Finding
	short := probe.Ratio(t.short, t.gaps)
	switch {
	case !known:
		f = probe.Cannot(court.Unparsed, ends, "The times of %s cannot be read. The others lie within an hour.", court.Count(len(p.Commits)-t.read, "commit"))
	case is:
		f = probe.Against(court.Git, ends, "All %s were made within %s.", court.Count(len(p.Commits), "commit"), duration(t.span))
	default:
		over := max(short-manyShort, 0)
		if p.longLived() { // machines commit fast, and years are no sitting
			over = 0
		}
		f = probe.Partly(court.One-probe.Ratio(int(over), int(court.One-manyShort)), court.Git, ends,
			"The commits span %s. %s between them %s shorter than two minutes (%s; %s).",
			duration(t.span), safetext.Capital(court.Of(t.short, t.gaps, "gap")), court.Agree(t.short, t.gaps, "is", "are"), percent(short), usualGaps)
		if f.Outcome == court.Violation {
			f.Rationale += " A script that splits finished work, or an import, makes such commits, too."
		}
	}
	f.Data = data
	return f
}

// duration is a time span for people.
func duration(seconds int64) string {
	switch {
	case seconds < 2*60:
		return court.Count(int(seconds), "second")
	case seconds < 2*3600:
		return court.Count(int(seconds/60), "minute")
	case seconds < 2*24*3600:
		return court.Count(int(seconds/3600), "hour")
	default:
		return fmt.Sprintf("%d days", seconds/(24*3600))
	}
}
