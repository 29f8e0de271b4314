package history

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

const (
	clockAhead = 5 * 60  // seconds that an author's clock may be ahead of the committer's
	clockBack  = 60 * 60 // seconds that committers' clocks may go back along first parents
	clockShare = 100     // one commit in so many is what a wrong clock does in a long history
)

func gitClock() probe.Probe {
	return probe.Probe{
		ID: "git.clock", Version: "1", Target: court.GithubRepo,
		Title:  "The commit times are possible ones",
		Doc:    "Looks for commits written before they were authored, and for committers' times that go back along first parents, in at least one commit of a hundred. An author's time before the committer's is normal: rebasing keeps it. Whether a time lies in the future is not asked, since the audit has no clock of its own.",
		Recall: court.One,
		Run:    probe.Of(read, clocks),
	}
}

// seldom is the base rate of the signs below, counted for this program.
const seldom = "None of 37 repositories of one assignment shows this."

func clocks(p *past) probe.Finding {
	when := map[string]int64{}
	for i := range p.Commits {
		when[p.Commits[i].ID] = p.Commits[i].Committer.Time
	}
	var odd []int
	ahead, back := 0, 0
	for i := range p.Commits {
		c := &p.Commits[i]
		if c.Committer.Time == 0 {
			continue
		}
		early := c.Author.Time-c.Committer.Time > clockAhead
		falls := len(c.Parents) > 0 && when[c.Parents[0]]-c.Committer.Time > clockBack
		if early {
			ahead++
		}
		if falls {
			back++
		}
		if early || falls {
			odd = append(odd, i)
		}
	}
	n := len(p.Commits)
	if len(odd) == 0 {
		return probe.Clean(court.One, court.Git, "%s %s dated more than five minutes before the author's date or more than an hour before the parent commit.", safetext.Capital(court.Of(0, n, "commit")), court.Agree(0, n, "is", "are"))
	}
	var words []string
	for _, x := range []struct {
		n    int
		what string
	}{{ahead, "more than five minutes before the author's date"}, {back, "more than an hour before the parent commit"}} {
		if x.n > 0 {
			words = append(words, fmt.Sprintf("%s %s dated %s.", safetext.Capital(court.Of(x.n, n, "commit")), court.Agree(x.n, n, "is", "are"), x.what))
		}
	}
	said := strings.Join(words, " ")
	if len(odd)*clockShare < n {
		return probe.Clean(court.One, court.Git, "%s", said)
	}
	f := probe.Against(court.Git, p.places(odd), "%s A wrong clock has this effect, and so has a time that somebody set. "+seldom, said)
	f.Certainty = lowKey
	f.Data = map[string]any{"before_author": ahead, "before_parent": back}
	return f
}
