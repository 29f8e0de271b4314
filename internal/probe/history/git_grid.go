package history

import (
	"math"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

const (
	gridCommits = 10   // fewer say nothing
	gridSeconds = 900  // a quarter of an hour
	gridChance  = 1e-6 // probability of as many by chance from which on it is said
)

func gitGrid() probe.Probe {
	return probe.Probe{
		ID: "git.grid", Version: "1", Target: court.GithubRepo,
		Title:  "The commit times are not round numbers",
		Doc:    "Counts the authors' times that lie on a full quarter of an hour to the second and compares with chance (1 in 900 each, exact binomial). Commits made on a schedule look the same as times that were set. 1 of 59 repositories had such times.",
		Recall: court.One,
		Run:    probe.Of(read, onGrid),
	}
}

func onGrid(p *past) probe.Finding {
	n := 0
	var round []int
	for i := range p.Commits {
		t := p.Commits[i].Author.Time
		if t == 0 {
			continue
		}
		n++
		if t%gridSeconds == 0 {
			round = append(round, i)
		}
	}
	if n < gridCommits {
		return probe.Nothing(court.One, court.Git, "There are too few commits (%d) to tell whether their times are round.", n)
	}
	chance := tail(n, len(round), 1.0/gridSeconds)
	words := "%d of %s have a time on a full quarter of an hour to the second. At random times, %.1f of them would be expected."
	args := []any{len(round), court.Count(n, "commit"), float64(n) / gridSeconds}
	if chance >= gridChance {
		return probe.Clean(court.One, court.Git, words, args...)
	}
	f := probe.Against(court.Git, p.places(round), words+" Commits on a schedule have such times, too. 1 of 59 repositories of one assignment has them.", args...)
	f.Certainty = lowKey
	f.Data = map[string]any{"commits": n, "round": len(round)}
	return f
}

// tail is the probability of at least k successes in n trials of chance p.
func tail(n, k int, p float64) float64 {
	sum := 0.0
	for i := k; i <= n; i++ {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(i + 1))
		c, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(a - b - c + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}
