package bench

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// posed is a check with the evidence on it, in the order of ids.
type posed struct {
	court.Check
	items []item
	asked []string // with several asks, their keys
}

// pose sorts the evidence of a criterion to its checks. Evidence on a check
// that the criterion does not have is not heard.
func pose(checks []court.Check, exhibits []court.Exhibit) []posed {
	out := make([]posed, len(checks))
	at := make(map[string]int, len(checks))
	for i, c := range checks {
		out[i].Check = c
		at[c.ID] = i
		if len(c.Asks) > 1 {
			for _, a := range c.Asks {
				out[i].asked = append(out[i].asked, a.Key())
			}
		}
	}
	for _, x := range exhibits {
		if i, ok := at[x.Check]; ok && x.Stands() {
			out[i].items = append(out[i].items, weighed(x))
		}
	}
	for i := range out {
		slices.SortFunc(out[i].items, func(a, b item) int { return a.Compare(b.Evidence) })
	}
	return out
}

// weigh gives the best that a judge admits on each side. Copies add nothing. A
// check with several asks is met when all of them say so; a witness outside
// its asks speaks for the whole check.
func (c posed) weigh(s standard) (pro, con court.Fixed) {
	var best map[string]court.Fixed
	if len(c.asked) > 0 {
		best = make(map[string]court.Fixed, len(c.asked))
	}
	for _, it := range c.items {
		if it.strength >= s.Credit {
			if slices.Contains(c.asked, it.Ask) {
				best[it.Ask] = max(best[it.Ask], it.pro)
			} else {
				pro = max(pro, it.pro)
			}
		}
		if it.strength >= s.Blame {
			con = max(con, it.con)
		}
	}
	if len(c.asked) > 0 {
		all := court.One
		for _, key := range c.asked {
			all = min(all, best[key])
		}
		pro = max(pro, all)
	}
	return pro, con
}

// ledger has one row per check. Parents stand before their children, so that
// no check is better than what it rests on. The row's doubt is what neither
// side proved, and what both proved: conflict is doubt, not an average.
func ledger(checks []posed, s standard) []court.Row {
	rows := make([]court.Row, len(checks))
	at := make(map[string]int, len(checks))
	for i, c := range checks {
		pro, con := c.weigh(s)
		r := court.Row{Check: c.ID, Core: c.Facet == court.Core, Weight: 2 * int64(c.Weight)}
		if r.Core {
			r.Weight = s.CoreHalves * int64(c.Weight)
		}
		r.B, r.D = min(pro, court.One-con), min(con, court.One-pro)
		sure := court.One
		for _, parent := range c.Requires {
			if k, ok := at[parent]; ok {
				r.D = max(r.D, rows[k].D)
				r.B = min(r.B, court.One-rows[k].D)
				sure = min(sure, rows[k].Sure)
			}
		}
		r.U = court.One - r.B - r.D
		r.X = r.B + court.Mul(s.Doubt, r.U)
		r.Sure = min(r.B, sure)
		rows[i], at[c.ID] = r, i
	}
	return rows
}

// average is the mean of one column, weighted.
func average(rows []court.Row, column func(court.Row) court.Fixed) court.Fixed {
	var m court.Mean
	for _, r := range rows {
		m.Add(r.Weight, column(r))
	}
	return m.Value()
}

// failed tells whether a core check is proven failed.
func failed(rows []court.Row) bool {
	return slices.ContainsFunc(rows, func(r court.Row) bool { return r.Core && r.D >= current().Proven })
}

// exact is the judge's score, One to 5·One.
func exact(rows []court.Row, s standard) court.Fixed {
	e := court.One + 4*s.Curve.of(average(rows, func(r court.Row) court.Fixed { return r.X }))
	if failed(rows) {
		e = min(e, s.Gate)
	}
	return e
}
