package bench

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The laws that numbers keep, on every number there is.
func TestLawsOfNumbers(t *testing.T) {
	for x := court.Fixed(0); x <= court.One; x++ {
		s, l := strict.of(x), lenient.of(x)
		if want := nearest(x, 3, 2); s != want {
			t.Fatalf("N1: strict of %d is %d, want %d", x, s, want)
		}
		if want := nearest(x, 2, 3); l != want {
			t.Fatalf("N1: lenient of %d is %d, want %d", x, l, want)
		}
		if s > x || x > l || even.of(x) != x {
			t.Fatalf("N2: at %d: strict %d, lenient %d", x, s, l)
		}
		if x > 0 && (strict.of(x-1) > s || lenient.of(x-1) > l) {
			t.Fatalf("N3: a curve falls at %d", x)
		}
	}
	for e := court.One; e <= 5*court.One; e++ {
		printed, err := court.ParseFixed(e.Shown())
		if err != nil || printed != e.Cut() || printed.Score() != e.Score() {
			t.Fatalf("N4: %d prints %s, integer %d, error %v", e, e.Shown(), e.Score(), err)
		}
	}
}

// nearest is One · (x/One)^(p/q), rounded half up: the largest n whose lower
// edge n − ½ is not above the real value, found in exact rationals.
func nearest(x court.Fixed, p, q int64) court.Fixed {
	power := new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(p), nil)
	// (2n−1)^q · One^p ≤ x^p · (2·One)^q
	right := power.Mul(power, new(big.Int).Exp(big.NewInt(2*int64(court.One)), big.NewInt(q), nil))
	onePower := new(big.Int).Exp(big.NewInt(int64(court.One)), big.NewInt(p), nil)
	lo, hi := int64(0), int64(court.One)+1
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		left := new(big.Int).Exp(big.NewInt(2*mid-1), big.NewInt(q), nil)
		if left.Mul(left, onePower).Cmp(right) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return court.Fixed(lo)
}

const rounds = 1500

// speakers are the judges of a hearing, as they are about to speak; none of a blind one.
func speakers(c court.Criterion, all []court.Evidence, h court.Hearing) (out []speaker) {
	for _, j := range court.Personas() {
		if !h.Blind {
			out = append(out, speaker{j, pose(c.Checks, exhibits(all)), h.Ledger[j], h.Bench[j], nil})
		}
	}
	return out
}

// law runs a law on random criteria that are the same in every run.
func law(t *testing.T, name string, holds func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for seed := range uint64(rounds) {
			r := newChance(seed)
			c, all := r.criterion()
			if h := Assess(c, exhibits(all), 1); !holds(r, c, all, h) {
				t.Fatalf("broken with seed %d: %+v\n%+v", seed, c, all)
			}
		}
	})
}

func TestLawsOfScores(t *testing.T) {
	law(t, "B1 Prosecutor is never above Defense", func(_ *chance, _ court.Criterion, _ []court.Evidence, h court.Hearing) bool {
		return h.Bench[court.Prosecutor] <= h.Bench[court.Defense]
	})
	law(t, "B2 scores stay in 1..5", func(_ *chance, _ court.Criterion, _ []court.Evidence, h court.Hearing) bool {
		return !slices.ContainsFunc(view(h), func(f court.Fixed) bool { return f < court.One || f > 5*court.One })
	})
	law(t, "B3 low <= TechLead <= high", func(_ *chance, _ court.Criterion, _ []court.Evidence, h court.Hearing) bool {
		return h.Low <= h.Bench[court.TechLead] && h.Bench[court.TechLead] <= h.High
	})
	law(t, "B4 belief, disbelief and doubt sum to one", func(_ *chance, _ court.Criterion, _ []court.Evidence, h court.Hearing) bool {
		for _, rows := range h.Ledger {
			if slices.ContainsFunc(rows, func(r court.Row) bool { return min(r.B, r.D, r.U) < 0 || r.B+r.D+r.U != court.One }) {
				return false
			}
		}
		return true
	})
	law(t, "B10 only ratios of weights count", func(_ *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		c.Checks = slices.Clone(c.Checks)
		for i := range c.Checks {
			c.Checks[i].Weight *= 7
		}
		return slices.Equal(view(Assess(c, exhibits(all), 1)), view(h))
	})
	law(t, "B14 the bench lies in its own bound", func(_ *chance, _ court.Criterion, _ []court.Evidence, h court.Hearing) bool {
		low, high := h.Bound()
		return !slices.ContainsFunc(court.Personas(), func(j court.Persona) bool { return h.Bench[j] < low || h.Bench[j] > high })
	})
}

