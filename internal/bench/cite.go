package bench

import (
	"cmp"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// most is how many checks an argument, a holding or a dissent speaks of.
const most = 3

// cite is the item that carries most on one side; of equals, against a check, one that is
// withheld, then the smallest id.
func (c posed) cite(against bool) (item, bool) {
	if len(c.items) == 0 {
		return item{}, false
	}
	return slices.MaxFunc(c.items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.argues(against), b.argues(against)), cmp.Compare(b.ID, a.ID))
	}), true
}

// witnesses are the ids of at most three items that carry something on one
// side, strongest first.
func (c posed) witnesses(against bool) []string {
	items := slices.DeleteFunc(slices.Clone(c.items), func(it item) bool { return it.side(against) == 0 })
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.side(against), a.side(against)) })
	return ids(items)
}

func ids(items []item) []string {
	out := []string{}
	for _, it := range items[:min(len(items), most)] {
		out = append(out, it.ID)
	}
	return out
}

// heaviest are the positions of at most n rows of the largest size above 0,
// ties in the order of the checks.
func heaviest(rows []court.Row, n int, size func(court.Row) int64) []int {
	var at []int
	for i, r := range rows {
		if size(r) > 0 {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(size(rows[b]), size(rows[a])) })
	return at[:min(len(at), n)]
}

// decisive is the evidence that overrules an opinion: of the checks that weigh
// most on one side in the court's ledger, the strongest item of each. A check
// that falls with what it rests on is proven by the evidence on that.
func decisive(checks []posed, tech []court.Row, against bool) []string {
	size := func(r court.Row) int64 { return r.Weight * int64(r.B) }
	if against {
		size = func(r court.Row) int64 { return r.Weight * int64(r.Fails()) }
	}
	out := []string{}
	for _, i := range heaviest(tech, most, size) {
		c := checks[i]
		if against {
			c = culprit(checks, tech, i, current().Judges[court.TechLead])
		}
		if it, ok := c.cite(against); ok && !slices.Contains(out, it.ID) {
			out = append(out, it.ID)
		}
	}
	return out
}

// culprit is the check whose own evidence explains what speaks against row i: the
// check itself, or the one at the end of what it falls with.
func culprit(checks []posed, rows []court.Row, i int, s standard) posed {
	at, d := i, falling(checks, rows, i)
	for k := i - 1; k >= 0 && !carries(checks[at], s, d); k-- { // parents stand above their children
		if slices.Contains(checks[at].Requires, checks[k].ID) && falling(checks, rows, k) == d {
			at = k
		}
	}
	return checks[at]
}

// falling is what speaks against a check and falls on what rests on it: its own, or that
// of what it rests on when it has nothing to check.
func falling(checks []posed, rows []court.Row, i int) (d court.Fixed) {
	if checks[i].applies() {
		return rows[i].Fails()
	}
	for k := range i {
		if slices.Contains(checks[i].Requires, checks[k].ID) {
			d = max(d, falling(checks, rows, k))
		}
	}
	return d
}

// carries tells whether the check's own evidence reaches d against it.
func carries(c posed, s standard, d court.Fixed) bool {
	pro, con := c.weigh(s)
	return c.withheld() || min(con, court.One-pro) >= d
}
