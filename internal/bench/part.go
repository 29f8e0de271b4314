package bench

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Why Prosecutor and Defense disagree about a check.
const (
	byConflict = "conflict" // the evidence contradicts itself
	byUnknown  = "unknown"  // nobody could tell
	byWeakness = "weak"     // something speaks of it, too weakly to settle it for either
	byStandard = "standard" // admitted, or resolved, by one only
	byPartial  = "partial"  // partial work, read differently
	byFailure  = "failure"  // it fails for both, and weighs differently
)

// gap lists the positions of the checks that keep apart the scores of Prosecutor and
// Defense, widest first: by what each check costs with the one more than with
// the other. One that keeps them apart little beside the widest is left out.
func gap(h court.Hearing, n int) []int {
	rows := h.Ledger[court.Prosecutor]
	strict, mild := costs(rows, current().Judges[court.Prosecutor]), costs(h.Ledger[court.Defense], current().Judges[court.Defense])
	apart := make(map[string]int64, len(rows))
	for i, r := range rows {
		apart[r.Check] = strict[i] - mild[i]
	}
	at := heaviest(rows, n, func(r court.Row) int64 { return apart[r.Check] })
	return slices.DeleteFunc(at, func(i int) bool { return apart[rows[i].Check]*minorPart < apart[rows[at[0]].Check] })
}

// minorPart is how many times less than the widest a check may part the two to
// be named; a design choice.
const minorPart = 4

// costs is what each check takes from a judge's full score, in parts of a
// thousand of a basis point: of what the curve takes its share of all that is
// missing, of what the gate takes its share of what is missing in the failed
// core checks.
func costs(rows []court.Row, s standard) []int64 {
	missing := func(r court.Row) int64 { return r.Weight * int64(court.One-r.X) }
	var all, core int64
	for _, r := range rows {
		all += missing(r)
		if closes(r) {
			core += missing(r)
		}
	}
	open := court.One + 4*s.Curve.of(average(rows, func(r court.Row) court.Fixed { return r.X }))
	out := make([]int64, len(rows))
	for i, r := range rows {
		if all > 0 {
			out[i] = 1000 * int64(5*court.One-open) * missing(r) / all
		}
		if closes(r) && core > 0 {
			out[i] += 1000 * int64(open-exact(rows, s)) * missing(r) / core
		}
	}
	return out
}

func abs(n int64) int64 { return max(n, -n) }

// parted is the skeleton of a disagreement: at most three checks, why the two
// disagree about each, what each relies on, and what would settle it. When they see
// every check alike and only read partial work differently, it is what is left
// to do that they disagree about.
func parted(checks []posed, h court.Hearing) []court.Parting {
	at := gap(h, most)
	out := []court.Parting{}
	for _, i := range at {
		because := reason(checks[i], h.Ledger[court.Prosecutor][i], h.Ledger[court.Defense][i])
		from := culprit(checks, h.Ledger[court.Prosecutor], i, current().Judges[court.Prosecutor])
		pro, con := checks[i].witnesses(false), from.witnesses(true)
		if len(pro)+len(con) == 0 { // both argue from what nobody knows
			pro, con = ids(checks[i].items), ids(checks[i].items)
		}
		out = append(out, court.Parting{Check: checks[i].ID, Because: because,
			Settles: settles(because, checks[i], from), For: pro, Against: con})
	}
	return out
}

func reason(c posed, p, d court.Row) string {
	open := p.U >= court.One/2 && d.U >= court.One/2
	switch {
	case c.clash() > 0:
		return byConflict
	case open && len(c.witnesses(false))+len(c.witnesses(true)) > 0:
		return byWeakness
	case open:
		return byUnknown
	case p.X == 0 && d.X == 0:
		return byFailure
	case p.X == d.X:
		return byPartial
	default:
		return byStandard
	}
}

// settles says what would end the disagreement over a check: it follows the words
// "what would settle it". from is the check that it depends on, or itself.
func settles(because string, c, from posed) string {
	switch because {
	case byConflict:
		pro, _ := c.cite(false)
		con, _ := c.cite(true)
		return "a decision which of the two is right: " + place(pro) + " or " + place(con) + "."
	case byUnknown, byWeakness:
		if it, ok := c.untold(); ok {
			return "a version that can be examined. The reason today: " + safetext.Small(clause(it.Rationale, rationaleLimit)) + "."
		}
		if because == byUnknown {
			return "any evidence on this check."
		}
	case byPartial, byFailure:
		it, _ := from.cite(true)
		return "a repair of this: " + place(it) + "."
	}
	return "stronger evidence: the place where it is done, or proof that it is not done."
}

// untold is the first item that could not tell, and says why.
func (c posed) untold() (item, bool) {
	i := slices.IndexFunc(c.items, func(it item) bool { return it.Outcome == court.Unknown && it.Rationale != "" })
	if i < 0 {
		return item{}, false
	}
	return c.items[i], true
}

// place is where an item stands, or what it says when it stands nowhere.
func place(it item) string {
	if len(it.At) == 0 {
		return safetext.Small(clause(it.Rationale, rationaleLimit))
	}
	return court.Clean(it.At[0].String(), placeLimit)
}