func TestLawsOfEvidence(t *testing.T) {
	law(t, "B5 evidence in favour lowers nobody", func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		return !below(view(Assess(c, exhibits(append(all, r.evidence(pick(r, applying(c, all)...), court.Present))), 1)), view(h))
	})
	law(t, "B6 evidence against raises nobody", func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		return !below(view(h), view(Assess(c, exhibits(append(all, r.evidence(pick(r, applying(c, all)...), court.Violation, court.Absent))), 1)))
	})
	law(t, "B7 a copy changes nothing", func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		again := pick(r, all...)
		again.ID = "zz"
		return slices.Equal(view(Assess(c, exhibits(append(all, again)), 1)), view(h))
	})
	law(t, "B8 mentions and unknowns that nobody withheld change nothing", func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		said := r.evidence(pick(r, applying(c, all)...), court.Present, court.Violation)
		said.Source, said.Confidence = court.Mention, court.One
		dark := r.evidence(pick(r, applying(c, all)...), court.Unknown)
		return slices.Equal(view(Assess(c, exhibits(append(slices.Clone(all), said)), 1)), view(h)) &&
			slices.Equal(view(Assess(c, exhibits(append(slices.Clone(all), dark)), 1)), view(h))
	})
	law(t, "what the document says changes nothing", func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		said := r.evidence(court.Check{ID: court.Testimony}, court.Present, court.Violation, court.Absent)
		return cmp.Equal(Assess(c, exhibits(append(slices.Clone(all), said)), 1), h)
	})
	law(t, "B9 order of evidence changes nothing", func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		turned := slices.Clone(all)
		r.Shuffle(len(turned), func(i, k int) { turned[i], turned[k] = turned[k], turned[i] })
		if !cmp.Equal(Assess(c, exhibits(turned), 1), h) {
			return false
		}
		for _, j := range court.Personas() {
			if !cmp.Equal(speak(j, NewBrief(c, 1, unlabelled(turned))), speak(j, NewBrief(c, 1, unlabelled(all)))) {
				return false
			}
		}
		return true
	})
	law(t, "B11 hiding never raises low and never lowers high", func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		hide := pick(r, c.Checks...).ID // hiding that there is nothing to check says nothing about high: then there may be something that fails
		empty := !slices.ContainsFunc(applying(c, all), func(k court.Check) bool { return k.ID == hide })
		hidden := Assess(c, exhibits(dark(c, all, func(id string) bool { return id == hide })), 1)
		return hidden.Low <= h.Low && (empty || hidden.High >= h.High)
	})
	law(t, "B17 withholding raises nobody", func(r *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		hide := pick(r, c.Checks...).ID
		kept := dark(c, all, func(id string) bool { return id == hide })
		for i := range kept {
			kept[i].Withheld = kept[i].Check == hide
		}
		got := Assess(c, exhibits(kept), 1)
		return !below(view(h)[:4], view(got)[:4]) && got.Low <= got.Bench[court.TechLead] && got.Bench[court.TechLead] <= got.High
	})
	law(t, "B18 what is withheld is worth what fails, and keeps the high end", func(r *chance, c court.Criterion, all []court.Evidence, _ court.Hearing) bool {
		hide := pick(r, applying(c, all)...).ID
		kept := dark(c, all, func(id string) bool { return id == hide })
		bad := slices.Clone(kept)
		for i, e := range kept {
			if e.Check == hide {
				kept[i].Withheld = true
				bad[i].Outcome, bad[i].Reason, bad[i].Source, bad[i].Confidence = court.Violation, "", court.Attested, court.One
			}
		}
		withheld, failed := Assess(c, exhibits(kept), 1), Assess(c, exhibits(bad), 1)
		return slices.Equal(view(withheld)[:3], view(failed)[:3]) && withheld.High >= failed.High
	})
	law(t, "B12 nothing known is total ignorance", func(_ *chance, c court.Criterion, all []court.Evidence, _ court.Hearing) bool {
		ignorance := []court.Fixed{11264, 26000, 43020, court.One, 5 * court.One}
		return slices.Equal(view(Assess(c, exhibits(dark(c, all, func(string) bool { return true })), 1)), ignorance) &&
			slices.Equal(view(Assess(court.Criterion{ID: "k"}, nil, 1)), ignorance)
	})
	law(t, "B15 proof against proof is pure doubt", func(r *chance, c court.Criterion, all []court.Evidence, _ court.Hearing) bool {
		check := pick(r, c.Checks...)
		one := court.Criterion{ID: "k", Checks: []court.Check{{ID: check.ID, Weight: 1, Facet: court.Core}}}
		for _, o := range []court.Outcome{court.Present, court.Violation} {
			e := r.evidence(one.Checks[0], o)
			e.Source, e.Confidence = court.AST, court.One
			all = append(all, e)
		}
		rows := Assess(one, exhibits(all), 1).Ledger
		return !slices.ContainsFunc(court.Personas(), func(j court.Persona) bool { return rows[j][0].U != court.One })
	})
	law(t, "B16 of two questions that must both hold, one alone proves nothing", func(r *chance, _ court.Criterion, _ []court.Evidence, _ court.Hearing) bool {
		two := court.Criterion{ID: "k", Checks: []court.Check{{ID: "c", Weight: 1, Facet: court.Core, Asks: []court.Ask{{Probe: "p"}, {Probe: "q"}}}}}
		e := r.evidence(two.Checks[0], court.Present)
		e.Ask, e.Source, e.Confidence = "p", court.AST, court.One
		return slices.Equal(view(Assess(two, exhibits([]court.Evidence{e}), 1)), view(Assess(court.Criterion{}, nil, 1)))
	})
}

