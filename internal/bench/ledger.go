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

// applies tells whether there is anything to check. There is not when all that
// is known of the check says so.
func (c posed) applies() bool {
	return len(c.items) == 0 || slices.ContainsFunc(c.items, func(it item) bool { return it.Outcome != court.NotApplicable })
}

// withheld tells whether the submission keeps back what would tell.
func (c posed) withheld() bool {
	return slices.ContainsFunc(c.items, func(it item) bool { return it.Withheld })
}

// weigh gives the best that a judge admits on each side. Copies add nothing. A
// check with several asks is met when all of them say so that have something to
// check; a witness outside its asks speaks for the whole check.
func (c posed) weigh(s standard) (pro, con court.Fixed) {
	var best map[string]court.Fixed
	var shown court.Fixed // the best for any of its asks: what does not apply is no support
	if len(c.asked) > 0 {
		best = make(map[string]court.Fixed, len(c.asked))
	}
	for _, it := range c.items {
		asked := slices.Contains(c.asked, it.Ask)
		switch {
		case asked && it.Outcome == court.NotApplicable:
			best[it.Ask] = court.One
		case asked && it.strength >= s.Credit:
			best[it.Ask], shown = max(best[it.Ask], it.pro), max(shown, it.pro)
		case it.strength >= s.Credit:
			pro = max(pro, it.pro)
		}
		if it.strength >= s.Blame {
			con = max(con, it.con)
		}
	}
	for _, key := range c.asked {
		shown = min(shown, best[key])
	}
	return max(pro, shown), con
}

// fall is what speaks against a check, and falls on those that rest on it: what is proven,
// and that with what counts as such because it was withheld.
type fall struct{ proven, counted court.Fixed }

func (f fall) max(o fall) fall {
	return fall{max(f.proven, o.proven), max(f.counted, o.counted)}
}

// ledger has one row per check, and what of it falls on those that rest on it.
// Parents stand before their children, so that no check is better than what it
// rests on. The row's doubt is what neither side proved, and what both proved:
// conflict is doubt, not an average. What the submission withheld is doubt, too, and counts
// against it. What falls in the TechLead's ledger says for all judges what becomes of a check
// that has nothing to check; for his own it is nil.
func ledger(checks []posed, s standard, tech []fall) (rows []court.Row, falls []fall) {
	rows, falls = make([]court.Row, len(checks)), make([]fall, len(checks))
	if tech == nil {
		tech = falls
	}
	at, sures := make(map[string]int, len(checks)), make([]court.Fixed, len(checks))
	for i, c := range checks {
		r := court.Row{Check: c.ID, Core: c.Facet == court.Core, Weight: s.weight(c.Check)}
		var fallen, missing fall // of what it rests on
		sure := court.One
		for _, parent := range c.Requires {
			if k, ok := at[parent]; ok {
				fallen, missing = fallen.max(falls[k]), missing.max(tech[k])
				sure = min(sure, sures[k])
			}
		}
		at[c.ID] = i
		if !c.applies() {
			rows[i], falls[i], sures[i] = empty(r, missing, sure), fallen, sure
			continue
		}
		pro, con := c.weigh(s)
		r.B, r.D = min(pro, court.One-con), max(min(con, court.One-pro), fallen.proven)
		r.B = min(r.B, court.One-fallen.counted)
		r.U = court.One - r.B - r.D
		if r.Held = max(fallen.counted-r.D, 0); c.withheld() {
			r.Held = r.U
		}
		r.X = r.B + court.Mul(s.Doubt, r.U-r.Held)
		r.Sure = min(r.B, sure)
		rows[i], falls[i], sures[i] = r, fall{r.D, r.Fails()}, r.Sure
	}
	return rows, falls
}

// weight is what a check weighs with a judge, in halves.
func (s standard) weight(c court.Check) int64 {
	if c.Facet == court.Core {
		return s.CoreHalves * int64(c.Weight)
	}
	return 2 * int64(c.Weight)
}

// empty is the row of a check that has nothing to check: it has no weight, and
// nothing falls with it. Where what it rests on is more likely missing than not,
// the thing was asked for: then its weight stays, and it counts as failed, so that
// nobody gains by leaving a thing out. No gate closes over it. Sure is that of
// what it rests on.
func empty(r court.Row, missing fall, sure court.Fixed) court.Row {
	r.Core = false
	switch half := court.One / 2; {
	case missing.proven >= half:
		r.D = court.One
	case missing.counted >= half:
		r.U, r.Held = court.One, court.One
	default:
		r.Weight, r.U, r.Sure = 0, court.One, sure
	}
	return r
}

// average is the mean of one column, weighted.
func average(rows []court.Row, column func(court.Row) court.Fixed) court.Fixed {
	var m court.Mean
	for _, r := range rows {
		m.Add(r.Weight, column(r))
	}
	return m.Value()
}

// closes tells whether a core check fails so far that no more than the gate can be had.
func closes(r court.Row) bool { return r.Core && r.Fails() >= current().Proven }

// exact is the judge's score, One to 5·One.
func exact(rows []court.Row, s standard) court.Fixed {
	e := court.One + 4*s.Curve.of(average(rows, func(r court.Row) court.Fixed { return r.X }))
	if slices.ContainsFunc(rows, closes) {
		e = min(e, s.Gate)
	}
	return e
}
