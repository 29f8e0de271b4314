package trial

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// Fix names a check that is put right in a thought experiment.
type Fix struct {
	Criterion string
	Check     string
}

// advised are the remedies that say something to do: not those of checks that
// hold, only not to the point of proof, nor of checks that merely fall with
// another one.
func advised(rubric court.Rubric, of court.Case, exhibits map[string][]court.Exhibit) []court.Remedy {
	return remedies(rubric, of, exhibits, stand.open)
}

func remedies(rubric court.Rubric, of court.Case, exhibits map[string][]court.Exhibit, wanted func(stand, string) bool) []court.Remedy {
	now := tryOut(rubric, of, exhibits)
	out, asks := []court.Remedy{}, []string{}
	for _, s := range now.stands {
		for _, row := range s.hearing.Ledger[court.TechLead] {
			if row.X == court.One || !row.Applies() || !wanted(s, row.Check) {
				continue
			}
			r, ask := s.remedy(rubric.Synthesis, row.Check)
			if k := slices.Index(asks, ask); k >= 0 && ask != "" {
				join(&out[k], r)
				continue
			}
			out, asks = append(out, r), append(asks, ask)
		}
	}
	out = folded(out, asks)
	for k := range out {
		if n := len(out[k].Also) + 1; now.hides(out[k]) {
			out[k].Text = fmt.Sprintf("%s %s", out[k].Text, hidden(n))
		} else if n > 1 {
			out[k].Text = fmt.Sprintf("%s This puts %d checks right; the totals count them all.", out[k].Text, n)
		}
		now.worth(&out[k])
	}
	now.order(out)
	return now.together(rested(out))
}

// FixesOf are the checks that a remedy puts right.
func FixesOf(r court.Remedy) []Fix {
	fixes := []Fix{{r.Criterion, r.Check}}
	for _, p := range r.Also {
		fixes = append(fixes, Fix{p.Criterion, p.Check})
	}
	return fixes
}

// mend replaces all that is known of a check by the word that it is met, as
// surely as its questions can be answered.
func mend(list []court.Exhibit, check court.Check) []court.Exhibit {
	out := slices.DeleteFunc(slices.Clone(list), func(x court.Exhibit) bool { return x.Check == check.ID })
	e := court.Evidence{Check: check.ID, Probe: "whatif", Goal: "put right", Outcome: court.Present, Source: court.Attested,
		Confidence: reach(check, list), Coverage: court.One, Rationale: "taken as put right"}
	if len(list) > 0 {
		e.Criterion, e.Detective = list[0].Criterion, list[0].Detective
	}
	e = e.Sealed()
	return append(out, court.Exhibit{Evidence: e, Label: "put right", Strength: bench.Strength(e), Verified: true})
}

// stand is how one criterion stands in a thought experiment.
type stand struct {
	criterion court.Criterion
	exhibits  []court.Exhibit
	hearing   court.Hearing
	share     verdict.Share
	ruling    court.Ruling
	flawed    bool // a confirmed flaw is among the exhibits
}

// hear is the criterion before the embedded bench and the chief justice.
func hear(law court.Synthesis, c court.Criterion, exhibits []court.Exhibit) stand {
	s := stand{criterion: c, exhibits: exhibits, hearing: bench.Assess(c, exhibits, 1)}
	m := verdict.Matter{Criterion: c, Law: law, Hearings: []court.Hearing{s.hearing}, Exhibits: exhibits}
	for _, j := range court.Personas() {
		exact := s.hearing.Bench[j]
		m.Opinions = append(m.Opinions, court.Opinion{Judge: j, Criterion: c.ID, Round: 1, Exact: exact, Score: exact.Score()})
	}
	r := verdict.RuleOn(m)
	s.ruling, s.share = r, verdict.ShareOf(m, r, s.hearing)
	s.flawed = slices.ContainsFunc(exhibits, func(x court.Exhibit) bool { return verdict.Confirmed(law.SecurityOverride, x) })
	return s
}

// fixed is the criterion with one check put right.
func (s stand) fixed(law court.Synthesis, check string) stand {
	return hear(law, s.criterion, mend(s.exhibits, checkOf(s.criterion, check)))
}

// tryout is a whole case in a thought experiment. Criteria are heard apart, so
// that a repair costs one criterion's hearing and no more.
type tryout struct {
	law      court.Synthesis
	stands   []stand
	answered func([]verdict.Share) []verdict.Share // what people said is not tried out
}

func tryOut(rubric court.Rubric, of court.Case, exhibits map[string][]court.Exhibit) tryout {
	t := tryout{law: rubric.Synthesis, answered: func(shares []verdict.Share) []verdict.Share {
		return verdict.Answered(shares, rubric, of.Only, of.Answers)
	}}
	for _, c := range rubric.Heard(of.Only) {
		t.stands = append(t.stands, hear(t.law, c, exhibits[c.ID]))
	}
	return t
}

