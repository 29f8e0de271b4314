package bench

import (
	"github.com/automaton-auditor/automaton/internal/court"
)

// Why Prosecutor and Defense part over a check.
const (
	byConflict = "conflict" // the evidence contradicts itself
	byUnknown  = "unknown"  // nobody knows
	byStandard = "standard" // admitted, or resolved, by one only
	byPartial  = "partial"  // partial work, read differently
)

// gap lists the positions of the checks that part Prosecutor and Defense,
// widest first.
func gap(h court.Hearing, n int) []int {
	defense := h.Ledger[court.Defense]
	apart := make(map[string]int64, len(defense))
	for i, p := range h.Ledger[court.Prosecutor] {
		apart[p.Check] = p.Weight * abs(int64(defense[i].X-p.X))
	}
	return heaviest(h.Ledger[court.Prosecutor], n, func(r court.Row) int64 { return apart[r.Check] })
}

func abs(n int64) int64 { return max(n, -n) }

// parted is the skeleton of a disagreement: at most three checks, why the two
// part over each, what each relies on, and what would settle it. When they see
// every check alike and only read partial work differently, it is what is left
// to do that they part over.
func parted(checks []posed, h court.Hearing) []court.Parting {
	at := gap(h, most)
	if len(at) == 0 && h.Bench[court.Prosecutor] != h.Bench[court.Defense] {
		at = heaviest(h.Ledger[court.Prosecutor], most, func(r court.Row) int64 { return r.Weight * int64(court.One-r.X) })
	}
	out := []court.Parting{}
	for _, i := range at {
		because := reason(checks[i], h.Ledger[court.Prosecutor][i], h.Ledger[court.Defense][i])
		pro := checks[i].witnesses(false)
		con := culprit(checks, h.Ledger[court.Prosecutor], i, current().Judges[court.Prosecutor]).witnesses(true)
		if len(pro)+len(con) == 0 { // both argue from what nobody knows
			pro, con = ids(checks[i].items), ids(checks[i].items)
		}
		out = append(out, court.Parting{Check: checks[i].ID, Because: because,
			Settles: settles(because, checks[i]), For: pro, Against: con})
	}
	return out
}

func reason(c posed, p, d court.Row) string {
	switch {
	case c.clash() > 0:
		return byConflict
	case p.U >= court.One/2 && d.U >= court.One/2:
		return byUnknown
	case p.X == d.X:
		return byPartial
	default:
		return byStandard
	}
}

// settles says what would end the disagreement, in one sentence.
func settles(because string, c posed) string {
	switch because {
	case byConflict:
		pro, _ := c.cite(false)
		con, _ := c.cite(true)
		return "It has to be found out which of the two is right: " + place(pro) + " or " + place(con) + "."
	case byUnknown:
		it, ok := c.cite(true)
		if !ok || it.Rationale == "" {
			return "Nothing was found out about it; something that can be examined would settle it."
		}
		return "Could not be told: " + said(it.Rationale, rationaleLimit) + ". What can be read there would settle it."
	case byPartial:
		it, _ := c.cite(true)
		return "What does not comply yet: " + place(it) + "."
	default:
		return "A stronger source: the place where it is done, or proof that it is not."
	}
}

// place is where an item stands, or what it says when it stands nowhere.
func place(it item) string {
	if len(it.At) == 0 {
		return said(it.Rationale, rationaleLimit)
	}
	return court.Clean(it.At[0].String(), placeLimit)
}
