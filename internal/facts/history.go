package facts

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// FewCommits is the most that is still too few to show a development.
const FewCommits = 3

// Past is the commits that the audited one descends from.
type Past struct {
	*repo.History
	Own []int // those that are not merges, the oldest first
}

// PastOf tells which commits there are: yes when all can be counted, unknown
// where some are not there, with the reason.
func PastOf(h *repo.History) Fact[Past] {
	f := Fact[Past]{Value: Past{History: h}, Answer: Yes}
	for i := range h.Commits {
		if c := &h.Commits[i]; !c.Merge() {
			f.Value.Own, f.At = append(f.Value.Own, i), append(f.At, court.Place{Commit: c.ID})
		}
	}
	switch {
	case h.None != "":
		f.Why = Reason{court.ShallowHistory, h.None}
	case h.Shallow:
		f.Why = Reason{court.ShallowHistory, "this copy of the repository is shallow: older commits are not in it"}
	case h.Grafted:
		f.Why = Reason{court.ShallowHistory, "this copy of the repository has grafts: its true first commits may not be in it"}
	case h.Truncated:
		f.Why = Reason{court.Limit, "only the newest " + court.Count(len(h.Commits), "commit") + " were read"}
	case len(h.Missing) > 0:
		f.Why = Reason{court.MissingBlob, court.Count(len(h.Missing), "commit") + " of the history cannot be read"}
	}
	if f.Why.Text != "" {
		f.Answer = Unknown
	}
	return f
}
