package history

import (
	"fmt"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// years is a history whose first commit brings nearly all and whose machine
// commits twice a minute, in so many commits that are so far apart.
func years(commits int, apart int64) *past {
	h := &repo.History{}
	for i := range commits {
		c := repo.Commit{ID: fmt.Sprintf("%040d", i), Author: repo.Signature{Name: "ada", Time: 1_200_000_000 + int64(i/50)*apart + int64(i%50)*30}}
		c.Changes = []repo.Change{{Status: repo.Modified, Path: "a.c", Mode: "100644", OID: "1", Counted: true, Added: 1}}
		if i == 0 {
			c.Changes[0].Added = 10_000
		}
		h.Commits = append(h.Commits, c)
	}
	return &past{Past: facts.PastOf(h).Value, layout: code.Survey(nil)}
}

func TestLongHistoriesAreNotAccused(t *testing.T) {
	for name, tt := range map[string]struct {
		past        *past
		bulk, burst court.Outcome
	}{
		"long":        {years(400, 60*24*3600), court.Partial, court.Present},
		"few commits": {years(150, 200*24*3600), court.Violation, court.Partial},
		"few days":    {years(400, 3600), court.Violation, court.Partial},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := tt.past.bulk()
			if err != nil {
				t.Fatal(err)
			}
			if got := b.finding(tt.past).Outcome; got != tt.bulk {
				t.Errorf("bulk is %s, want %s", got, tt.bulk)
			}
			if got := tt.past.pace().finding(tt.past).Outcome; got != tt.burst {
				t.Errorf("burst is %s, want %s", got, tt.burst)
			}
		})
	}
}