func TestLawsOfOpinions(t *testing.T) {
	law(t, "B13 every opinion cites and is admissible", func(_ *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		brief := NewBrief(c, 1, exhibits(all))
		if h.Blind { // there is nothing to cite
			return !slices.ContainsFunc(court.Personas(), func(j court.Persona) bool { return Admit(brief, speak(j, brief)) != nil })
		}
		for _, j := range court.Personas() {
			o := speak(j, brief)
			if len(o.Cited) == 0 || len(o.Citations) == 0 || o.Exact != h.Bench[j] || Admit(brief, o) != nil {
				return false
			}
			if slices.ContainsFunc(o.Citations, func(c court.Citation) bool { return Stands(brief, c) != nil }) {
				return false
			}
		}
		return true
	})
	law(t, "a judge speaks of both sides where there are two, and of no check twice", func(_ *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		for _, s := range speakers(c, all, h) {
			var against, pro int
			spoken := map[string]bool{}
			for _, p := range s.points() {
				spoken[p.check.ID] = true
				against, pro = against+count(p.against && p.row.X < court.One), pro+count(!p.against && p.row.B > 0)
			}
			sides := map[bool]map[string]bool{true: {}, false: {}}
			for i, r := range s.rows {
				if r.Applies() && r.X < court.One {
					sides[true][s.checks[s.cause(i)].ID] = true
				}
				if r.Applies() && 2*r.B > court.One {
					sides[false][r.Check] = true
				}
			}
			if len(spoken) != against+pro || len(spoken) > most || against == 0 && len(sides[true]) > 0 || pro == 0 && len(sides[false]) > 1+count(s.judge == court.Prosecutor) {
				return false
			}
		}
		return true
	})
	law(t, "the reasons for a score turn it, and none of them is too many", func(_ *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		for _, s := range speakers(c, all, h) {
			n := s.exact.Score()
			up := s.kept(func(got int) bool { return got > n })
			down, turned := s.turning(s.credit(), court.Violation, func(got int) bool { return got < n })
			if n < 5 && !turns(c, all, up, s.judge, court.Present, func(got int) bool { return got > n }) ||
				n > 1 && turned && !turns(c, all, down, s.judge, court.Violation, func(got int) bool { return got < n }) {
				return false
			}
		}
		return true
	})
	law(t, "what the checks cost is what is missing from the full score", func(_ *chance, c court.Criterion, _ []court.Evidence, h court.Hearing) bool {
		for _, j := range court.Personas() {
			if h.Blind {
				break
			}
			var sum int64
			for _, n := range costs(h.Ledger[j], current().Judges[j]) {
				sum += n
			}
			if missing := 1000*int64(5*court.One-h.Bench[j]) - sum; missing < 0 || missing > 2*int64(len(c.Checks)) {
				return false
			}
		}
		return true
	})
	law(t, "what a hearing names exists and is on the right side", func(_ *chance, c court.Criterion, all []court.Evidence, h court.Hearing) bool {
		side := func(ids []string, against bool) bool {
			return len(ids) <= most && !slices.ContainsFunc(ids, func(id string) bool {
				i := slices.IndexFunc(all, func(e court.Evidence) bool { return e.ID == id })
				return i < 0 || weighed(court.Exhibit{Evidence: all[i]}).side(against) == 0
			})
		}
		if !side(h.Against, true) || !side(h.For, false) {
			return false
		}
		apart := h.Bench[court.Prosecutor] != h.Bench[court.Defense]
		return len(h.Parted) <= most && (len(h.Parted) > 0 || !apart || h.Blind)
	})
}

// unlabelled is evidence as exhibits whose labels don't depend on its order.
func unlabelled(all []court.Evidence) []court.Exhibit {
	out := make([]court.Exhibit, len(all))
	for i, e := range all {
		out[i] = court.Exhibit{Evidence: e, Label: "E" + e.ID}
	}
	return out
}

// turns tells whether a score turns when all the checks are beyond dispute, and not
// when one of them is left out: by evidence that is replaced.
func turns(c court.Criterion, all []court.Evidence, at []int, j court.Persona, to court.Outcome, turned func(int) bool) bool {
	score := func(at []int) int {
		list := slices.Clone(all)
		for _, i := range at {
			list = slices.DeleteFunc(list, func(e court.Evidence) bool { return e.Check == c.Checks[i].ID })
			list = append(list, court.Evidence{ID: "zz" + c.Checks[i].ID, Check: c.Checks[i].ID, Outcome: to, Source: court.Attested, Confidence: court.One, Coverage: court.One})
		}
		return Assess(c, exhibits(list), 1).Bench[j].Score()
	}
	if len(at) == 0 || !turned(score(at)) {
		return false
	}
	for i := range at {
		if turned(score(slices.Delete(slices.Clone(at), i, i+1))) {
			return false
		}
	}
	return true
}
