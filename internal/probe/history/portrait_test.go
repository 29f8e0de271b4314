package history

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// commits are n commits, one after each pause.
func commits(n int, from time.Time, pause time.Duration) []repo.Commit {
	var out []repo.Commit
	for i := range n {
		out = append(out, repo.Commit{ID: fmt.Sprintf("%040x", i+1), Subject: fmt.Sprint("step ", i),
			Author: repo.Signature{Name: "Ada Example", Email: "ada@example.org", Time: from.Add(time.Duration(i) * pause).Unix()}, Changes: []repo.Change{{Path: "a.py", Added: 2, Deleted: 1}}})
	}
	return out
}

var start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestPortraitOneByOne(t *testing.T) {
	list := commits(5, start, 36*time.Hour)
	list[1].Parents = []string{"a", "b"}
	list[1].Changes = nil
	list[2].Author.Time, list[2].Committer.Time = 0, start.Unix()
	list[3].Author.Time = 1 << 60
	list[4].Subject = "use\u202e  ghp_" + strings.Repeat("a1B2", 9) + " " + strings.Repeat("long ", 40)
	list[4].Partial = true
	got := paint(facts.PastOf(&repo.History{Commits: list, Shallow: true}), nil)
	want := &court.Past{Total: 5, Merges: 1, Cut: "this copy of the repository is shallow: older commits are not in it", Commits: []court.PastCommit{
		{ID: "000000000000", At: "2026-01-01T12:00:00Z", Subject: "step 0", Files: 1, Added: 2, Deleted: 1},
		{ID: "000000000000", At: "2026-01-03T00:00:00Z", Subject: "step 1", Merge: true},
		{ID: "000000000000", At: "2026-01-01T12:00:00Z", Subject: "step 2", Files: 1, Added: 2, Deleted: 1},
		{ID: "000000000000", Subject: "step 3", Files: 1, Added: 2, Deleted: 1},
		{ID: "000000000000", At: "2026-01-07T12:00:00Z", Files: 1, Added: 2, Deleted: 1, Partial: true},
	}}
	last := got.Commits[4].Subject
	got.Commits[4].Subject = ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(last, "ghp_") || strings.ContainsRune(last, '\u202e') || len([]rune(last)) > subjectShown {
		t.Errorf("the subject is %q", last)
	}
}

// However long a history is, what is shown of it is bounded, and nothing is
// lost: spans count every commit once.
func TestPortraitCounted(t *testing.T) {
	for name, c := range map[string]struct {
		n     int
		pause time.Duration
		unit  string
	}{
		"a week":    {20_000, time.Second * 30, "day"},
		"two years": {5_000, time.Hour * 4, "week"},
		"ten years": {2_000, time.Hour * 44, "month"},
		"60 years":  {301, time.Hour * 24 * 73, "year"},
		"at once":   {400, 0, "day"},
	} {
		t.Run(name, func(t *testing.T) {
			list := commits(c.n, start, c.pause)
			list[7].Author.Time = 0
			named := map[string]bool{list[7].ID: true, list[9].ID: true}
			p := paint(facts.PastOf(&repo.History{Commits: list}), func(id string) bool { return named[id] })
			if p.Unit != c.unit || len(p.Spans) == 0 || len(p.Spans) > mostSpans {
				t.Errorf("%d spans by the %s, want %s", len(p.Spans), p.Unit, c.unit)
			}
			sum, lines := p.Undated, 0
			for i, s := range p.Spans {
				sum, lines = sum+s.Commits, lines+s.Added
				if i > 0 && s.From <= p.Spans[i-1].From {
					t.Errorf("%s stands after %s", s.From, p.Spans[i-1].From)
				}
			}
			if sum != c.n || p.Undated != 1 || lines != 2*(c.n-1) || len(p.Commits) != 2 {
				t.Errorf("%d of %d commits, %d undated, %d lines, %d listed", sum, c.n, p.Undated, lines, len(p.Commits))
			}
			all := paint(facts.PastOf(&repo.History{Commits: list}), func(string) bool { return true })
			if len(all.Commits) != mostNamed {
				t.Errorf("%d commits are listed", len(all.Commits))
			}
		})
	}
	if p := paint(facts.PastOf(&repo.History{Commits: make([]repo.Commit, 400)}), func(string) bool { return false }); p.Undated != 400 || p.Spans != nil || p.Unit != "" {
		t.Errorf("of commits without times: %+v", p)
	}
}

// A week begins on Monday, a span with its first day.
func TestSpansBegin(t *testing.T) {
	for day, want := range map[string][4]string{
		"2026-01-01": {"2026-01-01", "2025-12-29", "2026-01-01", "2026-01-01"},
		"2026-11-22": {"2026-11-22", "2026-11-16", "2026-11-01", "2026-01-01"},
		"2024-02-26": {"2024-02-26", "2024-02-26", "2024-02-01", "2024-01-01"},
	} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		for i, u := range units {
			if got := u.first(at.Add(23 * time.Hour)).Format(time.DateOnly); got != want[i] {
				t.Errorf("the %s of %s begins %s, want %s", u.name, day, got, want[i])
			}
		}
	}
}
