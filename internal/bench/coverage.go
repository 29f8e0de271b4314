package bench

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// coverage is how much of the checks was examined, by plain weights.
func coverage(checks []posed) court.Fixed {
	var m court.Mean
	for _, c := range checks {
		var seen court.Fixed
		for _, it := range c.items {
			seen = max(seen, it.examined())
		}
		if c.applies() {
			m.Add(int64(c.Weight), seen)
		}
	}
	return m.Value()
}

// unseen is the share of the checks, by weight, that nobody looked at: of which nothing is
// known, and that lies with the inquiry.
func unseen(checks []posed, tech []court.Row) court.Fixed {
	var m court.Mean
	for i, r := range tech {
		var share court.Fixed
		if r.U == court.One && r.Held == 0 && checks[i].unseen() {
			share = court.One
		}
		m.Add(r.Weight, share)
	}
	return m.Value()
}

// unseen tells whether there is no evidence on the check but that nobody looked.
func (c posed) unseen() bool {
	return !slices.ContainsFunc(c.items, func(it item) bool { return it.Outcome != court.Unknown || !it.Reason.Ours() })
}