// with is the case with one criterion standing otherwise.
func (t tryout) with(i int, s stand) tryout {
	t.stands = slices.Clone(t.stands)
	t.stands[i] = s
	return t
}

// repaired is the case with checks put right.
func (t tryout) repaired(fixes []Fix) tryout {
	for _, f := range fixes {
		i := t.at(f.Criterion)
		t = t.with(i, t.stands[i].fixed(t.law, f.Check))
	}
	return t
}

// worth fills in what a remedy is worth alone.
func (t tryout) worth(r *court.Remedy) {
	after := t.repaired(FixesOf(*r))
	to := func(criterion string) court.Fixed { return after.stands[after.at(criterion)].share.Exact }
	r.CriterionTo, r.OverallTo = to(r.Criterion), after.total().Exact
	for i := range r.Also {
		r.Also[i].CriterionTo = to(r.Also[i].Criterion)
	}
}

func (t tryout) total() court.Overall {
	shares := make([]verdict.Share, len(t.stands))
	flawed := false
	for i, s := range t.stands {
		shares[i] = s.share
		flawed = flawed || s.flawed
	}
	return verdict.Total(t.answered(shares), flawed, t.law.SecurityOverride)
}

func (t tryout) at(criterion string) int {
	return slices.IndexFunc(t.stands, func(s stand) bool { return s.criterion.ID == criterion })
}

// order puts files that cannot be parsed first, as nobody knows what they hide, then flaws
// that cap, then what is wrong, and what else could not be read last; of those, the
// remedies that are worth most. What others depend on stands before them.
// They come in rubric order.
func (t tryout) order(list []court.Remedy) {
	gain := func(r court.Remedy) (hi, lo uint64) {
		s := t.stands[t.at(r.Criterion)]
		return bits.Mul64(uint64(max(s.criterion.Weight, 0)), uint64(max(r.CriterionTo-s.share.Exact, 0)))
	}
	slices.SortStableFunc(list, func(a, b court.Remedy) int {
		if d := t.rank(a) - t.rank(b); d != 0 {
			return d
		}
		ahi, alo := gain(a)
		bhi, blo := gain(b)
		return cmp.Or(cmp.Compare(b.OverallTo, a.OverallTo), cmp.Compare(bhi, ahi), cmp.Compare(blo, alo))
	})
}

// rank is where a remedy stands: code that cannot be parsed, a flaw that caps, what is
// wrong, what could not be read.
func (t tryout) rank(r court.Remedy) int {
	x, ok := t.stands[t.at(r.Criterion)].first(r.Check)
	switch {
	case t.hides(r):
		return 0
	case r.Blocking:
		return 1
	case ok && kind(x) == unclear:
		return 3
	}
	return 2
}

// hides tells whether a remedy repairs code that cannot be parsed.
func (t tryout) hides(r court.Remedy) bool {
	x, ok := t.stands[t.at(r.Criterion)].first(r.Check)
	return ok && !r.Blocking && x.Outcome == court.Unknown && x.Reason == court.Unparsed && x.Detective == court.RepoInvestigator
}

// hidden says what code that cannot be parsed keeps from being answered.
func hidden(checks int) string {
	if checks == 1 {
		return "One check could not be answered because of it. The total assumes that the check is then met."
	}
	return fmt.Sprintf("%d checks could not be answered because of it. The totals assume that all of them are then met.", checks)
}

// rested puts each remedy behind those that it depends on, and changes nothing else.
func rested(list []court.Remedy) []court.Remedy {
	out := make([]court.Remedy, 0, len(list))
	left := slices.Clone(list)
	waits := func(r court.Remedy) bool {
		return slices.ContainsFunc(left, func(o court.Remedy) bool {
			return slices.ContainsFunc(FixesOf(o), func(f Fix) bool {
				return f.Criterion == r.Criterion && f.Check != r.Check && slices.Contains(r.After, f.Check)
			})
		})
	}
	for len(left) > 0 {
		i := max(slices.IndexFunc(left, func(r court.Remedy) bool { return !waits(r) }), 0)
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out
}

// together fills in where the case stands with each remedy and all before it,
// and says of flaws which others hold the same cap.
func (t tryout) together(list []court.Remedy) []court.Remedy {
	for i := range list {
		if others := t.others(list, i); others != "" {
			list[i].Text += others
		}
	}
	for i := range list {
		t = t.repaired(FixesOf(list[i]))
		list[i].OverallThen = t.total().Exact
	}
	return list
}
